// The conversations of a contact or of a company, kept live.
import { Link } from "wouter";
import type { Status } from "../api/types";
import { Badge, Button, ErrorState, LabelChip, RelativeTime, Section, SkeletonRows, type Tone } from "../kit";
import { useConversation, useConversations, useLabelColor, type Filter } from "../sync";
import { contactName } from "./names";
import css from "./people.module.css";
import { texts } from "./texts";

const statuses: Record<Status, { label: string; tone: Tone }> = {
  open: { label: texts.conversations.open, tone: "accent" },
  pending: { label: texts.conversations.pending, tone: "warn" },
  resolved: { label: texts.conversations.resolved, tone: "neutral" },
};

interface ConversationsSectionProps {
  filter: Filter;
  empty: string;
  /** Names the contact of each conversation, if they can differ. */
  withContact?: boolean;
}

export function ConversationsSection({ filter, empty, withContact = false }: ConversationsSectionProps) {
  const list = useConversations(filter);
  return (
    <Section title={texts.conversations.conversations}>
      {list.error !== undefined && list.ids.length === 0 ? (
        <ErrorState error={list.error} onRetry={list.reload} />
      ) : list.loading ? (
        <SkeletonRows count={3} avatar={false} />
      ) : list.ids.length === 0 ? (
        <p className={css.quiet}>{empty}</p>
      ) : (
        <ul className={css.conversations}>
          {list.ids.map((id) => (
            <li key={id}>
              <ConversationLine id={id} withContact={withContact} />
            </li>
          ))}
        </ul>
      )}
      {list.more && (
        <div>
          <Button size="sm" variant="ghost" onClick={list.loadMore}>
            {texts.conversations.showOlderOnes}
          </Button>
        </div>
      )}
    </Section>
  );
}

function ConversationLine({ id, withContact }: { id: string; withContact: boolean }) {
  const conversation = useConversation(id);
  const colorOf = useLabelColor();
  if (!conversation) return null;
  const status = statuses[conversation.status];
  return (
    <Link href={`/inbox/${id}`} className={css.conversation}>
      <Badge tone={status.tone}>{status.label}</Badge>
      <span className={css.rowMain}>
        <span className={css.rowName}>{withContact ? contactName(conversation.contact) : conversation.inbox.name}</span>
        <span className={css.rowDetail}>
          {[withContact ? conversation.inbox.name : "", conversation.product?.name ?? "", conversation.assignee?.name ?? texts.conversations.unassigned].filter(Boolean).join(" · ")}
        </span>
      </span>
      {conversation.labels.slice(0, 2).map((label) => (
        <LabelChip key={label} name={label} color={colorOf(label)} />
      ))}
      {conversation.unreadCount > 0 && <Badge tone="count">{conversation.unreadCount}</Badge>}
      <span className={css.rowTime}>
        <RelativeTime at={conversation.lastActivityAt} />
      </span>
    </Link>
  );
}
