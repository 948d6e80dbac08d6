// What an entry of the audit log says.
import type { AuditChange, AuditEntry, AuditKnownActor } from "../api/types";
import { texts } from "./audit.texts";
import { fullTime } from "../kit";
import { roleName } from "./roles";

/** What an entry is about: the kind of the record, and its name or the id of one without. "" for nothing. */
export function entrySubject({ subject, action }: Pick<AuditEntry, "subject" | "action">): string {
  if (!subject || subject.type === "workspace") return "";
  const name = subject.name || (action.endsWith(".deleted") ? "" : subject.id);
  return [texts.subjects[subject.type], name].filter(Boolean).join(" ");
}

/** Whose entries can be asked for, and of which kind they are. */
export function actorName({ type, name, former }: Pick<AuditKnownActor, "type" | "name" | "former">): string {
  if (type === "key") return former ? texts.formerKeyOf(name) : texts.keyOf(name);
  return former ? texts.formerOf(name) : name;
}

/** A change in words; fields without a word have their name in the API. */
export function entryText({ field, from, to }: AuditChange): string {
  const name = texts.fields[field] ?? field;
  const value = (text: string) =>
    field === "role" ? role(text) : field === "reason" || field === "code" || field === "browser" ? (texts.reasons[text] ?? text) : field === "madeAt" ? fullTime(text) : text;
  if (from !== null && to !== null) return texts.fromTo(name, value(from), value(to));
  return to === null ? name : texts.toOnly(name, value(to));
}

const role = (text: string) => (text === "owner" || text === "admin" || text === "agent" ? roleName(text) : text);

/** The period of whole days in the zone of the browser, as the server takes it. "" is no limit. */
export function periodOf(from: string, to: string): { from: string; to: string } {
  return { from: moment(from, 0), to: moment(to, 1) };
}

function moment(day: string, later: number): string {
  const [year, month, date] = day.split("-").map(Number);
  if (year === undefined || month === undefined || date === undefined || year < 1970) return "";
  const at = new Date(year, month - 1, date + later);
  return Number.isNaN(at.getTime()) ? "" : at.toISOString();
}
