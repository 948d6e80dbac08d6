import { AlarmClock, Check, CircleDot, Merge, OctagonAlert, RotateCcw, Signal, Tag, UserRound, UsersRound, X } from "lucide-react";
import { useState } from "react";
import type { Status } from "../api/types";
import { Avatar, Button, dialogChunk, IconButton, Picker, useToast } from "../kit";
import { useCommand } from "../shell/commands";
import { useLabelColor, useLabels, useMe, useMembers, useStore, useTeams } from "../sync";
import { startBulk, type BulkDo } from "./bulk";
import { texts } from "./bulk.texts";
import { priorities, statuses, teamChoices } from "./Header";
import { texts as merges } from "./merges.texts";
import { contactName } from "./Row";
import styles from "./Selection.module.css";
import { texts as teamTexts } from "./teams.texts";
import { useMerging } from "./useMerging";
import type { Selection } from "./useSelection";

const SnoozeDialog = dialogChunk(() => import("./SnoozeDialog").then((m) => m.SnoozeDialog));

interface Props {
  selection: Selection;
  /** The selected conversations are resolved. */
  resolved: boolean;
  /** The list has more than what is loaded. */
  more: boolean;
}

/** What can be done with the selected conversations. Its keys act on them, not on the open conversation. */
export function SelectionBar({ selection, resolved, more }: Props) {
  const toast = useToast();
  const store = useStore();
  const me = useMe();
  const members = useMembers();
  const teams = useTeams();
  const labels = useLabels();
  const color = useLabelColor();
  const [open, setOpen] = useState<"assign" | "team" | "label" | "priority" | "status" | "snooze" | null>(null);
  const { ids, whole, count, of, addView, clear } = selection;
  const act = (what: BulkDo) => {
    setOpen(null);
    if (!of) return;
    startBulk(of, what).then(clear, (error: unknown) => toast.failed(error));
  };
  const toggle = () => act({ change: { status: resolved ? "open" : "resolved" } });
  const spam = () => act({ change: { spam: true } });
  const merging = useMerging();
  const known = (id: string) => store.state.get().conversations.get(id)?.value;
  const merge = async () => {
    try {
      for (const id of ids) if (!known(id)) await store.loadConversation(id); // it was dropped meanwhile
    } catch (error) {
      toast.failed(error);
      return;
    }
    const all = [...ids].flatMap((id) => known(id) ?? []);
    const [into, ...others] = all.sort((a, b) => (a.lastActivityAt + a.id < b.lastActivityAt + b.id ? 1 : -1));
    if (!into || others.some(({ contact, inbox }) => contact.id !== into.contact.id || inbox.id !== into.inbox.id)) {
      toast.failed(new Error(merges.onlyOfOne));
      return;
    }
    clear();
    void merging(
      others.map(({ id }) => id),
      into.id,
      contactName(into.contact),
      into.id,
    );
  };
  const several = !whole && count > 1;
  const opens = (name: typeof open) => ({ open: open === name, setOpen: (shown: boolean) => setOpen(shown ? name : null) });
  useCommand("leave", clear, texts.clear);
  useCommand("resolve", toggle, resolved ? texts.reopen : texts.resolve);
  useCommand("assign", () => setOpen("assign"));
  useCommand("assignMe", () => act({ change: { assigneeId: me.id } }));
  useCommand("team", teams.length > 0 ? () => setOpen("team") : null);
  useCommand("label", () => setOpen("label"));
  useCommand("priority", () => setOpen("priority"));
  useCommand("status", () => setOpen("status"));
  useCommand("snooze", () => setOpen("snooze"));
  useCommand("spam", spam, texts.spam);
  useCommand("mergeWith", several ? () => void merge() : null, merges.mergeSelected);
  const loaded = whole ? [] : [...ids].map((id) => known(id)?.labels ?? []);
  const shared = (loaded[0] ?? []).filter((name) => loaded.every((own) => own.includes(name)));
  const names = [...new Set([...shared, ...labels.map((label) => label.name)])];
  return (
    <div className={styles.bar} role="toolbar" aria-label={texts.selection}>
      <p role="status">{whole ? (count > 0 ? texts.wholeViewBut(count) : texts.wholeView) : texts.selected(count)}</p>
      {more && addView && (
        <Button size="sm" onClick={addView}>
          {texts.selectView}
        </Button>
      )}
      <span className={styles.acts}>
        <IconButton size="sm" label={resolved ? texts.reopen : texts.resolve} shortcut="e" icon={resolved ? <RotateCcw size={16} /> : <Check size={16} />} onClick={toggle} />
        <Picker
          label={texts.assign}
          {...opens("assign")}
          choices={[
            ...[me, ...members.filter(({ id }) => id !== me.id)].map(({ id, name, image }) => ({ value: id, label: name, icon: <Avatar id={id} name={name} image={image} size={20} /> })),
            { value: "", label: texts.nobody, icon: <UserRound size={16} /> },
          ]}
          value="-"
          onChange={(id) => act({ change: { assigneeId: id || null } })}
          button={<IconButton size="sm" label={texts.assign} shortcut="a" icon={<UserRound size={16} />} />}
        />
        {teams.length > 0 && (
          <Picker
            label={teamTexts.team}
            {...opens("team")}
            choices={teamChoices(teams)}
            value="-"
            onChange={(id) => act({ change: { teamId: id || null } })}
            button={<IconButton size="sm" label={teamTexts.team} shortcut="t" icon={<UsersRound size={16} />} />}
          />
        )}
        <Picker
          label={texts.labels}
          placeholder={texts.findLabel}
          {...opens("label")}
          choices={names.map((name) => ({ value: name, label: name, icon: <span className={styles.dot} style={{ background: `var(--c-label-${color(name)}-text)` }} /> }))}
          values={shared}
          onToggle={(name) => act(shared.includes(name) ? { unlabel: name } : { label: name })}
          onCreate={(name) => act({ label: name.slice(0, 100) })}
          button={<IconButton size="sm" label={texts.labels} shortcut="l" icon={<Tag size={16} />} />}
        />
        <Picker
          label={texts.priority}
          {...opens("priority")}
          choices={priorities}
          value="-"
          onChange={(priority) => act({ change: { priority: (priority || null) as "low" | null } })}
          button={<IconButton size="sm" label={texts.priority} shortcut="p" icon={<Signal size={16} />} />}
        />
        <Picker
          label={texts.status}
          {...opens("status")}
          choices={statuses}
          value="-"
          onChange={(status) => act({ change: { status: status as Status } })}
          button={<IconButton size="sm" label={texts.status} shortcut="s" icon={<CircleDot size={16} />} />}
        />
        <IconButton size="sm" label={texts.snooze} shortcut="b" icon={<AlarmClock size={16} />} onClick={() => setOpen("snooze")} />
        {several && <IconButton size="sm" label={merges.mergeSelected} shortcut="Shift+m" icon={<Merge size={16} />} onClick={() => void merge()} />}
        <IconButton size="sm" label={texts.spam} shortcut="!" icon={<OctagonAlert size={16} />} onClick={spam} />
      </span>
      <IconButton size="sm" label={texts.clear} shortcut="Escape" icon={<X size={16} />} onClick={clear} />
      {open === "snooze" && <SnoozeDialog onClose={() => setOpen(null)} onPick={(at) => act({ change: { snoozedUntil: new Date(at).toISOString() } })} />}
    </div>
  );
}
