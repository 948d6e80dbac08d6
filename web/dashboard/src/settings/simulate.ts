// A simulation of the automated agent, step by step, and its comparison with the
// one before. The browser keeps of that only what a comparison needs: ids.
import { api } from "../api/client";
import type { SimulatedAnswer, SimulatedAnswerPage } from "../api/types";
import { readStored, writeStored } from "../kit";

/** The most questions of a simulation. */
export const mostQuestions = 1000;

export interface Setup {
  product: string;
  days: number;
  /** The most tokens; 0: articles only. */
  tokens: number;
}

/** Why a simulation ended. */
export type End = "done" | "most" | "tokens";

/** Asks for one step after the other, and tells each. It rejects with the error of a step, or when the signal aborts. */
export async function simulate(setup: Setup, signal: AbortSignal, tell: (answers: readonly SimulatedAnswer[]) => void): Promise<End> {
  const since = new Date(Date.now() - setup.days * 86_400_000).toISOString();
  let left = setup.tokens;
  let told = 0;
  for (let cursor = ""; ; ) {
    const page = await api.post<SimulatedAnswerPage>(
      `/v1/dashboard/products/${setup.product}/agent/simulation?cursor=${encodeURIComponent(cursor)}`,
      { since, noModel: setup.tokens === 0, maxTokens: left, limit: setup.tokens === 0 ? 25 : 3 },
      { signal },
    );
    const unpaid = page.data.findIndex(({ reason }) => reason === "budget");
    const answers = unpaid < 0 ? page.data : page.data.slice(0, unpaid);
    tell(answers);
    told += answers.length;
    for (const { tokens } of answers) left -= tokens;
    if (unpaid >= 0 || (setup.tokens > 0 && left <= 0)) return "tokens";
    if (!page.has_more) return "done";
    if (told >= mostQuestions) return "most";
    cursor = page.next_cursor;
  }
}

/** Whether a customer gets an answer or articles at once. */
export const helps = ({ kind }: { kind: string }) => kind === "answer" || kind === "cards";

/** What became of a question since the simulation before. */
export type Change = "gained" | "lost" | "changed" | "same" | "new";

interface Earlier {
  kind: string;
  article: string;
}

/** The results of a simulation, as a later one needs them. */
export interface Baseline {
  at: string;
  results: ReadonlyMap<string, Earlier>;
}

export function changeOf(answer: SimulatedAnswer, before: Baseline | null): Change {
  const then = before?.results.get(answer.conversationId);
  if (!then) return "new";
  if (helps(answer) !== helps(then)) return helps(answer) ? "gained" : "lost";
  return helps(answer) && (answer.sources[0]?.articleId ?? "") !== then.article ? "changed" : "same";
}

const keyOf = (setup: Setup) => `parley.simulation.${setup.product}.${setup.tokens === 0 ? "articles" : "model"}`;

export function keep(setup: Setup, at: string, answers: readonly SimulatedAnswer[]) {
  const lines = answers.map(({ conversationId, kind, sources }) => [conversationId, kind, sources[0]?.articleId ?? ""].join(" "));
  writeStored(keyOf(setup), [at, ...lines].join("\n"));
}

export function kept(setup: Setup): Baseline | null {
  const [at, ...lines] = (readStored(keyOf(setup)) ?? "").split("\n");
  if (!at || lines.length === 0) return null;
  const rows = lines.map((line) => line.split(" "));
  return { at, results: new Map(rows.map(([id = "", kind = "", article = ""]) => [id, { kind, article }])) };
}
