// What members choose about notices: by which channels they come, when nothing does, and when a digest is mailed.
import { useState } from "react";
import { playSound } from "../calls/sound";
import { api } from "../api/client";
import type { NoticePreferences } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Button, ErrorState, Page, Section, SelectField, SkeletonRows, Switch, TextField, useAction } from "../kit";
import { useChoices } from "../shell/choices";
import { useMe, useOnSignal } from "../sync";
import { channels, kinds, zoneOf, type Change, type Channel, type Kind, type PartProps } from "./noticechoices";
import { PushSection } from "./push";
import { QuietSection } from "./quiet";
import css from "./notifications.module.css";
import { texts } from "./notifications.texts";

const path = "/v1/dashboard/notice-preferences";

export function NotificationsPage() {
  const { data, error, reload, set } = useQuery<NoticePreferences>(path);
  useOnSignal("notice_preferences", reload);
  const save = async (change: Change) => set(await api.put<NoticePreferences>(path, { language: document.documentElement.lang, ...change }));
  return (
    <Page title={texts.title} description={texts.what}>
      {data ? (
        <>
          <Matrix of={data} save={save} />
          <BrowserSection />
          <PushSection />
          <QuietSection key={JSON.stringify([data.zone, data.quietHours, data.awayUntil])} of={data} save={save} />
          <MailSection of={data} save={save} />
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={reload} />
      ) : (
        <SkeletonRows count={6} avatar={false} />
      )}
    </Page>
  );
}

function Matrix({ of, save }: PartProps) {
  const { run, busy } = useAction();
  const chosen = (kind: Kind): readonly Channel[] => of.kinds[kind];
  const toggle = (kind: Kind, channel: Channel, on: boolean) => run(() => save({ kinds: { [kind]: channels.filter((one) => (one === channel ? on : chosen(kind).includes(one))) } }), texts.done);
  return (
    <Section title={texts.whatReaches}>
      <table className={css.matrix} aria-label={texts.whatReaches} aria-busy={busy}>
        <thead>
          <tr>
            <th scope="col">{texts.kind}</th>
            {channels.map((channel) => (
              <th key={channel} scope="col">
                {texts.channels[channel]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds.map((kind) => (
            <tr key={kind}>
              <th scope="row">{texts.kinds[kind]}</th>
              {channels.map((channel) => (
                <td key={channel}>
                  {kind === "unassigned" && channel !== "desktop" ? (
                    <span aria-hidden>{texts.notOffered}</span>
                  ) : (
                    <label className={css.cell}>
                      <input type="checkbox" checked={chosen(kind).includes(channel)} onChange={(event) => void toggle(kind, channel, event.target.checked)} />
                      <span className="visually-hidden">{texts.cell(texts.kinds[kind], texts.channels[channel])}</span>
                    </label>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

const known = "Notification" in window;

/** The permission is the browser's, so these choices are too. */
function BrowserSection() {
  const me = useMe();
  const [said, say] = useState("");
  const [choices, change] = useChoices(me.id);
  const [permission, setPermission] = useState(known ? Notification.permission : "denied");
  const allowed = async () => {
    const answer = await Notification.requestPermission();
    setPermission(answer);
    return answer === "granted";
  };
  const sound = (wanted: boolean) => {
    change({ sound: wanted });
    if (wanted) playSound();
  };
  const test = async () => {
    if (!(await allowed())) return;
    if (choices.sound) playSound();
    try {
      const notice = new Notification(texts.testTitle, { body: texts.testText, icon: "/assets/icon.svg" });
      notice.onshow = () => say(texts.tested);
      notice.onerror = () => say(texts.notTested);
    } catch {
      // Mobile browsers only have notifications of service workers.
      const worker = await navigator.serviceWorker.getRegistration();
      await worker?.showNotification(texts.testTitle, { body: texts.testText, icon: "/assets/icon-192.png" });
      say(worker ? texts.tested : texts.notTested);
    }
  };
  return (
    <Section title={texts.thisBrowser} description={texts.thisBrowserHint}>
      <div className={css.stack}>
        <Switch label={texts.sound} checked={choices.sound} onChange={sound} />
        <Switch
          label={texts.desktop}
          hint={!known ? texts.hasNone : permission === "denied" ? texts.blocked : texts.lookingElsewhere}
          checked={choices.notices && permission === "granted"}
          disabled={permission === "denied"}
          onChange={(wanted) => void (async () => change({ notices: wanted && (await allowed()) }))()}
        />
        <div>
          <Button disabled={permission === "denied"} onClick={() => void test()}>
            {texts.test}
          </Button>
        </div>
        <p role="status">{said}</p>
      </div>
    </Section>
  );
}

const delays = ["15m", "1h", "4h", "daily"] as const;

function MailSection({ of, save }: PartProps) {
  const { run } = useAction();
  if (!of.mailWorks) return <Section title={texts.mail} description={texts.noServer} />;
  return (
    <Section title={texts.mail} description={texts.mailHint}>
      <div className={css.stack}>
        {of.mailStopped && (
          <>
            <p>{texts.stopped}</p>
            <div>
              <Button onClick={() => void run(() => save({ mailStopped: false }), texts.resumed)}>{texts.resume}</Button>
            </div>
          </>
        )}
        <SelectField
          label={texts.delay}
          options={delays.map((value) => ({ value, label: texts.delays[value] }))}
          value={of.mailDelay}
          onChange={(value) => void run(() => save({ mailDelay: value, zone: zoneOf(of) }), texts.done)}
        />
        {of.mailDelay === "daily" && (
          <TextField key={of.mailAt} label={texts.at} type="time" required value={of.mailAt} onChange={(mailAt) => mailAt !== "" && void run(() => save({ mailAt, zone: zoneOf(of) }), texts.done)} />
        )}
      </div>
    </Section>
  );
}
