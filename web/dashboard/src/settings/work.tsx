// How the member works and is called, as chosen for this browser.
import { useState } from "react";
import { playSound } from "../calls/sound";
import { Section, SelectField, Switch } from "../kit";
import { useChoices, type After } from "../shell/choices";
import { useMe } from "../sync";

const places = [
  { value: "next", label: "Go to the next conversation" },
  { value: "stay", label: "Stay with the conversation" },
  { value: "list", label: "Go back to the list" },
];

export function WorkSection() {
  const me = useMe();
  const [choices, change] = useChoices(me.id);
  return (
    <Section title="How you work" description="In this browser.">
      <SelectField label="After resolving" options={places} value={choices.afterResolve} onChange={(value) => change({ afterResolve: value as After })} />
      <SelectField label="After a reply" options={places} value={choices.afterReply} onChange={(value) => change({ afterReply: value as After })} />
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
    <Section title="Being called" description="When a customer writes in a conversation that is yours or nobody’s, or somebody assigns one to you. In this browser.">
      <Switch label="Sound" checked={choices.sound} onChange={sound} />
      <Switch
        label="Desktop notices"
        hint={!known ? "This browser has none." : permission === "denied" ? "Your browser blocks them. Allow notifications for this page in its settings." : "While you look at something else."}
        checked={choices.notices && permission === "granted"}
        disabled={permission === "denied"}
        onChange={(wanted) => void allow(wanted)}
      />
    </Section>
  );
}
