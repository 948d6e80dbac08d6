// Display names of people and companies.
import { aliasOf } from "../../../shared/alias";
import type { Contact, ContactRef } from "../api/types";
import { fold } from "../kit/fold";
import { shortDate } from "../kit/time";
import { texts } from "./names.texts";

/** The name in the API of a visitor about whom nothing is known. */
const visitor = "Visitor"; // eslint-disable-line parley/bare-strings -- of the API

/** The display name of a contact: its name, or another detail that identifies it, or the alias of a visitor. */
export function contactName(contact: ContactRef & { identifier?: string }): string {
  if (contact.name === visitor) return contact.email || contact.phoneNumber || aliasOf(contact.id).name;
  return contact.name || contact.email || contact.phoneNumber || contact.identifier || texts.unnamedContact;
}

/** A detail that distinguishes contacts of the same name. */
export function contactDetail(contact: Contact): string {
  return [contact.email, contact.phoneNumber ?? "", contact.company ? "" : contact.shopName].filter((text) => text !== "").join(" · ") || contact.identifier;
}

/**
 * All details that distinguish two contacts of the same name: how they are reached, their company, when they were last
 * active.
 */
export function tellingApart(contact: Contact): string {
  return [contactDetail(contact), contact.company?.name ?? "", texts.active(shortDate(contact.lastActivityAt))].filter((text) => text !== "").join(" · ");
}

/** The other contacts, those of the same name first, because they are most likely the same person. */
export function namesakesFirst(contact: Contact, found: readonly Contact[]): Contact[] {
  const isNamesake = (other: Contact) => contact.name !== "" && fold(other.name) === fold(contact.name);
  const others = found.filter((other) => other.id !== contact.id);
  return [...others.filter(isNamesake), ...others.filter((other) => !isNamesake(other))];
}

/** The address of a website as a link; null if it is not one. */
export function websiteLink(website: string): string | null {
  const text = /^[a-z][a-z0-9+.-]*:/i.test(website) ? website : `https://${website}`;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
}
