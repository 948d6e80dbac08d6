import { BellMinus, BellPlus, Ellipsis, FilePlus2, Link2, Merge, OctagonAlert, Printer, Scissors, Search, Trash2, Zap } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import type { Conversation, ConversationChange } from "../api/types";
import { ConfirmDialog, dialogChunk, IconButton, Menu, useToast } from "../kit";
import { texts as printing } from "../print/texts";
import { isAtLeast } from "../settings/roles";
import { useCommand, useNamedCommand } from "../shell/commands";
import { shortcuts } from "../shell/shortcuts";
import { useMe } from "../sync";
import { useCell } from "../sync/cell";
import { useFollow } from "./follow";
import { texts as following } from "./follow.texts";
import { texts as finding } from "./find.texts";
import { useGoOn } from "./flow";
import { texts as links } from "./links.texts";
import { texts as merges } from "./merges.texts";
import { contactName } from "./Row";
import { splitAt } from "./splitting";
import { texts } from "./texts";

const MacroPicker = dialogChunk(() => import("./MacroPicker").then((m) => m.MacroPicker));
const LinkDialog = dialogChunk(() => import("./LinkDialog").then((m) => m.LinkDialog));
const MergeDialog = dialogChunk(() => import("./MergeDialog").then((m) => m.MergeDialog));
const SplitDialog = dialogChunk(() => import("./SplitDialog").then((m) => m.SplitDialog));
const DraftArticle = dialogChunk(() => import("./DraftArticle").then((m) => m.DraftArticle));

interface Props {
  conversation: Conversation;
  change: (change: ConversationChange) => void;
  onFind: () => void;
}

/** Rare actions on a conversation: making an article of it, marking it as spam, and deleting it. */
export function MoreMenu({ conversation, change, onFind }: Props) {
  const me = useMe();
  const toast = useToast();
  const goOn = useGoOn();
  const [deleting, setDeleting] = useState(false);
  const [drafting, setDrafting] = useState(false);
  const [picking, setPicking] = useState(false);
  const [linking, setLinking] = useState(false);
  const [merging, setMerging] = useState(false);
  const label = conversation.spam ? texts.moreMenu.noSpam : texts.moreMenu.spam;
  const toggle = () => change({ spam: !conversation.spam });
  useCommand("spam", toggle, label);
  const mayDelete = isAtLeast(me.role, "admin");
  useNamedCommand(mayDelete ? { id: "delete", label: texts.moreMenu.delete, group: shortcuts.spam.group, keys: "", run: () => setDeleting(true) } : null);
  useCommand("macro", () => setPicking(true));
  const print = () => void window.open(`/print/${conversation.id}`, "_blank", "noopener");
  useNamedCommand({ id: "print", label: printing.toPrint, group: shortcuts.spam.group, keys: "", run: print });
  useCommand("linkTo", () => setLinking(true));
  useCommand("mergeWith", () => setMerging(true));
  const splitting = useCell(splitAt, (at) => at);
  const split = () => splitAt.set("");
  useCommand("split", split);
  const { follows, toggle: follow } = useFollow(conversation.id);
  const followLabel = follows ? following.leave : following.follow;
  useCommand("follow", follow, followLabel);
  useCommand("draftArticle", () => setDrafting(true));
  return (
    <>
      <Menu
        button={<IconButton label={texts.moreMenu.more} icon={<Ellipsis size={17} />} />}
        entries={[
          { label: finding.title, icon: <Search size={15} />, shortcut: "Mod+Shift+f", onSelect: onFind },
          { label: texts.moreMenu.runMacro, icon: <Zap size={15} />, shortcut: "m", onSelect: () => setPicking(true) },
          { label: followLabel, icon: follows ? <BellMinus size={15} /> : <BellPlus size={15} />, shortcut: "Shift+f", onSelect: follow },
          { label: links.link, icon: <Link2 size={15} />, shortcut: "Shift+l", onSelect: () => setLinking(true) },
          { label: merges.merge, icon: <Merge size={15} />, shortcut: "Shift+m", onSelect: () => setMerging(true) },
          { label: shortcuts.split.label, icon: <Scissors size={15} />, shortcut: "Shift+s", onSelect: split },
          { label: texts.moreMenu.makeArticle, icon: <FilePlus2 size={15} />, shortcut: "Shift+a", onSelect: () => setDrafting(true) },
          { label: printing.toPrint, icon: <Printer size={15} />, onSelect: print },
          { label, icon: <OctagonAlert size={15} />, shortcut: "!", onSelect: toggle },
          ...(mayDelete ? [{ label: texts.moreMenu.delete, icon: <Trash2 size={15} />, danger: true, onSelect: () => setDeleting(true) }] : []),
        ]}
      />
      {picking && <MacroPicker conversation={conversation} onClose={() => setPicking(false)} />}
      {linking && <LinkDialog conversation={conversation} onClose={() => setLinking(false)} />}
      {merging && <MergeDialog conversation={conversation} onClose={() => setMerging(false)} />}
      {splitting !== null && <SplitDialog conversation={conversation} at={splitting} />}
      {drafting && <DraftArticle conversationId={conversation.id} onClose={() => setDrafting(false)} />}
      <ConfirmDialog
        open={deleting}
        onClose={() => setDeleting(false)}
        title={texts.moreMenu.deleteTitle(contactName(conversation.contact))}
        action={texts.moreMenu.deleteAction}
        onConfirm={async () => {
          await api.delete(`/v1/dashboard/conversations/${conversation.id}`);
          toast.done(texts.moreMenu.deleted);
          goOn("deleted");
        }}
      >
        {texts.moreMenu.consequences}
      </ConfirmDialog>
    </>
  );
}
