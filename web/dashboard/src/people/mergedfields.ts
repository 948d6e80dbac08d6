// What a merge of two contacts keeps, as the server does it: the survivor's
// values stay, and what it lacks is filled from the other one.
import type { Contact } from "../api/types";
import { textOf } from "./attributes";
import { texts } from "./texts";

/** One field of the survivor. */
export interface MergedField {
  name: string;
  /** Its value afterwards; "" for none. */
  kept: string;
  /** The value comes from the contact that disappears. */
  filled: boolean;
  /** A value of the contact that disappears which nobody keeps; "" for none. */
  lost: string;
}

/** Returns the fields of which either contact has a value, the custom attributes last. */
export function mergedFields(from: Contact, into: Contact): MergedField[] {
  const fixed: readonly [name: string, from: string, into: string][] = [
    [texts.mergedfields.name, from.name, into.name],
    ["E-mail", from.email, into.email],
    [texts.mergedfields.phone, from.phoneNumber ?? "", into.phoneNumber ?? ""],
    [texts.mergedfields.shop, from.shopName, into.shopName],
    [texts.mergedfields.yourOwnId, from.identifier, into.identifier],
    [texts.mergedfields.picture, from.avatarUrl ?? "", into.avatarUrl ?? ""],
    [texts.mergedfields.company, from.company?.name ?? "", into.company?.name ?? ""],
  ];
  const names = [...new Set([...Object.keys(into.customAttributes), ...Object.keys(from.customAttributes)])].sort((a, b) => a.localeCompare(b));
  const custom = names.map((name): [string, string, string] => [name, shown(from, name), shown(into, name)]);
  return [...fixed, ...custom].filter(([, lost, kept]) => lost !== "" || kept !== "").map(([name, other, own]) => field(name, other, own));
}

function shown(contact: Contact, name: string): string {
  return Object.hasOwn(contact.customAttributes, name) ? textOf(contact.customAttributes[name]) : "";
}

function field(name: string, other: string, own: string): MergedField {
  if (own === "") return { name, kept: other, filled: true, lost: "" };
  return { name, kept: own, filled: false, lost: other === own ? "" : other };
}
