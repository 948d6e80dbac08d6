// What the member did last to single conversations, and how each act is taken back: by a change that names what the act
// left, so that it never overwrites a colleague.
import { ApiError } from "../api/client";
import type { Conversation, ConversationChange } from "../api/types";
import { useToast } from "../kit";
import { changeConversation, useStore } from "../sync";
import { createCell, useCell } from "../sync/cell";
import { texts } from "./undo.texts";

type Values = Required<NonNullable<ConversationChange["if"]>>;

interface Act {
  said: string;
  undo: () => Promise<unknown>;
  /** It has failed: there is nothing to take back. */
  forget: () => void;
}

/** How many acts are known, and where their notification shows: one at a time. */
const most = 20;
const place = "act";
const acts = createCell<readonly Act[]>([]);
const drop = (act: Act) => acts.update((old) => old.filter((other) => other !== act));

function valuesOf({ status, snoozedUntil, priority, spam, assignee, team, labels, product }: Conversation): Values {
  return {
    status,
    snoozedUntil: status === "pending" ? snoozedUntil : null,
    priority,
    spam,
    assigneeId: assignee?.id ?? null,
    teamId: team?.id ?? null,
    labels,
    productId: product?.id ?? null,
  };
}

/** What changes with a property, besides itself. */
const follows: Partial<Record<keyof Values, readonly (keyof Values)[]>> = { status: ["snoozedUntil"], snoozedUntil: ["status"], spam: ["snoozedUntil"], productId: ["teamId"] };

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
function pick(values: Values, names: readonly (keyof Values)[]): Partial<Values> {
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

/** The change that takes a change back unless somebody has changed the same since; null if it changed nothing. */
export function inverseOf(before: Conversation, after: Conversation, changed: readonly string[], now: number): ConversationChange | null {
  const was = valuesOf(before);
  const is = valuesOf(after);
  const names = (Object.keys(was) as (keyof Values)[]).filter((name) => {
    const touched = changed.includes(name) || changed.some((cause) => follows[cause as keyof Values]?.includes(name));
    return touched && !same(was[name], is[name]);
  });
  if (names.length === 0) return null;
  const back: ConversationChange = pick(was, names);
  // Sleep makes it pending by itself, and cannot end in the past.
  if (back.snoozedUntil && Date.parse(back.snoozedUntil) > now) delete back.status;
  else if (back.snoozedUntil) delete back.snoozedUntil;
  return Object.keys(back).length === 0 ? null : { ...back, if: pick(is, names) };
}

/** Tells what the member did, and offers to take it back; the notification disappears after `shownFor` milliseconds. */
export function useDid(): (said: string, undo: () => Promise<unknown>, shownFor?: number) => Act {
  const toast = useToast();
  const takeBack = useTakeBack();
  return (said, undo, shownFor) => {
    const close = toast.done(said, { label: texts.undo, onSelect: () => takeBack(act) }, place, shownFor);
    const act: Act = {
      said,
      undo,
      forget: () => {
        drop(act);
        close();
      },
    };
    acts.update((old) => [...old.slice(1 - most), act]);
    return act;
  };
}

function useTakeBack(): (act: Act) => void {
  const toast = useToast();
  return (act) => {
    if (!acts.get().includes(act)) return;
    drop(act);
    act.undo().then(
      () => void toast.done(texts.undone(act.said), undefined, place),
      (error: unknown) => void toast.failed(error instanceof ApiError && error.code === "conflict" ? new Error(texts.changed(act.said)) : error),
    );
  };
}

/** Takes back what the member did last; null if there is nothing. */
export function useUndo(): (() => void) | null {
  const last = useCell(acts, (all) => all.at(-1));
  const takeBack = useTakeBack();
  return last ? () => takeBack(last) : null;
}

/** Changes a conversation as the member asked, and offers to take it back. */
export function useAct(): (conversation: Conversation, change: ConversationChange, said: string) => void {
  const store = useStore();
  const toast = useToast();
  const did = useDid();
  return (conversation, change, said) => {
    const changing = changeConversation(store, conversation.id, change);
    const act = did(said, async () => {
      const back = inverseOf(conversation, await changing, Object.keys(change), Date.now());
      if (back) await changeConversation(store, conversation.id, back);
    });
    changing.catch((error: unknown) => {
      act.forget();
      toast.failed(error);
    });
  };
}
