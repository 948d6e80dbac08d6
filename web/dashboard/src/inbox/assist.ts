// Help of a language model with writing: what can be asked for, and the text as
// it arrives.
import { useEffect, useRef, useState } from "react";
import { api, errorText } from "../api/client";
import type { AssistAvailable, AssistRequest, AssistResult } from "../api/types";
import { createCell, useCell } from "../sync/cell";
import { texts } from "./assist.texts";

/** What a member can ask for, in the order of the menu. */
export const wishes = {
  draft: { task: "draft" },
  summarize: { task: "summarize" },
  summarizeNotes: { task: "summarize", notes: true },
  shorter: { task: "rewrite", style: "shorter" },
  friendlier: { task: "rewrite", style: "friendlier" },
  formal: { task: "rewrite", style: "formal" },
  spelling: { task: "rewrite", style: "spelling" },
  forCustomer: { task: "translate", reader: "customer" },
  forMe: { task: "translate", reader: "member" },
} as const satisfies Record<string, AssistRequest>;

export type WishId = keyof typeof wishes;
export const wishIds = Object.keys(wishes) as WishId[];

/** Whether a wish needs a text in the composer. */
export const needsText = (id: WishId): boolean => wishes[id].task === "rewrite" || id === "forCustomer";

export interface Assisting {
  id: WishId;
  /** What has arrived. */
  text: string;
  /** null while the text arrives. */
  result: AssistResult | null;
}

export interface Assist {
  /** null: nothing was asked for. */
  now: Assisting | null;
  ask: (id: WishId, text: string) => void;
  /** Stops the model, and forgets the text. */
  dismiss: () => void;
}

const failed = (problem: string): AssistResult => ({ text: "", language: null, sources: [], unchecked: [], problem });

/** The help with one conversation. Leaving the page stops the model. */
export function useAssist(conversationId: string): Assist {
  const [now, setNow] = useState<Assisting | null>(null);
  const running = useRef<AbortController | null>(null);
  const stop = () => {
    running.current?.abort();
    running.current = null;
  };
  useEffect(() => stop, [conversationId]);
  return {
    now,
    ask: (id, text) => {
      stop();
      const abort = new AbortController();
      running.current = abort;
      setNow({ id, text: "", result: null });
      const change = (next: (old: Assisting) => Assisting) => {
        if (!abort.signal.aborted) setNow((old) => old && next(old));
      };
      const request: AssistRequest = { ...wishes[id], language: navigator.language.slice(0, 35), ...(text.trim() !== "" && { text }) };
      let ended = false;
      api
        .events(`/v1/dashboard/conversations/${conversationId}/assist`, request, abort.signal, ({ event, data }) => {
          if (event === "piece") change((old) => ({ ...old, text: old.text + (JSON.parse(data) as { text: string }).text }));
          if (event !== "done") return;
          ended = true;
          const result = JSON.parse(data) as AssistResult;
          change((old) => ({ ...old, text: result.text, result }));
        })
        .then(
          () => ended || change((old) => ({ ...old, text: "", result: failed(texts.brokeOff) })),
          (error: unknown) => change((old) => ({ ...old, text: "", result: failed(errorText(error)) })),
        );
    },
    dismiss: () => {
      stop();
      setNow(null);
    },
  };
}

/** Whether the workspace has a model; asked once, and again a while later. */
const available = createCell(false);
const validFor = 60_000;
let askedAt = -Infinity;

export function useAssistAvailable(): boolean {
  useEffect(() => {
    if (performance.now() - askedAt < validFor) return;
    askedAt = performance.now();
    api.get<AssistAvailable>("/v1/dashboard/assist").then(
      (answer) => available.set(answer.available),
      () => (askedAt = -Infinity), // the composer works without it
    );
  });
  return useCell(available, (is) => is);
}
