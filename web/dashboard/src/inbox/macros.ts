// What a macro does, for its form and its preview.
import type { Conversation, Macro, Priority } from "../api/types";
import { texts } from "./macros.texts";
import { priorityNames } from "./Priority";
import { statusNames } from "./valuename";

/** The fields of a macro's form; "" changes nothing, and labels are separated by commas. */
export interface MacroFields {
  note: string;
  reply: string;
  status: string;
  priority: string;
  assigneeId: string;
  productId: string;
  addLabels: string;
  removeLabels: string;
}
type Actions = Partial<Record<keyof MacroFields, string | string[]>>;

export function fieldsOf(macro: Macro | null): MacroFields {
  const actions = (macro?.actions ?? {}) as Actions;
  const text = (name: keyof MacroFields) => [actions[name] ?? ""].flat().join(", ");
  return {
    note: text("note"),
    reply: text("reply"),
    status: text("status"),
    priority: text("priority"),
    assigneeId: text("assigneeId"),
    productId: text("productId"),
    addLabels: text("addLabels"),
    removeLabels: text("removeLabels"),
  };
}

export function actionsOf({ addLabels, removeLabels, ...rest }: MacroFields): Actions {
  const list = (text: string) =>
    text
      .split(",")
      .map((label) => label.trim())
      .filter(Boolean);
  return { ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== "")), addLabels: list(addLabels), removeLabels: list(removeLabels) };
}

/** The names of what a macro refers to; an unknown id stands for itself. */
export type NameOf = (kind: "member" | "product", id: string) => string;

/** What a macro does, one line each, in its order. */
export function linesOf(macro: Macro, nameOf: NameOf = (_, id) => id, filled: (text: string) => string = (text) => text): string[] {
  const { note, reply, status, priority, assigneeId, productId, addLabels, removeLabels } = fieldsOf(macro);
  return [
    note && texts.note(filled(note)),
    reply && texts.reply(filled(reply)),
    status && texts.status(statusNames[status] ?? status),
    priority && texts.priority(priority === "none" ? texts.noPriority : priorityNames[priority as Priority]),
    assigneeId && texts.assignee(assigneeId === "me" ? texts.me : assigneeId === "none" ? texts.nobody : nameOf("member", assigneeId)),
    productId && texts.product(nameOf("product", productId)),
    addLabels && texts.addLabels(addLabels),
    removeLabels && texts.removeLabels(removeLabels),
  ].filter((line) => line !== "");
}

/** A text of a macro as the server fills it in: see variables.go. */
export function filledText(text: string, conversation: Conversation, me: string): string {
  const { name } = conversation.contact;
  const values: Record<string, string> = { "contact.name": name === "Visitor" ? "" : name, "me.name": me, "conversation.id": conversation.id };
  return text.replace(/( ?)\{\{([^{}]*)\}\}/g, (_, space: string, key: string) => {
    const value = values[key.trim()] ?? "";
    return value === "" ? "" : space + value;
  });
}
