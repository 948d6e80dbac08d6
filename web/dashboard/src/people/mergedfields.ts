// The result of a merge of two contacts, by the server's rules: the survivor's
// values stay, and missing ones are filled from the other contact.
import type { Contact } from "../api/types";
import { textOf } from "./attributes";
import { texts } from "./texts";
import { locale } from "../kit/texts";

/** One field of the survivor. */
export interface MergedField {
  name: string;
  /** The value after the merge; "" for none. */
  kept: string;
  /** The value is from the contact that disappears. */
  filled: boolean;
  /** A value of the contact that disappears and is lost; "" for none. */
  lost: string;
}

/** Returns the fields with a value in either contact, the custom attributes last. */
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
  const names = [...new Set([...Object.keys(into.customAttributes), ...Object.keys(from.customAttributes)])].sort((a, b) => a.localeCompare(b, locale));
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
