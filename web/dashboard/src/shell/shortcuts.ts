// All shortcuts of the dashboard. A page defines what one does with useCommand;
// the help lists them from here.
import { texts } from "./texts";

export const shortcuts = {
  palette: { keys: "Mod+k", label: texts.shortcuts.searchAndCommands, group: texts.shortcuts.everywhere },
  help: { keys: "?", label: texts.shortcuts.showAllShortcuts, group: texts.shortcuts.everywhere },
  search: { keys: "/", label: texts.shortcuts.searchConversations, group: texts.shortcuts.everywhere },
  fold: { keys: "[", label: texts.shortcuts.foldNavigation, group: texts.shortcuts.everywhere },
  create: { keys: "c", label: texts.shortcuts.newConversation, group: texts.shortcuts.everywhere },
  goInbox: { keys: "g i", label: texts.shortcuts.goToAllOpen, group: texts.shortcuts.goTo },
  goMine: { keys: "g m", label: texts.shortcuts.goToMine, group: texts.shortcuts.goTo },
  goUnassigned: { keys: "g u", label: texts.shortcuts.goToUnassigned, group: texts.shortcuts.goTo },
  goWaiting: { keys: "g w", label: texts.shortcuts.goToWaiting, group: texts.shortcuts.goTo },
  goContacts: { keys: "g c", label: texts.shortcuts.goToContacts, group: texts.shortcuts.goTo },
  goCompanies: { keys: "g o", label: texts.shortcuts.goToCompanies, group: texts.shortcuts.goTo },
  goArticles: { keys: "g a", label: texts.shortcuts.goToArticles, group: texts.shortcuts.goTo },
  goReports: { keys: "g r", label: texts.shortcuts.goToReports, group: texts.shortcuts.goTo },
  notices: { keys: "g n", label: texts.shortcuts.showNotices, group: texts.shortcuts.goTo },
  goSettings: { keys: "g s", label: texts.shortcuts.goToSettings, group: texts.shortcuts.goTo },
  next: { keys: "j", label: texts.shortcuts.nextConversation, group: texts.shortcuts.list },
  previous: { keys: "k", label: texts.shortcuts.previousConversation, group: texts.shortcuts.list },
  open: { keys: "Enter", label: texts.shortcuts.openTheConversation, group: texts.shortcuts.list },
  select: { keys: "x", label: texts.shortcuts.select, group: texts.shortcuts.list },
  selectNext: { keys: "Shift+j", label: texts.shortcuts.selectNext, group: texts.shortcuts.list },
  selectPrevious: { keys: "Shift+k", label: texts.shortcuts.selectPrevious, group: texts.shortcuts.list },
  selectAll: { keys: "Shift+x", label: texts.shortcuts.selectAll, group: texts.shortcuts.list },
  back: { keys: "u", label: texts.shortcuts.backToTheList, group: texts.shortcuts.list },
  leave: { keys: "Escape", label: texts.shortcuts.leave, group: texts.shortcuts.conversation },
  reply: { keys: "r", label: texts.shortcuts.reply, group: texts.shortcuts.conversation },
  note: { keys: "n", label: texts.shortcuts.writeAPrivateNote, group: texts.shortcuts.conversation },
  draft: { keys: "Shift+d", label: texts.shortcuts.draftAnAnswer, group: texts.shortcuts.conversation },
  attach: { keys: "f", label: texts.shortcuts.attachFiles, group: texts.shortcuts.conversation },
  article: { keys: "h", label: texts.shortcuts.findAnArticle, group: texts.shortcuts.conversation },
  send: { keys: "Mod+Enter", label: texts.shortcuts.send, group: texts.shortcuts.conversation },
  sendResolve: { keys: "Mod+Shift+Enter", label: texts.shortcuts.sendAndResolve, group: texts.shortcuts.conversation },
  sendLater: { keys: "Mod+Shift+s", label: texts.shortcuts.sendLater, group: texts.shortcuts.conversation },
  resolve: { keys: "e", label: texts.shortcuts.resolveOrReopen, group: texts.shortcuts.conversation },
  undo: { keys: "z", label: texts.shortcuts.takeBack, group: texts.shortcuts.conversation },
  spam: { keys: "!", label: texts.shortcuts.markAsSpam, group: texts.shortcuts.conversation },
  macro: { keys: "m", label: texts.shortcuts.runAMacro, group: texts.shortcuts.conversation },
  linkTo: { keys: "Shift+l", label: texts.shortcuts.linkTo, group: texts.shortcuts.conversation },
  mergeWith: { keys: "Shift+m", label: texts.shortcuts.mergeWith, group: texts.shortcuts.conversation },
  split: { keys: "Shift+s", label: texts.shortcuts.split, group: texts.shortcuts.conversation },
  draftArticle: { keys: "Shift+a", label: texts.shortcuts.makeAnArticle, group: texts.shortcuts.conversation },
  follow: { keys: "Shift+f", label: texts.shortcuts.followOrLeave, group: texts.shortcuts.conversation },
  unread: { keys: "Shift+u", label: texts.shortcuts.markAsUnread, group: texts.shortcuts.conversation },
  snooze: { keys: "b", label: texts.shortcuts.snooze, group: texts.shortcuts.conversation },
  status: { keys: "s", label: texts.shortcuts.changeTheStatus, group: texts.shortcuts.conversation },
  assign: { keys: "a", label: texts.shortcuts.assign, group: texts.shortcuts.conversation },
  assignMe: { keys: "i", label: texts.shortcuts.assignToMe, group: texts.shortcuts.conversation },
  team: { keys: "t", label: texts.shortcuts.changeTheTeam, group: texts.shortcuts.conversation },
  label: { keys: "l", label: texts.shortcuts.changeLabels, group: texts.shortcuts.conversation },
  priority: { keys: "p", label: texts.shortcuts.changeThePriority, group: texts.shortcuts.conversation },
  find: { keys: "Mod+Shift+f", label: texts.shortcuts.find, group: texts.shortcuts.conversation },
  history: { keys: "Shift+h", label: texts.shortcuts.showOrHideHistory, group: texts.shortcuts.conversation },
  details: { keys: "d", label: texts.shortcuts.showOrHideContact, group: texts.shortcuts.conversation },
  newArticle: { keys: "Shift+n", label: texts.shortcuts.newArticle, group: texts.shortcuts.articles },
  saveText: { keys: "Mod+s", label: texts.shortcuts.saveNow, group: texts.shortcuts.articles },
  bold: { keys: "Mod+b", label: texts.shortcuts.bold, group: texts.shortcuts.articles },
  italic: { keys: "Mod+i", label: texts.shortcuts.italic, group: texts.shortcuts.articles },
  code: { keys: "Mod+e", label: texts.shortcuts.code, group: texts.shortcuts.articles },
  link: { keys: "Mod+Shift+k", label: texts.shortcuts.link, group: texts.shortcuts.articles },
  heading: { keys: "Mod+Shift+h", label: texts.shortcuts.heading, group: texts.shortcuts.articles },
  bullets: { keys: "Mod+Shift+l", label: texts.shortcuts.bullets, group: texts.shortcuts.articles },
  numbers: { keys: "Mod+Shift+o", label: texts.shortcuts.numbers, group: texts.shortcuts.articles },
} as const satisfies Record<string, { keys: string; label: string; group: string }>;

export type ShortcutId = keyof typeof shortcuts;

/**
 * The name of a key press: "Mod+k", "?", "j", "Shift+u", "Enter"; null for a lone modifier and for combinations that
 * are not used.
 */
export function keyName(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">): string | null {
  if (event.altKey || ["Shift", "Control", "Meta", "Alt", "Dead", "Unidentified"].includes(event.key)) return null;
  const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const key = event.shiftKey && (/^[a-z]$/.test(letter) || letter === "Enter") ? `Shift+${letter}` : letter;
  return event.ctrlKey || event.metaKey ? `Mod+${key}` : key;
}

/** Receives keys one by one and returns the shortcut that they complete. A "g" is remembered for a second. */
export function createMatcher(): (key: string, at: number) => ShortcutId | null {
  let before = { key: "", at: 0 };
  return (key, at) => {
    const pair = at - before.at < 1000 ? `${before.key} ${key}` : "";
    before = { key, at };
    const ids = Object.keys(shortcuts) as ShortcutId[];
    const found = ids.find((id) => shortcuts[id].keys === pair) ?? ids.find((id) => shortcuts[id].keys === key);
    if (found && shortcuts[found].keys === pair) before = { key: "", at: 0 };
    return found ?? null;
  };
}

/** Whether plain keys belong to the focused element: a field, or an overlay. */
export function typing(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input:not([type=radio], [type=checkbox], [type=color], [type=range]), textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]") !== null
  );
}
