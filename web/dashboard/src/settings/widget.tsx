// The chat on a website: the tag to copy, its design with a live preview, and
// who may use it.
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { api } from "../api/client";
import type { Inbox, WidgetSettings } from "../api/types";
import { useQuery } from "../api/useQuery";
import {
  Button,
  ButtonLink,
  Checkbox,
  EmptyState,
  ErrorState,
  Form,
  FormActions,
  FormError,
  HexColorField,
  hexOf,
  Page,
  Section,
  Segmented,
  SelectField,
  SkeletonRows,
  TextArea,
  TextField,
  useForm,
  useToast,
  useUnsaved,
} from "../kit";
import { useInboxes, useMembers, useStore } from "../sync";
import { texts as asking } from "./asking.texts";
import { ContinueSection } from "./continuing";
import { texts as hoursTexts } from "./hours.texts";
import { texts as textsTexts } from "./widgettexts.texts";
import { Code } from "./parts";
import { texts } from "./texts";
import css from "./widget.module.css";
import { inkOn } from "../../../shared/ink";
import { identifySnippet, originsFault, originsOf, tagOf } from "./widgettag";

const back = { href: "/settings/inboxes", label: texts.widget.inboxes };

export function WidgetPage({ inboxId }: { inboxId: string }) {
  const inbox = useInboxes().find(({ id, channelType }) => id === inboxId && channelType === "web");
  const path = `/v1/dashboard/inboxes/${inboxId}/widget`;
  const { data, error, reload } = useQuery<WidgetSettings>(inbox ? path : null);
  const title = inbox ? texts.widget.named(inbox.name) : texts.widget.noName;
  return (
    <Page
      title={title}
      back={back}
      description={texts.widget.theChatInTheCorner}
      actions={
        inbox && (
          <>
            <ButtonLink href={`/settings/inboxes/${inboxId}/texts`}>{textsTexts.link}</ButtonLink>
            <ButtonLink href={`/settings/inboxes/${inboxId}/hours`}>{hoursTexts.link}</ButtonLink>
          </>
        )
      }
    >
      {!inbox ? (
        <EmptyState title={texts.widget.widgetNotFound}>{texts.widget.onlyWebsiteInboxesHave}</EmptyState>
      ) : error && !data ? (
        <ErrorState error={error} onRetry={reload} />
      ) : !data ? (
        <SkeletonRows count={5} avatar={false} />
      ) : (
        <Editor inbox={inbox} settings={data} path={path} />
      )}
    </Page>
  );
}

/** The settings as the form edits them: the websites are lines of a text. */
type Values = Omit<WidgetSettings, "inboxId" | "origins"> & { origins: string };

function Editor({ inbox, settings, path }: { inbox: Inbox; settings: WidgetSettings; path: string }) {
  const toast = useToast();
  const store = useStore();
  const { inboxId: _, origins, ...rest } = settings;
  const save = async (values: Values) => {
    await api.patch<WidgetSettings>(path, { ...values, origins: originsOf(values.origins) });
    store.greetings.update((old) => new Map(old).set(inbox.id, values.greeting));
    toast.done(texts.widget.widgetSaved);
  };
  const form = useForm<Values>({ ...rest, origins: origins.join("\n") }, save, (values) => {
    const fault = originsFault(values.origins);
    return fault ? { origins: fault } : {};
  });
  useUnsaved(form.changed);
  return (
    <>
      <Section title={texts.widget.putItOnYourWebsite} description={texts.widget.putItBeforeTheClosing}>
        <Code label={texts.widget.tag} text={tagOf(location.origin, inbox.id)} />
      </Section>
      <div className={css.columns}>
        <Form onSubmit={() => void form.submit()} aria-label={texts.widget.theWidget}>
          <Section title={texts.widget.look}>
            <div className={css.fields}>
              <TextField label={texts.widget.title} maxLength={60} {...form.field("title")} />
              <TextArea label={texts.widget.greeting} rows={3} maxLength={500} hint={texts.widget.shownAtTheTop} {...form.field("greeting")} />
              <TextField label={texts.widget.replyTime} maxLength={100} placeholder={texts.widget.weUsuallyAnswerWithin} {...form.field("replyTime")} />
              <HexColorField label={texts.widget.colour} pickLabel={texts.widget.pickAColour} usual={unfinished} {...form.field("color")} />
              <Segmented
                label={texts.widget.corner}
                options={[
                  { value: "right", label: texts.widget.rightCorner },
                  { value: "left", label: texts.widget.leftCorner },
                ]}
                value={form.values.position}
                onChange={(position) => form.set("position", position)}
              />
              <Checkbox label={texts.widget.showTheTeam} hint={texts.widget.visitorsSeeTheNames} checked={form.values.showTeam} onChange={(showTeam) => form.set("showTeam", showTeam)} />
            </div>
          </Section>
          <Section title={texts.widget.whoMayWrite}>
            <div className={css.fields}>
              <SelectField
                label={texts.widget.signedIdentities}
                hint={identityHints[form.values.identity]}
                options={[
                  { value: "off", label: texts.widget.off },
                  { value: "optional", label: texts.widget.optional },
                  { value: "required", label: texts.widget.required },
                ]}
                {...form.field("identity")}
              />
              {form.values.identity !== "off" && (
                <>
                  <Code label={texts.widget.onThePage} text={identifySnippet} />
                  <p className={css.quiet}>
                    {texts.widget.yourServerSignsTheToken} <Link href="/settings/identity">{texts.widget.settingsIdentity}</Link>
                    {texts.widget.whereRefusedOnes}
                  </p>
                </>
              )}
              <TextArea label={texts.widget.websites} rows={3} spellCheck={false} placeholder={texts.widget.websitesPlaceholder} hint={texts.widget.websitesThatMayShow} {...form.field("origins")} />
            </div>
          </Section>
          <Section title={asking.title}>
            <div className={css.fields}>
              <SelectField
                label={asking.when}
                hint={asking.unconfirmed}
                options={[
                  { value: "off", label: asking.off },
                  { value: "before", label: asking.before },
                  { value: "after", label: asking.after },
                ]}
                value={form.values.ask}
                onChange={(ask) => {
                  form.set("ask", ask);
                  if (ask !== "off" && form.values.askFields.length === 0) form.set("askFields", ["name", "email"]);
                }}
              />
              {form.values.ask !== "off" && (
                <>
                  {(["name", "email"] as const).map((field) => (
                    <Checkbox
                      key={field}
                      label={asking[field]}
                      checked={form.values.askFields.includes(field)}
                      onChange={(on) =>
                        form.set(
                          "askFields",
                          (["name", "email"] as const).filter((one) => (one === field ? on : form.values.askFields.includes(one))),
                        )
                      }
                    />
                  ))}
                  <Checkbox
                    label={asking.required}
                    hint={form.values.ask === "before" ? asking.requiredBefore : undefined}
                    checked={form.values.askRequired}
                    onChange={(on) => form.set("askRequired", on)}
                  />
                </>
              )}
            </div>
          </Section>
          <ContinueSection minutes={form.values.continueAfter} onChange={(minutes) => form.set("continueAfter", minutes)} />
          <FormError>{form.fault}</FormError>
          <FormActions>
            <Button type="submit" variant="primary" busy={form.busy} disabled={!form.changed}>
              {texts.widget.save}
            </Button>
            <Button disabled={!form.changed} onClick={() => form.reset()}>
              {texts.widget.discard}
            </Button>
          </FormActions>
        </Form>
        <Preview inbox={inbox} values={form.values} />
      </div>
    </>
  );
}

const identityHints: Record<WidgetSettings["identity"], string> = {
  off: texts.widget.identityOff,
  optional: texts.widget.identityOptional,
  required: texts.widget.identityRequired,
};

type Theme = "light" | "dark";

/** The widget itself in a frame, showing the values of the form, with its own texts in a language. It can be viewed, but not used. */
export function Preview({ inbox, values, language = "", own = {} }: { inbox: Inbox; values: Omit<WidgetSettings, "inboxId" | "origins">; language?: string; own?: Readonly<Record<string, string>> }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [theme, setTheme] = useState<Theme>(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const [ready, setReady] = useState(0);
  const team = useMembers().slice(0, 3);
  const { showTeam, title, greeting, replyTime, color: chosen, position, identity } = values;
  const look = { title, greeting, replyTime, color: chosen, position, identity, articles: false };
  const config = JSON.stringify({ ...look, ask: null, texts: own, upcoming: null, inboxId: inbox.id, name: inbox.name, team: (showTeam ? team : []).map(({ name, image }) => ({ name, image })) });
  useEffect(() => {
    const hello = (event: MessageEvent<{ parley?: unknown } | null>) => {
      if (event.origin === location.origin && event.source === frame.current?.contentWindow && event.data?.parley === "hello") setReady((n) => n + 1);
    };
    window.addEventListener("message", hello);
    return () => window.removeEventListener("message", hello);
  }, []);
  useEffect(() => {
    if (ready > 0) frame.current?.contentWindow?.postMessage({ parley: "preview", theme, language, config: JSON.parse(config) as unknown }, location.origin);
  }, [ready, theme, config, language]);
  const color = hexOf(values.color, unfinished);
  return (
    <section className={css.preview} aria-label={texts.widget.preview}>
      <Segmented
        label={texts.widget.previewIn}
        options={[
          { value: "light", label: texts.widget.light },
          { value: "dark", label: texts.widget.dark },
        ]}
        value={theme}
        onChange={setTheme}
      />
      <div className={css.stage} data-theme={theme} data-position={values.position}>
        <iframe ref={frame} title={texts.widget.previewOfTheWidget} tabIndex={-1} src={`/widget/frame?inbox=${inbox.id}&preview`} />
        <svg className={css.launcher} viewBox="0 0 56 56" aria-hidden="true">
          <circle cx="28" cy="28" r="28" fill={color} />
          <path fill="none" stroke={inkOn(color)} strokeWidth="2.2" strokeLinecap="round" strokeLinejoin="round" d="m21 25 7 7 7-7" />
        </svg>
      </div>
    </section>
  );
}

const unfinished = "#000000"; // while somebody types another one
