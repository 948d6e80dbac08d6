// What the automated agent would have done about past questions.
import { Play, Square } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { errorText } from "../api/client";
import type { Product, SimulatedAnswer } from "../api/types";
import { Badge, Button, EmptyState, fullTime, Page, Section, Segmented, SelectField, TextField, type Tone } from "../kit";
import { useProducts } from "../sync";
import { changeOf, helps, keep, kept, mostQuestions, simulate, type Baseline, type Change, type End, type Setup } from "./simulate";
import css from "./simulation.module.css";
import { texts } from "./simulation.texts";

const periods = [7, 30, 90, 365];
const firstTokens = 50_000;
const mostTokens = 10_000_000;

/** A simulation that runs, or is over. */
interface Run {
  setup: Setup;
  before: Baseline | null;
  answers: readonly SimulatedAnswer[];
  end: End | "running" | "stopped";
  fault: string;
}

export function SimulationPage() {
  const products = useProducts().filter((product) => !product.archived);
  const [run, setRun] = useState<Run | null>(null);
  const control = useRef<AbortController | null>(null);
  useEffect(() => () => control.current?.abort(), []);

  async function start(setup: Setup) {
    const own = new AbortController();
    control.current = own;
    const before = kept(setup);
    const answers: SimulatedAnswer[] = [];
    const show = (end: Run["end"], fault = "") => setRun({ setup, before, answers: [...answers], end, fault });
    show("running");
    try {
      const end = await simulate(setup, own.signal, (more) => {
        answers.push(...more);
        show("running");
      });
      keep(setup, new Date().toISOString(), answers);
      show(end);
    } catch (error) {
      show("stopped", own.signal.aborted ? "" : errorText(error));
    }
  }
  return (
    <Page title={texts.title} description={texts.description}>
      <Section title={texts.setup}>
        {products.length === 0 ? (
          <EmptyState title={texts.noProducts}>{texts.addProducts}</EmptyState>
        ) : (
          <SetupForm products={products} running={run?.end === "running"} onStart={(setup) => void start(setup)} onStop={() => control.current?.abort()} />
        )}
      </Section>
      {run && <Results run={run} />}
    </Page>
  );
}

interface SetupProps {
  products: readonly Product[];
  running: boolean;
  onStart: (setup: Setup) => void;
  onStop: () => void;
}

function SetupForm({ products, running, onStart, onStop }: SetupProps) {
  const [product, setProduct] = useState(products[0]?.id ?? "");
  const [days, setDays] = useState("90");
  const [way, setWay] = useState<"articles" | "model">("articles");
  const [tokens, setTokens] = useState(String(firstTokens));
  const [fault, setFault] = useState("");

  function submit() {
    const most = /^\d{1,8}$/.test(tokens.trim()) ? Number(tokens) : 0;
    const wrong = way === "model" && (most < 1 || most > mostTokens);
    setFault(wrong ? texts.tokensRule : "");
    if (!wrong) onStart({ product, days: Number(days), tokens: way === "model" ? most : 0 });
  }
  return (
    <form
      className={css.setup}
      onSubmit={(event) => {
        event.preventDefault();
        if (!running) submit();
      }}
    >
      <SelectField label={texts.product} value={product} onChange={setProduct} options={products.map(({ id, name }) => ({ value: id, label: name }))} />
      <SelectField label={texts.period} value={days} onChange={setDays} options={periods.map((n) => ({ value: String(n), label: texts.days(n) }))} />
      {way === "model" && <TextField label={texts.tokens} hint={texts.tokensHint} error={fault} inputMode="numeric" autoComplete="off" value={tokens} onChange={setTokens} />}
      <div className={css.way}>
        <Segmented
          label={texts.way}
          options={[
            { value: "articles", label: texts.articlesOnly },
            { value: "model", label: texts.withModel },
          ]}
          value={way}
          onChange={setWay}
        />
        {running ? (
          <Button icon={<Square size={15} />} onClick={onStop}>
            {texts.stop}
          </Button>
        ) : (
          <Button type="submit" variant="primary" icon={<Play size={15} />}>
            {texts.start}
          </Button>
        )}
      </div>
    </form>
  );
}

type Filter = "all" | "helped" | "toPeople" | "different";

const shownBy: Readonly<Record<Filter, (answer: SimulatedAnswer, change: Change) => boolean>> = {
  all: () => true,
  helped: helps,
  toPeople: ({ kind }) => kind === "hand_over" || kind === "suggestion",
  different: (_, change) => change !== "same" && change !== "new",
};

function Results({ run }: { run: Run }) {
  const [chosen, setFilter] = useState<Filter>("all");
  const [most, setMost] = useState(50);
  const filters: Filter[] = ["all", "helped", "toPeople", ...(run.before ? ["different" as const] : [])];
  const filter = filters.includes(chosen) ? chosen : "all";
  const rows = run.answers.map((answer) => ({ answer, change: changeOf(answer, run.before) }));
  const shown = rows.filter(({ answer, change }) => shownBy[filter](answer, change));
  return (
    <Section title={texts.results}>
      <Sums run={run} changes={rows.map(({ change }) => change)} />
      {rows.length > 0 && (
        <div className={css.filter}>
          <Segmented label={texts.filter} options={filters.map((value) => ({ value, label: texts[value] }))} value={filter} onChange={setFilter} />
        </div>
      )}
      {shown.length === 0 && run.end !== "running" && <EmptyState title={rows.length === 0 ? texts.nothing : texts.nothingHere}>{rows.length === 0 && texts.nothingText}</EmptyState>}
      <ul className={css.rows} aria-label={texts.results}>
        {shown.slice(0, most).map(({ answer, change }) => (
          <Row key={answer.conversationId} answer={answer} change={change} />
        ))}
      </ul>
      {shown.length > most && <Button onClick={() => setMost(most + 100)}>{texts.more}</Button>}
    </Section>
  );
}

/** How it stands, in a line and in numbers. */
function Sums({ run, changes }: { run: Run; changes: readonly Change[] }) {
  const { answers, end, fault, before } = run;
  const count = (is: (answer: SimulatedAnswer) => boolean) => answers.filter(is).length;
  const state = { running: texts.running, done: texts.done, most: texts.done, tokens: texts.done, stopped: texts.stopped }[end](answers.length);
  const sums: [string, string][] = [
    [
      texts.kinds.answer,
      texts.share(
        count(({ kind }) => kind === "answer"),
        answers.length,
      ),
    ],
    [
      texts.kinds.cards,
      texts.share(
        count(({ kind }) => kind === "cards"),
        answers.length,
      ),
    ],
    [
      texts.kinds.clarify,
      texts.share(
        count(({ kind }) => kind === "clarify"),
        answers.length,
      ),
    ],
    [
      texts.toPeople,
      texts.share(
        count(({ kind }) => kind === "hand_over" || kind === "suggestion"),
        answers.length,
      ),
    ],
    [texts.used, answers.reduce((sum, { tokens }) => sum + tokens, 0).toLocaleString()],
  ];
  const compared = changes.filter((change) => change !== "new").length;
  return (
    <div className={css.sums}>
      <p role="status">
        {state}
        {end === "tokens" && ` · ${texts.limited}`}
        {end === "most" && ` · ${texts.mostReached(mostQuestions)}`}
        {fault && ` · ${fault}`}
      </p>
      <dl>
        {sums.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {before && compared > 0 && (
        <p>
          {texts.compare(compared, fullTime(before.at))}
          {(["gained", "lost", "changed"] as const).map((kind) => ` · ${texts[kind]}: ${changes.filter((change) => change === kind).length}`)}
        </p>
      )}
    </div>
  );
}

const tones: Readonly<Record<SimulatedAnswer["kind"], Tone>> = { answer: "ok", cards: "ok", clarify: "neutral", hand_over: "warn", suggestion: "warn" };

function Row({ answer, change }: { answer: SimulatedAnswer; change: Change }) {
  const { kind, reason, text, draft, sources, human } = answer;
  return (
    <li className={css.row}>
      <div>
        <h3>{texts.question}</h3>
        <p className={css.words}>{answer.question}</p>
        <Link href={`/inbox/${answer.conversationId}`}>{texts.conversation}</Link>
      </div>
      <div>
        <h3>{texts.agent}</h3>
        <p className={css.badges}>
          <Badge tone={tones[kind]}>{texts.kinds[kind]}</Badge>
          {(change === "gained" || change === "lost" || change === "changed") && <Badge>{texts[change]}</Badge>}
        </p>
        {reason !== null && <p className={css.quiet}>{texts.reasons[reason] ?? reason}</p>}
        {(kind === "answer" || kind === "clarify") && <p className={css.words}>{text}</p>}
        {draft !== null && (
          <p className={css.words}>
            {texts.draft} {draft}
          </p>
        )}
        {sources.length > 0 && (
          <ul aria-label={texts.articles}>
            {sources.map(({ articleId, title, linked }) => (
              <li key={articleId}>
                <Link href={`/articles/${articleId}`}>{title}</Link>
                {linked && <span className={css.quiet}> ({texts.linked})</span>}
              </li>
            ))}
          </ul>
        )}
      </div>
      <div>
        <h3>{texts.team}</h3>
        {human === null ? <p className={css.quiet}>{texts.nobody}</p> : <p className={css.words}>{human}</p>}
      </div>
    </li>
  );
}
