import { useEffect, useMemo, useState } from "react";
import type { HistoryEntry } from "../api/types";
import { script } from "../kit/chunk";
import { readStored, writeStored } from "../kit/stored";
import { useCommand } from "../shell/commands";
import { useSelect, useStore, type Store } from "../sync";
import { createCell, useCell } from "../sync/cell";
import type { Histories, Line } from "./history";

const words = script(() => import("./history"));

type Words = typeof import("./history");

/** How long a conversation is open until its history is read (ms): passing by costs nothing. */
const rest = 400;
const key = "parley.history";
const off = "off";

interface Loaded extends Words {
  histories: Histories;
}

const loaded = new WeakMap<Store, Loaded>();

async function load(store: Store): Promise<Loaded | null> {
  const arrived = await words();
  if (!arrived) return null;
  const known = loaded.get(store) ?? { ...arrived, histories: new arrived.Histories(store) };
  loaded.set(store, known);
  return known;
}

const nothing = createCell<ReadonlyMap<string, readonly HistoryEntry[]>>(new Map());

/** The lines, in order. `fold` joins one to the line right before it, and `say` puts it into words. */
export interface History {
  lines: readonly Line[];
  fold: (before: Line | undefined, line: Line) => Line | undefined;
  say: (line: Line) => string;
}

/** The lines of a conversation's history, unless the member has hidden them; null until they are known. */
export function useHistory(conversationId: string): History | null {
  const store = useStore();
  const [shown, setShown] = useState(() => readStored(key) !== off);
  const [words, setWords] = useState<Loaded | null>(null);
  useCommand("history", () => {
    writeStored(key, shown ? off : null);
    setShown(!shown);
  });
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => {
      void load(store).then((now) => {
        setWords(now);
        return now?.histories.load(conversationId);
      });
    }, rest);
    return () => clearTimeout(timer);
  }, [store, conversationId, shown]);
  const entries = useCell(words?.histories.known ?? nothing, (known) => known.get(conversationId));
  const members = useSelect((state) => state.members);
  return useMemo(() => {
    if (!shown || !words || !entries) return null;
    return { lines: words.linesOf(entries), fold: words.folded, say: (line) => words.sentence(line, (id) => members.get(id)?.value.name) };
  }, [shown, words, entries, members]);
}
