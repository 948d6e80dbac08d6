import type { CannedAnswer, Conversation } from "../api/types";

/** The "/shortcut" before the caret, and where it starts; null for none. */
export function shortcutAt(text: string, caret: number): { start: number; query: string } | null {
  const [, slash, query] = /(?:^|\s)(\/([a-z0-9_-]*))$/i.exec(text.slice(0, caret)) ?? [];
  return slash === undefined || query === undefined ? null : { start: caret - slash.length, query: query.toLowerCase() };
}

/** The matching answers: first by the start of the shortcut, then by a part of it or of the text. */
export function fitting(answers: readonly CannedAnswer[], query: string): CannedAnswer[] {
  const begins = answers.filter((answer) => answer.shortcut.startsWith(query));
  const contains = answers.filter((answer) => !answer.shortcut.startsWith(query) && (answer.shortcut.includes(query) || (query.length > 2 && answer.content.toLowerCase().includes(query))));
  return [...begins, ...contains].slice(0, 8);
}

/**
 * The text of an answer for this conversation: {{name}} and {{first_name}} become the contact's, {{me}} the member's.
 */
export function filled(content: string, conversation: Conversation, me: string): string {
  const name = conversation.contact.name;
  const values: Record<string, string> = { name, first_name: name.split(/\s+/)[0] ?? "", email: conversation.contact.email, me };
  return content.replace(/\{\{\s*([a-z_]+)\s*\}\}/g, (whole, key: string) => values[key] ?? whole);
}
