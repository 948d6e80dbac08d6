// The member's choices for this browser: how work continues.
import { Section, SelectField } from "../kit";
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
