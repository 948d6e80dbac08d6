// The guided start of a new workspace: names, the chat on a website, a first
// message, a first invitation. A step is done when the records say so, in
// whatever order and wherever it was done.
import { CircleCheck, CircleDashed, PartyPopper } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { useLocation } from "wouter";
import { api } from "../api/client";
import type { Invitation, List, Welcome, WidgetView } from "../api/types";
import { useQuery } from "../api/useQuery";
import { inboxAddress } from "../inbox/views";
import { Button, EmptyState, ErrorState, Page, readStored, SkeletonRows, useToast, writeStored } from "../kit";
import { NotFound } from "../app/NotFound";
import { isAtLeast } from "../settings/roles";
import { useConversations, useInboxes, useMe, useMembers, useWorkspace } from "../sync";
import { InviteStep } from "./InviteStep";
import { MessageStep } from "./MessageStep";
import { NamesStep } from "./NamesStep";
import { SiteStep } from "./SiteStep";
import { doneSteps, nextStep, seenText, stepNames, viewsOf, type StepName } from "./steps";
import { texts } from "./texts";
import css from "./welcome.module.css";

const path = "/v1/dashboard/welcome";
const skippedKey = "parley.welcome.skipped";
/** How often the page asks whether a website has shown the chat, in ms. */
const pollInterval = 2000;

export function WelcomePage() {
  const me = useMe();
  if (!isAtLeast(me.role, "admin")) return <NotFound />;
  return <Guide />;
}

function Guide() {
  const welcome = useQuery<Welcome>(path);
  const invitations = useQuery<List<Invitation>>("/v1/dashboard/invitations");
  const conversations = useConversations({});
  const error = welcome.error ?? invitations.error ?? conversations.error;
  if (welcome.data && invitations.data && !conversations.loading) {
    return (
      <Steps
        views={welcome.data.views}
        onLook={() => void api.get<Welcome>(path).then(welcome.set, () => undefined)}
        invitations={invitations.data.data}
        onInvited={(made) => invitations.set({ data: [made, ...(invitations.data?.data ?? [])] })}
        conversations={conversations.ids}
      />
    );
  }
  const retry = () => {
    welcome.reload();
    invitations.reload();
    conversations.reload();
  };
  return <Page title={texts.title}>{error ? <ErrorState error={error} onRetry={retry} /> : <SkeletonRows count={4} avatar={false} />}</Page>;
}

interface StepsProps {
  views: readonly WidgetView[];
  /** Reads the views again. */
  onLook: () => void;
  invitations: readonly Invitation[];
  onInvited: (made: Invitation) => void;
  conversations: readonly string[];
}

function Steps({ views: allViews, onLook, invitations, onInvited, conversations }: StepsProps) {
  const me = useMe();
  const workspace = useWorkspace();
  const members = useMembers().length;
  const inbox = useInboxes().find(({ channelType }) => channelType === "web");
  const views = inbox ? viewsOf(allViews, inbox.id) : [];
  usePolling(inbox !== undefined && views.length === 0, onLook);
  const joining = invitations.filter(({ memberId }) => memberId === null);
  const done = doneSteps({ workspace: workspace.name, me, members, invitations: joining.length, inbox, views, conversations: conversations.length });
  const [skipped, setSkipped] = useState<ReadonlySet<StepName>>(readSkipped);
  // A step that is done stays open until the member goes on: it shows what arrived.
  const [open, setOpen] = useState(() => nextStep(done, skipped));
  const goOn = (name: StepName) => {
    const all = done.has(name) ? skipped : new Set([...skipped, name]);
    setSkipped(all);
    setOpen(nextStep(done, all, name));
    writeStored(skippedKey, [...all].join(","), "sessionStorage");
  };
  const bodies: Record<StepName, ReactNode> = {
    names: <NamesStep onDone={() => setOpen(nextStep(done, skipped, "names"))} />,
    site: <SiteStep inbox={inbox} views={views} />,
    message: <MessageStep id={conversations.at(-1)} />,
    invite: <InviteStep onMade={onInvited} />,
  };
  const summaries: Record<StepName, string> = {
    names: texts.names.summary(workspace.name, me.name),
    site: seenText(views),
    message: "",
    invite: members > 1 ? texts.invite.members(members) : texts.invite.invited(joining.map(({ email }) => email)),
  };
  return (
    <Page title={texts.title} description={texts.lead} actions={<Leave last={open === null} />}>
      <p className={css.progress} role="status">
        {texts.progress(done.size, stepNames.length)}
      </p>
      <ol className={css.steps}>
        {stepNames.map((name) => (
          <Step key={name} name={name} done={done.has(name)} open={name === open} summary={summaries[name]} onOpen={() => setOpen(name)} onGoOn={() => goOn(name)}>
            {bodies[name]}
          </Step>
        ))}
      </ol>
      {open === null && done.size === stepNames.length && (
        <EmptyState icon={<PartyPopper size={20} />} title={texts.allDone}>
          {texts.allDoneText}
        </EmptyState>
      )}
    </Page>
  );
}

interface StepProps {
  name: StepName;
  done: boolean;
  open: boolean;
  /** What was done. */
  summary: string;
  onOpen: () => void;
  onGoOn: () => void;
  children: ReactNode;
}

function Step({ name, done, open, summary, onOpen, onGoOn, children }: StepProps) {
  const { title } = texts[name];
  return (
    <li className={css.step} data-open={open || undefined} aria-current={open ? "step" : undefined}>
      <header className={css.head}>
        {done ? <CircleCheck size={20} role="img" aria-label={texts.done} className={css.done} /> : <CircleDashed size={20} aria-hidden />}
        <h2>
          {open ? (
            title
          ) : (
            <button type="button" aria-label={texts.change(title)} onClick={onOpen}>
              {title}
            </button>
          )}
        </h2>
        {!open && done && summary !== "" && <span className={css.summary}>{summary}</span>}
        {open && !(name === "names" && done) && (
          <span className={css.actions}>
            <Button variant={done ? "primary" : "ghost"} size="sm" onClick={onGoOn}>
              {done ? texts.next : texts.skip}
            </Button>
          </span>
        )}
      </header>
      {open && <div className={css.body}>{children}</div>}
    </li>
  );
}

/** Ends the guided start, which only an owner can do for everybody, and opens the inbox. */
function Leave({ last }: { last: boolean }) {
  const me = useMe();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const [, navigate] = useLocation();
  const leave = async () => {
    setBusy(true);
    try {
      if (isAtLeast(me.role, "owner")) await api.post<Welcome>(`${path}/finish`);
      navigate(inboxAddress({ status: "open" }));
    } catch (fault) {
      toast.failed(fault);
      setBusy(false);
    }
  };
  return (
    <Button variant={last ? "primary" : "secondary"} busy={busy} onClick={() => void leave()}>
      {last ? texts.finish : texts.finishEarly}
    </Button>
  );
}

function readSkipped(): ReadonlySet<StepName> {
  const stored = (readStored(skippedKey, "sessionStorage") ?? "").split(",");
  return new Set(stepNames.filter((name) => stored.includes(name)));
}

/** Calls `ask` again and again while `on`, unless nobody looks at the page. */
function usePolling(on: boolean, ask: () => void) {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!on) return;
    const timer = setTimeout(() => {
      if (!document.hidden) ask();
      setTurn((n) => n + 1);
    }, pollInterval);
    return () => clearTimeout(timer);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `ask` is new each time
  }, [on, turn]);
}
