// What the chat of an inbox says in the company's own words, in each language.
import { useEffect, useState } from "react";
import { api } from "../api/client";
import type { Inbox, WidgetSettings, WidgetTexts } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Button, EmptyState, ErrorState, Form, FormActions, FormError, Page, Section, SelectField, SkeletonRows, TextField, useForm, useToast, useUnsaved } from "../kit";
import { locale } from "../kit/texts";
import { useInboxes } from "../sync";
import { Preview } from "./widget";
import css from "./widget.module.css";
import { changedOf, chatLanguages, keysFor, labelOf, samePlaces, type Words } from "./widgettexts";
import { texts } from "./widgettexts.texts";

const [ownLanguage = ""] = locale.split("-");
const languageName = (language: string) => new Intl.DisplayNames(locale, { type: "language" }).of(language) ?? language;

export function WidgetTextsPage({ inboxId }: { inboxId: string }) {
  const inbox = useInboxes().find(({ id, channelType }) => id === inboxId && channelType === "web");
  const path = `/v1/dashboard/inboxes/${inboxId}`;
  const settings = useQuery<WidgetSettings>(inbox ? `${path}/widget` : null);
  const own = useQuery<WidgetTexts>(inbox ? `${path}/texts` : null);
  return (
    <Page title={inbox ? texts.title(inbox.name) : texts.noTitle} back={{ href: `/settings/inboxes/${inboxId}/widget`, label: texts.back }} description={texts.what}>
      {!inbox ? (
        <EmptyState title={texts.notFound}>{texts.onlyWebsites}</EmptyState>
      ) : settings.data && own.data ? (
        <Languages inbox={inbox} settings={settings.data} own={own.data} path={`${path}/texts`} onSaved={own.set} />
      ) : (settings.error ?? own.error) ? (
        <ErrorState
          error={settings.error ?? own.error}
          onRetry={() => {
            settings.reload();
            own.reload();
          }}
        />
      ) : (
        <SkeletonRows count={5} avatar={false} />
      )}
    </Page>
  );
}

interface Props {
  inbox: Inbox;
  settings: WidgetSettings;
  own: WidgetTexts;
  path: string;
  onSaved: (own: WidgetTexts) => void;
}

function Languages(props: Props) {
  const [language, setLanguage] = useState(props.own.languages[0]?.language ?? ownLanguage);
  const usual = useQuery<Words>(`/widget/assets/text.${language}.json`);
  const known = useQuery<Words>(`/widget/assets/text.${ownLanguage}.json`);
  const [changed, setChanged] = useState(false);
  const count = (of: string) => Object.keys(props.own.languages.find((one) => one.language === of)?.texts ?? {}).length;
  const options = chatLanguages.map((value) => ({ value, label: count(value) > 0 ? texts.changed(languageName(value), count(value)) : languageName(value) }));
  return (
    <>
      <Section title={texts.language}>
        <SelectField label={texts.language} options={options} value={language} onChange={setLanguage} disabled={changed} {...(changed && { hint: texts.first })} />
      </Section>
      {usual.data && known.data ? (
        <Editor key={language} {...props} language={language} usual={usual.data} known={known.data} onChanged={setChanged} />
      ) : usual.error ? (
        <ErrorState error={usual.error} onRetry={usual.reload} />
      ) : (
        <SkeletonRows count={5} avatar={false} />
      )}
    </>
  );
}

function Editor({ inbox, settings, own, path, onSaved, language, usual, known, onChanged }: Props & { language: string; usual: Words; known: Words; onChanged: (changed: boolean) => void }) {
  const toast = useToast();
  const [query, setQuery] = useState("");
  const stored = own.languages.find((one) => one.language === language)?.texts ?? {};
  const form = useForm<Record<string, string>>(
    Object.fromEntries(Object.keys(usual).map((key) => [key, stored[key] ?? ""])),
    async (values) => {
      onSaved(await api.put<WidgetTexts>(path, { language, texts: changedOf(usual, values) }));
      toast.done(texts.saved);
    },
    (values) => Object.fromEntries(Object.entries(changedOf(usual, values)).flatMap(([key, value]) => (samePlaces(usual[key] ?? "", value) ? [] : [[key, texts.places(usual[key] ?? "")]]))),
  );
  useUnsaved(form.changed);
  useEffect(() => onChanged(form.changed), [onChanged, form.changed]);
  const keys = keysFor(query, usual, known);
  return (
    <div className={css.columns}>
      <Form onSubmit={() => void form.submit()} aria-label={texts.texts}>
        <Section title={texts.texts} description={texts.hint}>
          <div className={css.fields}>
            <TextField label={texts.search} type="search" autoComplete="off" value={query} onChange={setQuery} />
            {keys.length === 0 && <p className={css.quiet}>{texts.nothing}</p>}
            {keys.map((key) => (
              <TextField key={key} label={labelOf(key, known)} placeholder={usual[key] ?? ""} lang={language} dir="auto" maxLength={300} autoComplete="off" {...form.field(key)} />
            ))}
          </div>
        </Section>
        <FormError>{form.fault}</FormError>
        <FormActions>
          <Button type="submit" variant="primary" busy={form.busy} disabled={!form.changed}>
            {texts.save}
          </Button>
          <Button disabled={!form.changed} onClick={() => form.reset()}>
            {texts.discard}
          </Button>
        </FormActions>
      </Form>
      <Preview inbox={inbox} values={settings} language={language} own={changedOf(usual, form.values)} />
    </div>
  );
}
