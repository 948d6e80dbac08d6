import * as Ariakit from "@ariakit/react";
import { Building2, ChevronRight, MessageSquare, Search, UserRound } from "lucide-react";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { api } from "../api/client";
import type { SearchHit, SearchPage } from "../api/types";
import { Kbd, readStored, RelativeTime, writeStored } from "../kit";
import { lastView } from "../inbox/lastview";
import { hitAddress } from "../search/hits";
import { askable } from "../search/operators";
import { Snippet } from "../search/Snippet";
import { useCommands, type Command } from "./commands";
import styles from "./Palette.module.css";
import { texts as own } from "./palette.texts";
import { best, score, told } from "./ranking";
import { texts } from "./texts";
import { usePlaces, useVerbs } from "./verbs";

/** Mod+K: every command that is possible now, every page, and search results. */
export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Ariakit.Dialog open={open} onClose={onClose} unmountOnHide backdrop={<div className={styles.backdrop} />} className={styles.palette} aria-label={texts.palette.searchAndCommands}>
      <Content onClose={onClose} />
    </Ariakit.Dialog>
  );
}

/** Where the ids of the commands that were used last are stored, and how many. */
const recentKey = "parley.palette";
const mostRecent = 10;

function readRecent(): string[] {
  try {
    const ids: unknown = JSON.parse(readStored(recentKey) ?? "[]");
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

function Content({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState("");
  const [, navigate] = useLocation();
  const [recent] = useState(readRecent);
  const store = Ariakit.useComboboxStore({ open: true, value: query, setValue: setQuery });
  const { first, groups } = useFound(query, recent);
  const { hits, busy } = useHits(query.trim());
  useEffect(() => {
    // Enter runs the first.
    if (hits.length > 0 || first.length > 0) store.move(store.first());
  }, [hits, first.length, store]);
  const run = (action: () => void, id?: string) => () => {
    onClose();
    if (id !== undefined) writeStored(recentKey, JSON.stringify([id, ...readRecent().filter((one) => one !== id)].slice(0, mostRecent)));
    // After the dialog has returned the focus, so that an action can move it.
    requestAnimationFrame(action);
  };
  return (
    <>
      <div className={styles.query}>
        <Search size={17} aria-hidden />
        <Ariakit.Combobox store={store} autoSelect="always" autoFocus placeholder={texts.palette.placeholder} aria-label={texts.palette.placeholder} />
        <Kbd keys={texts.palette.esc} />
      </div>
      <Ariakit.ComboboxList store={store} alwaysVisible className={styles.list}>
        {first.length > 0 && <CommandGroup name={query.trim() === "" ? own.recent : texts.palette.commands} commands={first} run={run} />}
        {hits.length > 0 && <div className={styles.heading}>{texts.palette.found}</div>}
        {hits.map((hit) => (
          <Hit key={`${hit.kind}${hit.id}`} hit={hit} onSelect={run(() => navigate(hitAddress(hit, lastView())))} />
        ))}
        {groups.map(([group, entries]) => (
          <CommandGroup key={group} name={group} commands={entries} run={run} />
        ))}
        {query.trim() !== "" && (
          <Ariakit.ComboboxItem className={styles.item} focusOnHover onClick={run(() => navigate(`/search?q=${encodeURIComponent(query.trim())}`))}>
            <Search size={16} aria-hidden />
            <span className={styles.text}>
              <span>{texts.palette.searchEverything(query.trim())}</span>
            </span>
          </Ariakit.ComboboxItem>
        )}
        {busy && hits.length === 0 && <div className={styles.nothing}>{texts.palette.searching}</div>}
      </Ariakit.ComboboxList>
    </>
  );
}

/**
 * What a query names: first what it tells a verb and the commands that begin with it, or without a query those that
 * were used last; then the other commands, by group.
 */
function useFound(query: string, recent: readonly string[]): { first: readonly Command[]; groups: readonly [string, readonly Command[]][] } {
  const mounted = useCommands().filter((command) => command.id !== "palette");
  const places = usePlaces();
  const verbs = useVerbs(places);
  if (query.trim() === "") {
    const used = recent.flatMap((id) => [...mounted, ...places].find((command) => command.id === id) ?? []).slice(0, 5);
    return { first: used, groups: [...Map.groupBy(mounted, (command) => command.group)] };
  }
  const choices = told(query, verbs).map((choice): Command => ({ group: "", keys: "", ...choice }));
  const chosen = new Set(choices.map(({ id }) => id));
  const ranked = (command: Command) => Math.max(score(query, command.label), Math.min(score(query, `${command.label} ${command.group}`), 3));
  const found = best(
    [...mounted, ...places].filter(({ id }) => !chosen.has(id)),
    ranked,
    ({ id }) => recent.indexOf(id),
  );
  const begins = (command: Command) => query.trim().length > 1 && ranked(command) === 4;
  const rest = found.filter((command) => !begins(command) && (ranked(command) > 1 || query.trim().length > 2)).slice(0, mostFound);
  return { first: [...choices, ...found.filter(begins)], groups: [...Map.groupBy(rest, (command) => command.group)] };
}

/** The most commands that are shown below the hits. */
const mostFound = 30;

function CommandGroup({ name, commands, run }: { name: string; commands: readonly Command[]; run: (action: () => void, id?: string) => () => void }) {
  return (
    <>
      <div className={styles.heading}>{name}</div>
      {commands.map((command) => (
        <Ariakit.ComboboxItem key={command.id} className={styles.item} focusOnHover onClick={run(command.run, command.id)} data-command={command.id}>
          <ChevronRight size={16} aria-hidden />
          <span className={styles.text}>
            <span>{command.label}</span>
          </span>
          {command.keys && <Kbd keys={command.keys} />}
        </Ariakit.ComboboxItem>
      ))}
    </>
  );
}

const hitIcons = { message: <MessageSquare size={16} aria-hidden />, contact: <UserRound size={16} aria-hidden />, company: <Building2 size={16} aria-hidden /> };

function Hit({ hit, onSelect }: { hit: SearchHit; onSelect: () => void }) {
  return (
    <Ariakit.ComboboxItem className={styles.item} focusOnHover onClick={onSelect}>
      {hitIcons[hit.kind]}
      <span className={styles.text}>
        <span>{hit.title}</span>
        <span className={styles.snippet}>
          <Snippet parts={hit.snippet} />
        </span>
      </span>
      <RelativeTime at={hit.at} />
    </Ariakit.ComboboxItem>
  );
}

/** Searches a moment after the last key. */
function useHits(query: string): { hits: readonly SearchHit[]; busy: boolean } {
  const [answer, setAnswer] = useState<{ query: string; hits: readonly SearchHit[] }>({ query: "", hits: [] });
  useEffect(() => {
    if (query.length < 2 || !askable(query)) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      api.get<SearchPage>("/v1/dashboard/search", { q: query.slice(0, 200), limit: 6 }, abort.signal).then(
        (page) => setAnswer({ query, hits: page.data }),
        () => setAnswer({ query, hits: [] }), // the palette works without it
      );
    }, 160);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [query]);
  return { hits: query.length < 2 ? [] : answer.hits, busy: query.length >= 2 && answer.query !== query };
}
