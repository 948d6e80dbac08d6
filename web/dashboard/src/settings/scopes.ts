// What a key may do, and the sets of permissions that people usually want.

/** Every scope with what it grants, in the order of the list. */
export const scopes: readonly { value: string; label: string }[] = [
  { value: "conversations:read", label: "Read conversations, messages, inboxes, members and events" },
  { value: "conversations:write", label: "Start conversations, post messages, change and group them" },
  { value: "contacts:read", label: "Read contacts" },
  { value: "contacts:write", label: "Create and change contacts" },
  { value: "companies:read", label: "Read companies" },
  { value: "companies:write", label: "Create and change companies" },
  { value: "products:read", label: "Read products" },
];

const all = scopes.map((scope) => scope.value);

/** The usual sets, by name. */
export const presets: readonly { value: string; label: string; scopes: readonly string[] }[] = [
  { value: "all", label: "Everything", scopes: all },
  { value: "read", label: "Read only", scopes: all.filter((scope) => scope.endsWith(":read")) },
  { value: "conversations", label: "Conversations", scopes: ["conversations:read", "conversations:write", "contacts:read", "contacts:write"] },
  { value: "people", label: "Contacts and companies", scopes: ["contacts:read", "contacts:write", "companies:read", "companies:write"] },
];

/** Returns the preset that a set of scopes is, or "own". */
export function presetOf(chosen: readonly string[]): string {
  const preset = presets.find(({ scopes: wanted }) => wanted.length === chosen.length && wanted.every((scope) => chosen.includes(scope)));
  return preset?.value ?? "own";
}

/** Says what a key may do, in few words. */
export function scopesText(chosen: readonly string[]): string {
  const preset = presets.find(({ value }) => value === presetOf(chosen));
  return preset?.label ?? chosen.join(", ");
}

/** Puts a scope into a set or takes it out; the order stays that of the list. */
export function toggled(chosen: readonly string[], scope: string, on: boolean): string[] {
  return all.filter((other) => (other === scope ? on : chosen.includes(other)));
}
