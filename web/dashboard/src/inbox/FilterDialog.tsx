import { useState } from "react";
import { useLocation } from "wouter";
import { Button, Dialog, SelectField, type Option } from "../kit";
import { useInboxes, useLabels, useMe, useMembers, useProducts, type Filter } from "../sync";
import styles from "./List.module.css";
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
        {field("status", "Status", [any("Any"), { value: "open", label: "Open" }, { value: "pending", label: "Pending" }, { value: "resolved", label: "Resolved" }])}
        {field("assigneeId", "Assignee", [any("Anybody"), { value: "me", label: "Me" }, { value: "none", label: "Nobody" }, ...named(members)])}
        {field("inboxId", "Inbox", [any("Any"), ...named(inboxes)])}
        {field("productId", "Product", [any("Any"), { value: "none", label: "Without a product" }, ...named(products)])}
        {field("order", "Order", [any("Latest activity"), { value: "waiting", label: "Longest waiting, only those who wait" }])}
        {field("label", "Label", [any("Any"), ...labels.map(({ name }) => ({ value: name, label: name }))])}
      </div>
    </Dialog>
  );
}

/** What a filter's value is called. */
export function useValueName(): (name: keyof Filter, value: string) => string {
  const members = useMembers();
  const inboxes = useInboxes();
  const products = useProducts();
  const find = (items: readonly { id: string; name: string }[], id: string) => items.find((item) => item.id === id)?.name;
  return (name, value) => {
    switch (name) {
      case "assigneeId":
        return value === "me" ? "Mine" : value === "none" ? "Unassigned" : (find(members, value) ?? "A former member");
      case "inboxId":
        return find(inboxes, value) ?? "Inbox not found";
      case "productId":
        return value === "none" ? "Without a product" : (find(products, value) ?? "Product not found");
      case "order":
        return "longest waiting";
      case "contactId":
        return "One contact";
      case "companyId":
        return "One company";
      default:
        return value;
    }
  };
}
