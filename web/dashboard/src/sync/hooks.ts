import { createContext, useCallback, useContext, useEffect, useEffectEvent, useMemo } from "react";
import type { Article, ArticleCategory, ArticleFigures, HelpCenter } from "../api/knowledge";
import type { Company, Contact, Conversation, Counts, LabelColor, LogEvent, Member, MessagePreview } from "../api/types";
import { byConversation, notShown, standingOf, type Item, type Standing } from "../outbox/item";
import { locale } from "../kit/texts";
import { useCell } from "./cell";
import type { OwnMark } from "./draftmarks";
import { loadArticle, loadCenters, loadKnowledge } from "./knowledge";
import type { LineState, Signal, SignalNews } from "./line";
import { learn, type Learnable } from "./learn";
import { filterKey } from "./lists";
import { ledOn, noMessages } from "./messages";
import type { Told } from "./notices";
import { isUnread, type Filter, type In, type MessageLog, type State, type Table, type TableName } from "./state";
import type { Seen } from "./presences";
import type { Reading, Store } from "./store";

export const StoreContext = createContext<Store | null>(null);

/** The store of the signed-in member. */
export function useStore(): Store {
  const store = useContext(StoreContext);
  if (!store) throw new Error("useStore outside of a signed-in page");
  return store;
}

/** A part of the state; see useCell for the selector. */
export function useSelect<S>(select: (state: State) => S): S {
  return useCell(useStore().state, select);
}

function useTable<T>(name: TableName): Table<T> {
  return useSelect((state) => state[name]) as Table<T>;
}

/** All records of a small table, sorted by name (canned answers by shortcut, numbers by phone). */
function useSorted<T>(name: TableName, key: (value: T) => string): readonly T[] {
  const table = useTable<T>(name);
  return useMemo(() => [...table.values()].map((entry) => entry.value).sort((a, b) => key(a).localeCompare(key(b), locale)), [table, key]);
}

const byName = (value: { name: string }) => value.name;
const byShortcut = (value: { shortcut: string }) => value.shortcut;
const byPhone = (value: { phone: string }) => value.phone;

/** The members of the workspace, without those who left. */
export const useMembers = () => useSorted<In<"members">>("members", byName);
export const useInboxes = () => useSorted<In<"inboxes">>("inboxes", byName);
/** Includes archived ones; check `archived`. */
export const useProducts = () => useSorted<In<"products">>("products", byName);
export const useLabels = () => useSorted<In<"labels">>("labels", byName);
export const useCannedAnswers = () => useSorted<In<"cannedAnswers">>("cannedAnswers", byShortcut);
export const useNumbers = () => useSorted<In<"numbers">>("numbers", byPhone);
export const useTeams = () => useSorted<In<"teams">>("teams", byName);
export const useWorkspace = () => useSelect((state) => state.workspace);

/** The signed-in member. */
export function useMe(): Member {
  const me = useSelect((state) => (state.members.get(state.meId) ?? state.formerMembers.get(state.meId))?.value);
  if (!me) throw new Error("the signed-in member is not known");
  return me;
}

/** A member by id, including those who left. */
export function useMember(id: string): Member | undefined {
  return useSelect((state) => (state.members.get(id) ?? state.formerMembers.get(id))?.value);
}

/** The colour of a label; gray for one that is not in the catalogue. */
export function useLabelColor(): (name: string) => LabelColor {
  const labels = useTable<In<"labels">>("labels");
  return (name) => labels.get(name)?.value.color ?? "gray";
}

export function useReading(key: string): Reading | undefined {
  return useCell(useStore().readings, (readings) => readings.get(key));
}

export interface Loaded<T> {
  value: T | undefined;
  error: unknown;
  reload: () => void;
}

/** Keeps a part of the state while the component is mounted. */
function useHold(key: string) {
  const store = useStore();
  useEffect(() => store.hold(key), [store, key]);
}

function useLoaded<T>(key: string, value: T | undefined, load: () => void): Loaded<T> {
  const reading = useReading(key);
  useHold(key);
  const missing = value === undefined && reading === undefined;
  const read = useEffectEvent(load);
  useEffect(() => {
    if (missing) read();
    // Once for each key, and again after the store has reloaded; after an error the reader must reload.
  }, [key, missing]);
  return { value, error: typeof reading === "object" ? reading.error : undefined, reload: load };
}

/** A contact, live; read first if it is unknown. For a merged contact it is the surviving one. */
export function useContact(id: string): Loaded<Contact> {
  const store = useStore();
  const contact = useSelect((state) => state.contacts.get(state.merged.get(id) ?? id)?.value);
  return useLoaded(`contact:${id}`, contact, () => void store.loadContact(id));
}

export function useCompany(id: string): Loaded<Company> {
  const store = useStore();
  const company = useSelect((state) => state.companies.get(id)?.value);
  return useLoaded(`company:${id}`, company, () => void store.loadCompany(id));
}

export interface Knowledge {
  articles: Table<Article>;
  figures: Table<ArticleFigures>;
  /** Not all articles have arrived. */
  loading: boolean;
  error: unknown;
  reload: () => void;
}

/** All articles, live; read first if they are unknown. */
export function useKnowledge(): Knowledge {
  const store = useStore();
  const articles = useTable<Article>("articles");
  const figures = useTable<ArticleFigures>("articleFigures");
  const all = useSelect((state) => state.knowsAll);
  const { error, reload } = useLoaded("knowledge", all || undefined, () => void loadKnowledge(store));
  return { articles, figures, loading: !all && error === undefined, error, reload };
}

/** An article, live; read first if it is unknown. */
export function useArticle(id: string): Loaded<Article> {
  const store = useStore();
  const article = useSelect((state) => state.articles.get(id)?.value);
  return useLoaded(`article:${id}`, article, () => void loadArticle(store, id));
}

/** The known categories of articles, in their order. */
export function useArticleCategories(): readonly ArticleCategory[] {
  const table = useTable<ArticleCategory>("articleCategories");
  return useMemo(() => [...table.values()].map(({ value }) => value).sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1)), [table]);
}

/** All help centers by product; read first if they are unknown. */
export function useLoadedHelpCenters(): Table<HelpCenter> {
  const store = useStore();
  const known = useSelect((state) => state.knowsCenters);
  useLoaded("centers", known || undefined, () => void loadCenters(store));
  return useHelpCenters();
}

/** The known help centers by product. */
export function useHelpCenters(): Table<HelpCenter> {
  return useTable<HelpCenter>("helpCenters");
}

export interface Conversations {
  ids: readonly string[];
  /** The first page has not arrived. */
  loading: boolean;
  error: unknown;
  more: boolean;
  loadMore: () => void;
  reload: () => void;
}

/** The live list of a filter, in its order. */
export function useConversations(filter: Filter): Conversations {
  const store = useStore();
  const key = filterKey(filter);
  const list = useSelect((state) => state.lists.get(key));
  const reading = useReading(`list:${key}`);
  useHold(`list:${key}`);
  const read = useEffectEvent(() => void store.loadList(filter));
  useEffect(() => {
    if (!store.state.get().lists.get(key)?.loaded) read();
    // The key represents the filter.
  }, [store, key]);
  return {
    ids: list?.ids ?? [],
    loading: !list?.loaded && typeof reading !== "object",
    error: typeof reading === "object" ? reading.error : undefined,
    more: list?.more ?? false,
    loadMore: () => void store.loadMore(filter),
    reload: () => void store.loadList(filter),
  };
}

export function useConversation(id: string): Conversation | undefined {
  return useSelect((state) => state.conversations.get(id)?.value);
}

/** The conversation to which an id leads; the id itself unless it was merged. */
export function useLedOn(id: string): string {
  return useSelect((state) => ledOn(state, id));
}

/** Whether the conversation was deleted since the page was opened. */
export function useDeleted(id: string): boolean {
  return useSelect((state) => state.gone.has(id));
}

/** Whether the conversation left the member's view. */
export function useHidden(id: string): boolean {
  return useSelect((state) => state.hidden.has(id) && !state.conversations.has(id));
}

/** Whether the conversation is unread for the member. */
export function useUnread(id: string): boolean {
  return useSelect((state) => isUnread(state, id));
}

/** The newest message of a conversation, read once the row has been on display for a moment; null for none. */
export function usePreview(id: string): MessagePreview | null | undefined {
  const store = useStore();
  const preview = useSelect((state) => state.previews.get(id)?.value);
  const unknown = preview === undefined;
  useEffect(() => {
    if (!unknown) return;
    // Rows that pass by while scrolling cause no request.
    const timer = setTimeout(() => void store.loadConversation(id).catch(() => undefined), 150);
    return () => clearTimeout(timer);
  }, [store, id, unknown]);
  return preview;
}

/** The messages of a conversation, around one of them or the newest. They are read on first use and then kept. */
export function useMessages(id: string, around: string | null): { log: MessageLog; error: unknown; loading: boolean } {
  const store = useStore();
  const log = useSelect((state) => state.messages.get(id)) ?? noMessages;
  const reading = useReading(`messages:${id}`);
  useHold(`messages:${id}`);
  useEffect(() => {
    const known = store.state.get().messages.get(id);
    if (around !== null && !known?.items.some(({ value }) => value.id === around)) void store.loadAround(id, around);
    else if (!known?.loaded || (around === null && known.later)) void store.loadMessages(id);
  }, [store, id, around]);
  return { log, error: typeof reading === "object" ? reading.error : undefined, loading: reading === "loading" };
}

/** The member's messages to a conversation that its log does not show yet, in order. */
export function useWaiting(id: string): readonly Item[] {
  const { outbox } = useStore();
  const items = useCell(outbox.items, (all) => all);
  const log = useSelect((state) => state.messages.get(id)) ?? noMessages;
  const meId = useSelect((state) => state.meId);
  return useMemo(() => {
    const waiting = byConversation(items).get(id) ?? [];
    return waiting.length === 0
      ? waiting
      : notShown(
          waiting,
          log.items.map(({ value }) => value),
          meId,
        );
  }, [items, log, id, meId]);
}

/** The state of the member's unsent messages to a conversation. */
export function useStanding(id: string): Standing {
  return useCell(useStore().outbox.items, (all) => standingOf(all.filter(({ conversationId }) => conversationId === id)));
}

/** All unsent messages of the member. */
export function useOutbox(): readonly Item[] {
  return useCell(useStore().outbox.items, (all) => all);
}

/** The other members who are viewing the conversation now. */
export function useOthersHere(id: string): readonly Seen[] {
  const presence = useCell(useStore().presences.members, (all) => all);
  return useMemo(() => [...presence.values()].filter((seen) => seen.conversationId === id), [presence, id]);
}

/** The members who have a draft in the conversation, with the time since when. */
export function useDraftsOfOthers(id: string): ReadonlyMap<string, string> {
  return useCell(useStore().drafts.others, (all) => all.get(id)) ?? nobody;
}

const nobody: ReadonlyMap<string, string> = new Map();

/** What the server has of the member's draft in the conversation. */
export function useDraftMark(id: string): OwnMark | undefined {
  return useCell(useStore().drafts.own, (all) => all?.get(id));
}

/** Whether the customer of the conversation is typing now. */
export function useCustomerTyping(id: string): boolean {
  return useCell(useStore().presences.typing, (all) => all.has(id));
}

/** What the member is told; null until it is known. */
export function useNotices(): Told | null {
  return useCell(useStore().notices.told, (told) => told);
}

/** Whether a notice in the conversation is unread. */
export function useNoticed(id: string): boolean {
  const { notices } = useStore();
  return useCell(notices.told, () => notices.hasUnread(id));
}

export function useFollowing(id: string): boolean {
  return useCell(useStore().notices.told, (told) => told?.following.has(id) ?? false);
}

export function useLineState(): LineState {
  return useCell(useStore().line, (state) => state);
}

export function useCounts(): Counts | null {
  return useCell(useStore().counts, (counts) => counts);
}

/**
 * Calls back after each event was applied, for pages with data that the store does not have: reload a list on
 * `contact.created`.
 */
export function useOnEvent(listener: (event: LogEvent) => void) {
  const store = useStore();
  const told = useEffectEvent(listener);
  useEffect(() => store.onEvent((event) => told(event)), [store]);
}

/** Calls back with each signal of a name, so that what it concerns can be read. */
export function useOnSignal<S extends Signal>(name: S, listener: (news: SignalNews[S]) => void) {
  const store = useStore();
  const told = useEffectEvent((of: Signal, news: unknown) => {
    if (of === name) listener(news as SignalNews[S]);
  });
  useEffect(() => store.onSignal((of, news) => told(of, news)), [store]);
}

/**
 * Shows the result of a change of a setting at once: `learn("label", await api.post<Label>(…))`, and after a DELETE
 * `learn("label", label, "deleted")`.
 */
export function useLearn(): <K extends keyof Learnable>(kind: K, value: Learnable[K], end?: "deleted") => void {
  const store = useStore();
  return useCallback((kind, value, end) => learn(store, kind, value, end), [store]);
}
