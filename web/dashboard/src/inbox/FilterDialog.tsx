import { useState } from "react";
import { useLocation } from "wouter";
import { Button, Dialog, SelectField, type Option } from "../kit";
import { useInboxes, useLabels, useMe, useMembers, useProducts, useTeams, type Filter } from "../sync";
import styles from "./List.module.css";
import { texts as teamTexts } from "./teams.texts";
import { texts } from "./texts";
import { inboxAddress, type View } from "./views";

const any = (label: string): Option => ({ value: "", label });

/** All filters of a view. */
export function FilterDialog({ view, onClose }: { view: View; onClose: () => void }) {
  const [next, setNext] = useState<View>(view);
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
  const apply = () => {
    navigate(inboxAddress(next));
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
          <Button onClick={() => setNext({})}>{texts.filterDialog.clear}</Button>
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
        {field("label", texts.filterDialog.label, [any(texts.filterDialog.any), ...labels.map(({ name }) => ({ value: name, label: name }))])}
      </div>
    </Dialog>
  );
}
