import { CircleCheck, CircleDashed, Rocket } from "lucide-react";
import { Link } from "wouter";
import { EmptyState } from "../kit";
import { isAtLeast } from "../settings/roles";
import { useConversations, useInboxes, useMe, useMembers, useWorkspace } from "../sync";
import styles from "./List.module.css";
import { texts } from "./texts";

interface Step {
  text: string;
  href: string;
  done: boolean;
}

/** The names that a server gives its first workspace and owner. */
const unnamed = { workspace: "My company", owner: "owner" }; // eslint-disable-line parley/bare-strings -- the names that the server gives

/** What an admin of a new workspace has yet to do; null for other members, and once it is done. */
export function useFirstSteps(): readonly Step[] | null {
  const me = useMe();
  const workspace = useWorkspace();
  const web = useInboxes().find((inbox) => inbox.channelType === "web");
  const members = useMembers();
  const any = useConversations({});
  if (!isAtLeast(me.role, "admin") || any.loading) return null;
  const steps = [
    ...(isAtLeast(me.role, "owner") ? [{ text: texts.firstSteps.nameYourWorkspace, href: "/settings/workspace", done: workspace.name !== unnamed.workspace }] : []),
    { text: texts.firstSteps.tellCustomersYourName, href: "/settings/profile", done: me.name !== unnamed.owner },
    {
      text: web ? texts.firstSteps.putTheChat : texts.firstSteps.addAnInbox,
      href: web ? `/settings/inboxes/${web.id}/widget` : "/settings/inboxes",
      done: web !== undefined && any.ids.length > 0,
    },
    { text: texts.firstSteps.receiveAFirstMessage, href: web ? `/settings/inboxes/${web.id}/widget` : "/settings/inboxes", done: any.ids.length > 0 },
    { text: texts.firstSteps.inviteAColleague, href: "/settings/members", done: members.length > 1 },
  ];
  return steps.every(({ done }) => done) ? null : steps;
}

/** The first steps in a new workspace, in place of an empty list. */
export function FirstSteps({ steps }: { steps: readonly Step[] }) {
  return (
    <EmptyState icon={<Rocket size={20} />} title={texts.firstSteps.title}>
      <span className={styles.steps} role="list" aria-label={texts.firstSteps.firstSteps}>
        {steps.map(({ text, href, done }) => (
          <span key={text} role="listitem" className={styles.step}>
            {done ? <CircleCheck size={16} role="img" aria-label={texts.firstSteps.done} /> : <CircleDashed size={16} role="img" aria-label={texts.firstSteps.toDo} />}
            {done ? <s>{text}</s> : <Link href={href}>{text}</Link>}
          </span>
        ))}
      </span>
    </EmptyState>
  );
}
