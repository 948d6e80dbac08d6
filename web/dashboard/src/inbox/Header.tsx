import { ArrowLeft, Check, ChevronDown, CircleDot, CircleCheck, Clock, Mail, PanelRight, Package, RotateCcw, Signal, Tag, UserRound, UsersRound } from "lucide-react";
import { useState, type ReactElement } from "react";
import { Link } from "wouter";
import type { Conversation, ConversationChange, Priority, Status, Team } from "../api/types";
import { Avatar, Button, buttonClass, cx, dayTime, IconButton, LabelChip, Picker, useNarrow, type Choice } from "../kit";
import { Bell } from "../notices/Bell";
import { useCommand, useNamedCommand, useRun } from "../shell/commands";
import { useIsCurrent } from "../shell/current";
import { shortcuts } from "../shell/shortcuts";
import { useLabelColor, useLabels, useMe, useMembers, useProducts, useStore, useTeams } from "../sync";
import { channelIcon, inboxName } from "./channel";
import styles from "./Conversation.module.css";
import { useGoOn } from "./flow";
import { MoreMenu } from "./MoreMenu";
import { PriorityIcon, priorityNames } from "./Priority";
import { contactName } from "./Row";
import { said } from "./said";
import { sleepsUntil, Snooze } from "./Snooze";
import { texts as snoozing } from "./snooze.texts";
import { texts as teamTexts } from "./teams.texts";
import { texts } from "./texts";
import { useAct } from "./undo";

interface Props {
  conversation: Conversation;
  back: string;
  details: boolean;
  onDetails: () => void;
  /** Marks the conversation as unread; null if it is. */
  onUnread: (() => void) | null;
  /** Opens the search in the conversation. */
  onFind: () => void;
}

/** The choices of a status. */
export const statuses: readonly (Choice & { value: Status })[] = [
  { value: "open", label: texts.header.open, icon: <CircleDot size={15} /> },
  { value: "pending", label: texts.header.pending, icon: <Clock size={15} /> },
  { value: "resolved", label: texts.header.resolved, icon: <CircleCheck size={15} /> },
];
/** The choices of a priority; "" is none. */
export const priorities: readonly Choice[] = [
  ...(["urgent", "high", "medium", "low"] as const).map((priority) => ({ value: priority, label: priorityNames[priority], icon: <PriorityIcon priority={priority} silent /> })),
  { value: "", label: texts.header.noPriority },
];

/** The contact, and the properties of the conversation, each edited in place. */
export function Header({ conversation, back, details, onDetails, onUnread, onFind }: Props) {
  const change = useChange(conversation);
  const resolved = conversation.status === "resolved";
  // On a phone the conversation is the page, and has the bell.
  const narrow = useNarrow(860);
  const Title = narrow ? "h1" : "h2";
  const openNotices = useRun("notices");
  useIsCurrent(conversation, change);
  const toggle = () => change({ status: resolved ? "open" : "resolved" });
  useCommand("resolve", toggle, resolved ? texts.header.reopenTheConversation : texts.header.resolveTheConversation);
  const putOff = (
    <>
      <IconButton label={texts.header.markUnread} shortcut="Shift+u" icon={<Mail size={17} />} disabled={!onUnread} onClick={() => onUnread?.()} />
      <Snooze conversation={conversation} change={change} />
    </>
  );
  return (
    <header className={styles.head}>
      <div className={styles.who}>
        <Link href={back} className={cx(buttonClass("ghost"), styles.back)} aria-label={texts.header.back}>
          <ArrowLeft size={18} />
        </Link>
        {!narrow && <Avatar id={conversation.contact.id} name={contactName(conversation.contact)} size={32} />}
        <div className={styles.title}>
          <Title>{contactName(conversation.contact)}</Title>
          <p className={styles.sub}>
            {channelIcon(conversation.inbox.channelType, 12)}
            <span>{[inboxName(conversation.inbox), conversation.contact.shopName, conversation.contact.name ? conversation.contact.email : ""].filter(Boolean).join(" · ")}</span>
          </p>
        </div>
        <Button
          icon={resolved ? <RotateCcw size={15} /> : <Check size={15} />}
          variant={resolved ? "secondary" : "primary"}
          onClick={toggle}
          aria-label={resolved ? texts.header.reopen : texts.header.resolve}
        >
          <span className={styles.resolveText}>{resolved ? texts.header.reopen : texts.header.resolve}</span>
        </Button>
        {narrow ? <Bell onOpen={openNotices} /> : putOff}
        <MoreMenu conversation={conversation} change={change} onFind={onFind} />
        <IconButton label={details ? texts.header.hideContact : texts.header.showContact} shortcut="d" icon={<PanelRight size={17} />} aria-pressed={details} onClick={onDetails} />
      </div>
      <div className={styles.bar}>
        {narrow && putOff}
        <StatusPicker conversation={conversation} change={change} />
        <AssigneePicker conversation={conversation} change={change} />
        <TeamPicker conversation={conversation} change={change} />
        <PriorityPicker conversation={conversation} change={change} />
        <ProductPicker conversation={conversation} change={change} />
        <LabelsPicker conversation={conversation} change={change} />
      </div>
    </header>
  );
}

type Change = (change: ConversationChange) => void;

function useChange(conversation: Conversation): Change {
  const store = useStore();
  const act = useAct();
  const goOn = useGoOn();
  return (change) => {
    act(conversation, change, said(store.state.get(), conversation, change));
    if ((change.status === "resolved" && conversation.status !== "resolved") || change.spam || change.snoozedUntil) goOn("resolved");
  };
}

interface PropertyProps {
  conversation: Conversation;
  change: Change;
}

/** `said` is what screen readers read for an empty property. */
function Property({ icon, text, name, said = text, empty = false, ...rest }: { icon: ReactElement; text: string; name: string; said?: string; empty?: boolean }) {
  return (
    <button type="button" {...rest} aria-label={`${name}: ${said}`} className={cx(styles.property, empty && styles.empty)}>
      {icon}
      <span>{text}</span>
      <ChevronDown size={12} className={styles.caret} aria-hidden />
    </button>
  );
}

function StatusPicker({ conversation, change }: PropertyProps) {
  const [open, setOpen] = useState(false);
  useCommand("status", () => setOpen(true));
  const now = statuses.find((status) => status.value === conversation.status) ?? statuses[0];
  const until = sleepsUntil(conversation);
  return (
    <Picker
      label={texts.header.status}
      open={open}
      setOpen={setOpen}
      choices={statuses}
      value={conversation.status}
      onChange={(value) => change({ status: value as Status })}
      button={<Property name={texts.header.status} icon={(now?.icon ?? <CircleDot size={15} />) as ReactElement} text={until ? snoozing.snoozed(dayTime(until)) : (now?.label ?? "")} />}
    />
  );
}

function AssigneePicker({ conversation, change }: PropertyProps) {
  const [open, setOpen] = useState(false);
  const me = useMe();
  const members = useMembers();
  const { assignee } = conversation;
  useCommand("assign", () => setOpen(true));
  useCommand("assignMe", assignee?.id === me.id ? null : () => change({ assigneeId: me.id }));
  const others = members.filter((member) => member.id !== me.id);
  const choices: Choice[] = [
    ...[me, ...others].map((member) => ({
      value: member.id,
      label: member.id === me.id ? texts.header.me(member.name) : member.name,
      icon: <Avatar id={member.id} name={member.name} image={member.image} size={20} />,
    })),
    { value: "", label: texts.header.nobody, icon: <UserRound size={16} /> },
  ];
  return (
    <Picker
      label={texts.header.assignee}
      open={open}
      setOpen={setOpen}
      choices={choices}
      value={assignee?.id ?? ""}
      onChange={(value) => change({ assigneeId: value || null })}
      button={
        <Property
          name={texts.header.assignee}
          empty={!assignee}
          icon={assignee ? <Avatar id={assignee.id} name={assignee.name} image={assignee.image} size={18} /> : <UserRound size={15} />}
          text={assignee?.name ?? texts.header.assignee}
          said={assignee?.name ?? texts.header.nobodySaid}
        />
      }
    />
  );
}

/** All teams, and none. */
export const teamChoices = (teams: readonly Team[]): Choice[] => [
  ...teams.map(({ id, name, color }) => ({ value: id, label: name, icon: <span className={styles.labelDot} style={{ background: `var(--c-label-${color}-text)` }} /> })),
  { value: "", label: teamTexts.noTeam },
];

/** Nothing in a workspace without teams. */
function TeamPicker({ conversation, change }: PropertyProps) {
  const [open, setOpen] = useState(false);
  const teams = useTeams();
  const { team } = conversation;
  const none = teams.length === 0;
  useCommand("team", none ? null : () => setOpen(true));
  if (none) return null;
  return (
    <Picker
      label={teamTexts.team}
      open={open}
      setOpen={setOpen}
      choices={teamChoices(teams)}
      value={team?.id ?? ""}
      onChange={(value) => change({ teamId: value || null })}
      button={<Property name={teamTexts.team} empty={!team} icon={<UsersRound size={15} />} text={team?.name ?? teamTexts.team} said={team?.name ?? teamTexts.noneSaid} />}
    />
  );
}

function PriorityPicker({ conversation, change }: PropertyProps) {
  const [open, setOpen] = useState(false);
  const { priority } = conversation;
  useCommand("priority", () => setOpen(true));
  return (
    <Picker
      label={texts.header.priority}
      open={open}
      setOpen={setOpen}
      choices={priorities}
      value={priority ?? ""}
      onChange={(value) => change({ priority: (value || null) as Priority | null })}
      button={
        <Property
          name={texts.header.priority}
          empty={!priority}
          icon={priority ? <PriorityIcon priority={priority} silent /> : <Signal size={15} />}
          text={priority ? priorityNames[priority] : texts.header.priority}
          said={priority ? priorityNames[priority] : texts.header.noneSaid}
        />
      }
    />
  );
}

function ProductPicker({ conversation, change }: PropertyProps) {
  const [open, setOpen] = useState(false);
  useNamedCommand({ id: "product", label: texts.header.changeProduct, group: shortcuts.priority.group, keys: "", run: () => setOpen(true) });
  const products = useProducts().filter((product) => !product.archived || product.id === conversation.product?.id);
  const choices = [...products.map(({ id, name, archived }) => ({ value: id, label: name, detail: archived ? texts.header.archived : "" })), { value: "", label: texts.header.noProduct }];
  return (
    <Picker
      label={texts.header.product}
      open={open}
      setOpen={setOpen}
      choices={choices}
      value={conversation.product?.id ?? ""}
      onChange={(value) => change({ productId: value || null })}
      button={
        <Property
          name={texts.header.product}
          empty={!conversation.product}
          icon={<Package size={15} />}
          text={conversation.product?.name ?? texts.header.product}
          said={conversation.product?.name ?? texts.header.noneSaid}
        />
      }
    />
  );
}

function LabelsPicker({ conversation, change }: PropertyProps) {
  const [open, setOpen] = useState(false);
  const labels = useLabels();
  const color = useLabelColor();
  useCommand("label", () => setOpen(true));
  const own = conversation.labels;
  const names = [...new Set([...own, ...labels.map((label) => label.name)])];
  const toggle = (name: string) => change({ labels: own.includes(name) ? own.filter((other) => other !== name) : [...own, name] });
  return (
    <>
      {own.map((name) => (
        <LabelChip key={name} name={name} color={color(name)} onRemove={() => toggle(name)} />
      ))}
      <Picker
        label={texts.header.labels}
        placeholder={texts.header.findLabel}
        open={open}
        setOpen={setOpen}
        choices={names.map((name) => ({ value: name, label: name, icon: <span className={styles.labelDot} style={{ background: `var(--c-label-${color(name)}-text)` }} /> }))}
        values={own}
        onToggle={toggle}
        onCreate={(name) => change({ labels: [...own, name.slice(0, 100)] })}
        button={<Property name={texts.header.labels} empty icon={<Tag size={15} />} text={texts.header.labels} said={own.length === 0 ? texts.header.noneSaid : own.join(", ")} />}
      />
    </>
  );
}
