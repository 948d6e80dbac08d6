// The member's choices for this browser: how work continues, and how they are alerted.
import { useState } from "react";
import { playSound } from "../calls/sound";
import { Section, SelectField, Switch } from "../kit";
import { holds, useChoices, type After } from "../shell/choices";
import { useMe } from "../sync";
import { texts } from "./texts";

const places = [
  { value: "next", label: texts.work.toTheNext },
  { value: "stay", label: texts.work.stay },
  { value: "list", label: texts.work.toTheList },
];

const waits = holds.map((seconds) => ({ value: String(seconds), label: seconds === 0 ? texts.work.sendsAtOnce : texts.work.canBeUndone(seconds) }));

export function WorkSection() {
  const me = useMe();
  const [choices, change] = useChoices(me.id);
  return (
    <Section title={texts.work.howYouWork} description={texts.work.inThisBrowser}>
      <SelectField label={texts.work.afterResolving} options={places} value={choices.afterResolve} onChange={(value) => change({ afterResolve: value as After })} />
      <SelectField label={texts.work.afterAReply} options={places} value={choices.afterReply} onChange={(value) => change({ afterReply: value as After })} />
      <SelectField label={texts.work.undoSend} hint={texts.work.undoSendHint} options={waits} value={String(choices.undoSend)} onChange={(value) => change({ undoSend: Number(value) })} />
    </Section>
  );
}

const known = "Notification" in window;

export function CallsSection() {
  const me = useMe();
  const [choices, change] = useChoices(me.id);
  const [permission, setPermission] = useState(known ? Notification.permission : "denied");
  const allow = async (wanted: boolean) => {
    if (!wanted) return change({ notices: false });
    const answer = await Notification.requestPermission();
    setPermission(answer);
    change({ notices: answer === "granted" });
  };
  const sound = (wanted: boolean) => {
    change({ sound: wanted });
    if (wanted) playSound();
  };
  return (
    <Section title={texts.work.beingCalled} description={texts.work.whenACustomerWrites}>
      <Switch label={texts.work.sound} checked={choices.sound} onChange={sound} />
      <Switch
        label={texts.work.desktopNotices}
        hint={!known ? texts.work.thisBrowserHasNone : permission === "denied" ? texts.work.yourBrowserBlocksThem : texts.work.whileYouLookAtSomething}
        checked={choices.notices && permission === "granted"}
        disabled={permission === "denied"}
        onChange={(wanted) => void allow(wanted)}
      />
    </Section>
  );
}
