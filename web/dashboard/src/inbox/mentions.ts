// Who is named in a note. The text itself says it: "@" and the name of a member or a team. So a name that the author
// deletes names nobody, and drafts, devices and the outbox need nothing but the text.
import type { Member, Team } from "../api/types";

/** A member, or a team, which stands for its members. */
export interface Name {
  id: string;
  /** What is written behind the "@". No two have the same. */
  label: string;
  detail: string;
  /** The members who are told. */
  memberIds: readonly string[];
}

/** The most members that a note may name; a rule of the contract. */
export const mostMentions = 50;
/** How many characters are searched. */
const looked = 20_000;

/** The names that the member may write. Members of the same name are told apart by their e-mail addresses. */
export function namesFor(members: readonly Member[], teams: readonly Team[], meId: string): Name[] {
  const count = new Map<string, number>();
  for (const { name } of members) count.set(name, (count.get(name) ?? 0) + 1);
  const labelOf = ({ name, email }: Member) => ((count.get(name) ?? 0) > 1 ? `${name} (${email})` : name);
  const people = members.filter(({ id }) => id !== meId).map((member) => ({ id: member.id, label: labelOf(member), detail: member.email, memberIds: [member.id] }));
  const groups = teams.map(({ id, name, memberIds }) => ({ id, label: name, detail: "", memberIds: memberIds.filter((one) => one !== meId) }));
  return [...people, ...groups.filter(({ label, memberIds }) => memberIds.length > 0 && !count.has(label))];
}

export interface Found {
  /** Where its "@" is, and where it ends. */
  start: number;
  end: number;
  name: Name;
}

const letter = /[\p{L}\p{N}\p{M}_]/u;
/** Scripts that separate no words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]$/u;

/** The names in a text; of two that begin at the same place, the longer one. */
export function namesIn(text: string, names: readonly Name[]): Found[] {
  const found: Found[] = [];
  if (!text.includes("@") || names.length === 0) return found;
  const byStart = new Map<string, Name[]>();
  for (const name of names.toSorted((one, other) => other.label.length - one.label.length)) byStart.set(name.label.charAt(0), [...(byStart.get(name.label.charAt(0)) ?? []), name]);
  const searched = text.slice(0, looked);
  for (let at = searched.indexOf("@"); at >= 0; at = searched.indexOf("@", at + 1)) {
    const name = byStart.get(searched.charAt(at + 1))?.find(({ label }) => searched.startsWith(label, at + 1) && endsAt(searched, at + 1 + label.length, label));
    if (!name || !beginsAt(searched, at)) continue;
    const end = at + 1 + name.label.length;
    found.push({ start: at, end, name });
    at = end - 1;
  }
  return found;
}

/** Whether an "@" begins a name: it is no part of an address. */
export function beginsAt(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 300), at);
  return !/[\p{L}\p{N}_/@]$/u.test(before) && !/:\/\/\S*$/.test(before);
}

function endsAt(text: string, end: number, label: string): boolean {
  const next = String.fromCodePoint(text.codePointAt(end) ?? 32);
  return !letter.test(next) || unspaced.test(label);
}

/** The members that a text names. */
export function mentionsIn(found: readonly Found[]): string[] {
  return [...new Set(found.flatMap(({ name }) => name.memberIds))];
}
