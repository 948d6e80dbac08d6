// All keys of the dashboard. A page says what a shortcut does with useCommand;
// the help lists them all from here.

export const shortcuts = {
  palette: { keys: "Mod+k", label: "Search and commands", group: "Everywhere" },
  help: { keys: "?", label: "Show all shortcuts", group: "Everywhere" },
  search: { keys: "/", label: "Search conversations", group: "Everywhere" },
  create: { keys: "c", label: "New conversation", group: "Everywhere" },
  goInbox: { keys: "g i", label: "Go to all open", group: "Go to" },
  goMine: { keys: "g m", label: "Go to mine", group: "Go to" },
  goUnassigned: { keys: "g u", label: "Go to unassigned", group: "Go to" },
  goWaiting: { keys: "g w", label: "Go to waiting", group: "Go to" },
  goContacts: { keys: "g c", label: "Go to contacts", group: "Go to" },
  goCompanies: { keys: "g o", label: "Go to companies", group: "Go to" },
  goReports: { keys: "g r", label: "Go to reports", group: "Go to" },
  goSettings: { keys: "g s", label: "Go to settings", group: "Go to" },
  next: { keys: "j", label: "Next conversation", group: "List" },
  previous: { keys: "k", label: "Previous conversation", group: "List" },
  open: { keys: "Enter", label: "Open the conversation", group: "List" },
  back: { keys: "u", label: "Back to the list", group: "List" },
  leave: { keys: "Escape", label: "Leave the field, then the conversation", group: "Conversation" },
  reply: { keys: "r", label: "Reply", group: "Conversation" },
  note: { keys: "n", label: "Write a private note", group: "Conversation" },
  attach: { keys: "f", label: "Attach files", group: "Conversation" },
  send: { keys: "Mod+Enter", label: "Send", group: "Conversation" },
  sendResolve: { keys: "Mod+Shift+Enter", label: "Send and resolve", group: "Conversation" },
  resolve: { keys: "e", label: "Resolve or reopen", group: "Conversation" },
  unread: { keys: "Shift+u", label: "Mark as unread", group: "Conversation" },
  status: { keys: "s", label: "Change the status", group: "Conversation" },
  assign: { keys: "a", label: "Assign", group: "Conversation" },
  assignMe: { keys: "i", label: "Assign to me", group: "Conversation" },
  label: { keys: "l", label: "Change labels", group: "Conversation" },
  priority: { keys: "p", label: "Change the priority", group: "Conversation" },
  details: { keys: "d", label: "Show or hide the contact", group: "Conversation" },
} as const satisfies Record<string, { keys: string; label: string; group: string }>;

export type ShortcutId = keyof typeof shortcuts;

/** What a key press is called here: "Mod+k", "?", "j", "Shift+u", "Enter"; null for a lone modifier and for combinations that are not ours. */
export function keyName(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">): string | null {
  if (event.altKey || ["Shift", "Control", "Meta", "Alt", "Dead", "Unidentified"].includes(event.key)) return null;
  const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const key = event.shiftKey && (/^[a-z]$/.test(letter) || letter === "Enter") ? `Shift+${letter}` : letter;
  return event.ctrlKey || event.metaKey ? `Mod+${key}` : key;
}

/** Reads keys one by one and finds the shortcut that they complete. A "g" is remembered for a second. */
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

/** Whether plain keys belong to what has the focus: a field, or something that is open above the page. */
export function typing(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input:not([type=radio], [type=checkbox], [type=color], [type=range]), textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]") !== null
  );
}
