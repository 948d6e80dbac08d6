import { useState } from "react";
import { useLocation } from "wouter";
import { Button, Dialog, SelectField, TextField, type Option } from "../kit";
import { labelSeparator, useInboxes, useLabels, useMe, useMembers, useProducts, useTeams, type Filter } from "../sync";
import styles from "./List.module.css";
import { priorityNames } from "./Priority";
import { texts as viewTexts } from "./savedviews.texts";
import { texts as teamTexts } from "./teams.texts";
import { texts } from "./texts";
import { inboxAddress, type View } from "./views";

const any = (label: string): Option => ({ value: "", label });

/** All filters of a view. */
export function FilterDialog({ view, onClose }: { view: View; onClose: () => void }) {
  const [next, setNext] = useState<View>(view);
  const [days, setDays] = useState({ activeAfter: dayOf(view.activeAfter), activeBefore: dayOf(view.activeBefore) });
  const [, navigate] = useLocation();
  const me = useMe();
  const members = useMembers().filter((member) => member.id !== me.id);
  const inboxes = useInboxes();
  const products = useProducts();
  const teams = useTeams();
  const labels = useLabels();
  const named = (items: readonly { id: string; name: string }[]): Option[] => items.map(({ id, name }) => ({ value: id, label: name }));
  const field = (name: keyof Filter, label: string, options: Option[]) => (
    <SelectField label={label} value={next[name] ?? ""} options={options} onChange={(value) => setNext({ ...next, [name]: value || undefined })} />
  );
  const day = (name: "activeAfter" | "activeBefore", label: string) => (
    <TextField label={label} type="date" min="1970-01-01" max="9999-12-31" value={days[name]} onChange={(value) => setDays({ ...days, [name]: value })} />
  );
  const labelled = labels.map(({ name }) => ({ value: name, label: name }));
  // The dialog offers one; an address may have several.
  const several = next.label?.includes(labelSeparator) ? [{ value: next.label, label: next.label.replaceAll(labelSeparator, ", ") }] : [];
  const clear = () => {
    setNext({});
    setDays({ activeAfter: "", activeBefore: "" });
  };
  const apply = () => {
    const at = (name: "activeAfter" | "activeBefore") => (days[name] === dayOf(view[name]) ? view[name] : startOf(days[name]));
    navigate(inboxAddress({ ...next, activeAfter: at("activeAfter"), activeBefore: at("activeBefore") }));
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.filterDialog.filterConversations}
      onSubmit={apply}
      footer={
        <>
          <Button onClick={clear}>{texts.filterDialog.clear}</Button>
          <Button type="submit" variant="primary">
            {texts.filterDialog.show}
          </Button>
        </>
      }
    >
      <div className={styles.filters}>
        {field("status", texts.filterDialog.status, [
          any(texts.filterDialog.any),
          { value: "open", label: texts.filterDialog.open },
          { value: "pending", label: texts.filterDialog.pending },
          { value: "resolved", label: texts.filterDialog.resolved },
        ])}
        {field("assigneeId", texts.filterDialog.assignee, [
          any(texts.filterDialog.anybody),
          { value: "me", label: texts.filterDialog.me },
          { value: "none", label: texts.filterDialog.nobody },
          ...named(members),
        ])}
        {field("inboxId", texts.filterDialog.inbox, [any(texts.filterDialog.any), ...named(inboxes)])}
        {field("productId", texts.filterDialog.product, [any(texts.filterDialog.any), { value: "none", label: texts.filterDialog.withoutAProduct }, ...named(products)])}
        {teams.length > 0 && field("teamId", teamTexts.team, [any(texts.filterDialog.any), { value: "none", label: teamTexts.withoutATeam }, ...named(teams)])}
        {field("spam", texts.filterDialog.spam, [any(texts.filterDialog.withoutSpam), { value: "true", label: texts.filterDialog.onlySpam }, { value: "any", label: texts.filterDialog.withSpam }])}
        {field("order", texts.filterDialog.order, [any(texts.filterDialog.latestActivity), { value: "waiting", label: texts.filterDialog.waitingFirst }])}
        {field("label", texts.filterDialog.label, [any(texts.filterDialog.any), ...several, ...labelled])}
        {field("notLabel", viewTexts.notLabel, [any(texts.filterDialog.any), ...labelled])}
        {field("priority", viewTexts.priority, [
          any(texts.filterDialog.any),
          ...(["urgent", "high", "medium", "low"] as const).map((value) => ({ value, label: priorityNames[value] })),
          { value: "none", label: viewTexts.noPriority },
        ])}
        {field("snoozed", viewTexts.sleep, [any(texts.filterDialog.any), { value: "true", label: viewTexts.onlySnoozed }, { value: "false", label: viewTexts.notSnoozed }])}
        {day("activeAfter", viewTexts.activeAfter)}
        {day("activeBefore", viewTexts.activeBefore)}
      </div>
    </Dialog>
  );
}

/** When the day of a field for dates begins here; undefined for none. */
function startOf(day: string): string | undefined {
  const at = new Date(`${day}T00:00`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** The day of a time, as a field for dates has it; "" for none. */
function dayOf(time: string | undefined): string {
  const at = new Date(time ?? NaN);
  if (Number.isNaN(at.getTime())) return "";
  const digits = (n: number, count: number) => String(n).padStart(count, "0");
  return `${digits(at.getFullYear(), 4)}-${digits(at.getMonth() + 1, 2)}-${digits(at.getDate(), 2)}`;
}
