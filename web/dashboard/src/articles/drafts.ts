// Texts of articles that the server does not have yet, stored in this browser
// until they are saved, or the member signs out.
import type { Content } from "../api/knowledge";
import { readStored, writeStored } from "../kit/stored";

/** A text that was being written. */
export interface StoredText {
  /** The version that it changes; 0 for a text in a new language. */
  version: number;
  content: Content;
  /** When it was stored, in ms since 1970. */
  at: number;
}

const prefix = "parley.article.";
const mine = (memberId: string) => `${prefix}${memberId}.`;
const keyOf = (memberId: string, textId: string) => `${mine(memberId)}${textId}`;

/** The name of an article's text in a language. */
export const textId = (articleId: string, language: string) => `${articleId}.${language}`;

export function loadText(memberId: string, id: string): StoredText | null {
  return textIn(readStored(keyOf(memberId, id)));
}

export function storeText(memberId: string, id: string, text: StoredText | null) {
  writeStored(keyOf(memberId, id), text && JSON.stringify(text));
}

function textIn(kept: string | null): StoredText | null {
  try {
    const { version, content, at } = JSON.parse(kept ?? "null") as StoredText;
    const { title, description, body, keywords } = content;
    const whole = [title, description, body].every((text) => typeof text === "string") && Array.isArray(keywords) && typeof version === "number";
    return whole ? { version, content: { title, description, body, keywords }, at } : null;
  } catch {
    return null; // an unreadable text counts as none
  }
}

/** Deletes the texts of a member. */
export function dropTexts(memberId: string) {
  dropWhere((key) => key.startsWith(mine(memberId)));
}

/** Deletes the texts of an article that was deleted. */
export function dropArticle(memberId: string, articleId: string) {
  dropWhere((key) => key.startsWith(keyOf(memberId, `${articleId}.`)));
}

function dropWhere(which: (key: string) => boolean) {
  try {
    for (const key of Object.keys(localStorage)) if (which(key)) localStorage.removeItem(key);
  } catch {
    // Without storage there are no texts.
  }
}

/** Where the text that a member put aside for another one is stored. */
export const asideId = (id: string) => `${id}.aside`;
