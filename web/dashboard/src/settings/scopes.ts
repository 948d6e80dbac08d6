// The permissions of keys, and the usual sets of them.
import { texts } from "./texts";

/** Every scope with the permission that it grants, in display order. */
export const scopes: readonly { value: string; label: string }[] = [
  { value: "conversations:read", label: texts.scopes.readConversations },
  { value: "conversations:write", label: texts.scopes.writeConversations },
  { value: "contacts:read", label: texts.scopes.readContacts },
  { value: "contacts:write", label: texts.scopes.writeContacts },
  { value: "companies:read", label: texts.scopes.readCompanies },
  { value: "companies:write", label: texts.scopes.writeCompanies },
  { value: "products:read", label: texts.scopes.readProducts },
  { value: "knowledge:read", label: texts.scopes.readKnowledge },
  { value: "knowledge:write", label: texts.scopes.writeKnowledge },
];

const all = scopes.map((scope) => scope.value);

/** The usual sets, by name. */
export const presets: readonly { value: string; label: string; scopes: readonly string[] }[] = [
  { value: "all", label: texts.scopes.everything, scopes: all },
  { value: "read", label: texts.scopes.readOnly, scopes: all.filter((scope) => scope.endsWith(":read")) },
  { value: "conversations", label: texts.scopes.conversations, scopes: ["conversations:read", "conversations:write", "contacts:read", "contacts:write"] },
  { value: "people", label: texts.scopes.contactsAndCompanies, scopes: ["contacts:read", "contacts:write", "companies:read", "companies:write"] },
];

/** Returns the preset that equals a set of scopes, or "own". */
export function presetOf(chosen: readonly string[]): string {
  const preset = presets.find(({ scopes: wanted }) => wanted.length === chosen.length && wanted.every((scope) => chosen.includes(scope)));
  return preset?.value ?? "own";
}

/** Describes briefly what a key may do. */
export function scopesText(chosen: readonly string[]): string {
  const preset = presets.find(({ value }) => value === presetOf(chosen));
  return preset?.label ?? chosen.join(", ");
}

/** Adds a scope to a set or removes it; the display order stays. */
export function toggled(chosen: readonly string[], scope: string, on: boolean): string[] {
  return all.filter((other) => (other === scope ? on : chosen.includes(other)));
}
