import type { ReactNode } from "react";
import type { ContactVisit, Visit as Told } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Facts, RelativeTime, useNow } from "../kit";
import { websiteLink } from "../people/names";
import { useOnSignal } from "../sync";
import styles from "./Contact.module.css";
import { texts } from "./visit.texts";

/** What a visitor typed into the chat; nothing if they typed nothing. */
function Said({ typed }: { typed: NonNullable<ContactVisit["typed"]> }) {
  const facts: [string, ReactNode][] = [];
  if (typed.name) facts.push([texts.name, <span dir="auto">{typed.name}</span>]);
  if (typed.email) facts.push([texts.email, <span dir="auto">{typed.email}</span>]);
  return (
    <section className={styles.part} aria-label={texts.typed}>
      <h3>{texts.typed}</h3>
      <Facts items={facts} />
      <p className={styles.sub}>{texts.unconfirmed}</p>
    </section>
  );
}

/** What a website says about the contact who has its chat open, and what they typed; nothing if there is neither. */
export function Visit({ contactId }: { contactId: string }) {
  const { data, reload } = useQuery<ContactVisit>(`/v1/dashboard/contacts/${contactId}/visit`);
  useOnSignal("visit", (news) => {
    if (news.contactId === contactId) reload();
  });
  const now = useNow();
  if (!data) return null;
  const { visit, typed } = data;
  return (
    <>
      {typed && <Said typed={typed} />}
      {visit && (
        <section className={styles.part} aria-label={texts.title}>
          <h3>{texts.title}</h3>
          <Facts items={items(visit, now)} />
          <p className={styles.sub}>{texts.unproven}</p>
        </section>
      )}
    </>
  );
}

function items(visit: Told, now: number): [string, ReactNode][] {
  const zone = timeIn(visit.zone, now);
  const found: [string, ReactNode][] = [];
  if (visit.page || visit.title) found.push([texts.page, <Address of={visit.page} title={visit.title} />]);
  if (visit.referrer) found.push([texts.from, <Address of={visit.referrer} title="" />]);
  if (visit.language) found.push([texts.language, languageName(visit.language)]);
  if (zone) found.push([texts.time, zone]);
  if (visit.device) found.push([texts.device, visit.device]);
  found.push([texts.seen, <RelativeTime at={visit.updatedAt} />]);
  for (const [name, value] of Object.entries(visit.facts)) found.push([name, <span dir="auto">{String(value)}</span>]);
  return found;
}

function Address({ of, title }: { of: string; title: string }) {
  const text = title || of.replace(/^https?:\/\//, "");
  const link = of === "" ? null : websiteLink(of);
  if (!link) return <span dir="auto">{text}</span>;
  return (
    <a href={link} title={of} target="_blank" rel="noreferrer" dir="auto">
      {text}
    </a>
  );
}

/** The name of a language in the reader's own; the tag itself if it is not one. */
function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames(undefined, { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** The time of day in a zone; "" if there is no such zone. */
function timeIn(zone: string, now: number): string {
  if (zone === "") return "";
  try {
    return texts.there(new Intl.DateTimeFormat(undefined, { timeZone: zone, timeStyle: "short" }).format(now), zone);
  } catch {
    return "";
  }
}
