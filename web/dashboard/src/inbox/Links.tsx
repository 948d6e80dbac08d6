import { Unlink } from "lucide-react";
import { Link } from "wouter";
import { api } from "../api/client";
import type { Conversation, List } from "../api/types";
import { useQuery } from "../api/useQuery";
import { IconButton, RelativeTime, useToast } from "../kit";
import { useOnSignal } from "../sync";
import styles from "./Contact.module.css";
import { inboxName } from "./channel";
import { texts } from "./links.texts";
import { contactName } from "./Row";
import { statusNames } from "./valuename";

/** The conversations that are linked to one; nothing if there are none. */
export function Links({ conversationId }: { conversationId: string }) {
  const path = `/v1/dashboard/conversations/${conversationId}/links`;
  const { data, reload, set } = useQuery<List<Conversation>>(path);
  const toast = useToast();
  useOnSignal("link", (news) => {
    if (news.conversationId === conversationId || news.otherId === conversationId) reload();
  });
  if (!data || data.data.length === 0) return null;
  const unlink = (other: string) =>
    api.delete<List<Conversation>>(`${path}/${other}`).then(
      (now) => {
        set(now);
        toast.done(texts.unlinked);
      },
      (fault: unknown) => toast.failed(fault),
    );
  return (
    <section className={styles.part} aria-label={texts.title}>
      <h3>{texts.title}</h3>
      <ul>
        {data.data.map((other) => (
          <li key={other.id} className={styles.linked}>
            <Link href={`/inbox/${other.id}`} className={styles.other}>
              <span>
                {contactName(other.contact)}
                <small>{[other.product?.name ?? inboxName(other.inbox), statusNames[other.status]].join(" · ")}</small>
              </span>
              <RelativeTime at={other.lastActivityAt} />
            </Link>
            <IconButton label={texts.unlink(contactName(other.contact))} icon={<Unlink size={15} />} onClick={() => void unlink(other.id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
