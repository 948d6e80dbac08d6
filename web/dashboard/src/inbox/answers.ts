// Published articles that answer a question, and what of them a message says.
import { useEffect, useMemo, useState } from "react";
import { api } from "../api/client";
import type { ArticleHit, DraftedArticle, FoundArticles, HelpCenter, PublishedArticle } from "../api/knowledge";
import type { Conversation } from "../api/types";
import { publicPath } from "../articles/languages";
import { useLoadedHelpCenters, useStore, type Store } from "../sync";
import { createRecent, type Recent } from "./recent";
import { plainOf } from "./articletext";

/** The most characters of a question. */
const mostAsked = 500;
/** How long an answer is used again, in milliseconds. */
const freshFor = 5 * 60_000;
/** How many answers are kept. */
const mostKept = 100;

export interface Question {
  conversationId: string;
  /** "": what the customer wrote last. */
  words: string;
  /** The message that the customer wrote last; "" for none. */
  askedIn: string;
  /** "": the customer's. */
  language: string;
  limit: number;
}

export interface Answers {
  hits: readonly ArticleHit[];
  /** The articles that were drafted from the conversation; none if words were looked for. */
  drafted: readonly DraftedArticle[];
  /** The language that was searched; "" if there are no articles. */
  language: string;
  busy: boolean;
  error: unknown;
}

const none: FoundArticles = { data: [], language: null, drafted: [] };
const kept = new WeakMap<Store, Recent<FoundArticles>>();

function recentOf(store: Store): Recent<FoundArticles> {
  const recent = kept.get(store) ?? createRecent<FoundArticles>(mostKept, freshFor);
  kept.set(store, recent);
  return recent;
}

/** The articles that fit a question, `pause` milliseconds after it changed. The last ones stay until the next arrive. */
export function useAnswers({ conversationId, words, askedIn, language, limit }: Question, pause: number): Answers {
  const recent = recentOf(useStore());
  const q = words.trim().slice(0, mostAsked);
  const key = q === "" && askedIn === "" ? "" : JSON.stringify([conversationId, q, q === "" || language === "" ? askedIn : "", language, limit]);
  const before = useMemo(() => recent.get(key), [recent, key]);
  const [answer, setAnswer] = useState<{ key: string; found: FoundArticles; error: unknown }>({ key: "", found: none, error: undefined });
  useEffect(() => {
    if (key === "" || before) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      api.get<FoundArticles>(`/v1/dashboard/conversations/${conversationId}/articles`, { q, language, limit }, abort.signal).then(
        (found) => {
          recent.set(key, found);
          setAnswer({ key, found, error: undefined });
        },
        (error: unknown) => !abort.signal.aborted && setAnswer({ key, found: none, error }),
      );
    }, pause);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [recent, key, before, conversationId, q, language, limit, pause]);
  const known = key === "" ? none : before;
  const own = known !== undefined || answer.key === key;
  const found = known ?? answer.found;
  return { hits: found.data, drafted: found.drafted, language: found.language ?? "", busy: !own, error: known === undefined && own ? answer.error : undefined };
}

/** Returns a function after which articles are looked for anew, because there is another. */
export function useForgetAnswers(): () => void {
  const store = useStore();
  return () => recentOf(store).clear();
}

/** The help center in which the customer of a conversation can read an article; undefined if there is none. */
export function useCenterOf(conversation: Conversation): HelpCenter | undefined {
  const centers = useLoadedHelpCenters();
  const center = conversation.product ? centers.get(conversation.product.id)?.value : [...centers.values()].map(({ value }) => value).find(({ enabled }) => enabled);
  return center?.enabled ? center : undefined;
}

/** The title of an article with its address; null if the customer can read it nowhere. */
export function linkText(hit: ArticleHit, center: HelpCenter | undefined): string | null {
  return center ? `${hit.title}\n${location.origin}${publicPath(center, hit.language, hit.slug)}` : null;
}

/** The text of an article as a message says it. */
export async function wholeText(hit: ArticleHit, center: HelpCenter | undefined, signal?: AbortSignal): Promise<string> {
  const { body } = await api.get<PublishedArticle>(`/v1/dashboard/articles/${hit.id}/published/${hit.language}`, {}, signal);
  return plainOf(body, center ? location.origin + publicPath(center, hit.language, "") : "");
}
