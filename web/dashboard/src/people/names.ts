// How people and companies are called where they have no name.
import type { Contact, ContactRef } from "../api/types";
import { fold } from "../kit/fold";
import { shortDate } from "../kit/time";
import { texts } from "./names.texts";

/** The name to show for a contact: its name, or what else tells who it is. */
export function contactName(contact: ContactRef & { identifier?: string }): string {
  return contact.name || contact.email || contact.phoneNumber || contact.identifier || texts.unnamedContact;
}

/** What tells a contact from others of the same name. */
export function contactDetail(contact: Contact): string {
  return [contact.email, contact.phoneNumber ?? "", contact.company ? "" : contact.shopName].filter((text) => text !== "").join(" · ") || contact.identifier;
}

/** All that tells two contacts of one name apart: how they are reached, their company, when they were last active. */
export function tellingApart(contact: Contact): string {
  return [contactDetail(contact), contact.company?.name ?? "", texts.active(shortDate(contact.lastActivityAt))].filter((text) => text !== "").join(" · ");
}

/** The others, those of the same name first: they are most likely the same person. */
export function namesakesFirst(contact: Contact, found: readonly Contact[]): Contact[] {
  const isNamesake = (other: Contact) => contact.name !== "" && fold(other.name) === fold(contact.name);
  const others = found.filter((other) => other.id !== contact.id);
  return [...others.filter(isNamesake), ...others.filter((other) => !isNamesake(other))];
}

/** The address of a website as a link: null for what is none. */
export function websiteLink(website: string): string | null {
  const text = /^[a-z][a-z0-9+.-]*:/i.test(website) ? website : `https://${website}`;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
}
