// How people and companies are called where they have no name.
import type { Contact, ContactRef } from "../api/types";

/** The name to show for a contact: its name, or what else tells who it is. */
export function contactName(contact: ContactRef & { identifier?: string }): string {
  return contact.name || contact.email || contact.phoneNumber || contact.identifier || "Unnamed contact";
}

/** What tells a contact from others of the same name. */
export function contactDetail(contact: Contact): string {
  return [contact.email, contact.phoneNumber ?? "", contact.shopName].filter((text) => text !== "").join(" · ") || contact.identifier;
}

/** The address of a website as a link: null for what is none. */
export function websiteLink(website: string): string | null {
  const text = /^[a-z][a-z0-9+.-]*:/i.test(website) ? website : `https://${website}`;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
}
