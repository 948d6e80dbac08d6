// The report on the automated agent: what it did, what that cost, and what to write next.
import { Bot, MessageCircleQuestion } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { AgentFigures, AgentReport, KnowledgeGap } from "../../../shared/api.gen";
import { useQuery } from "../api/useQuery";
import { questionsOf } from "../articles/gaps";
import { inboxAddress } from "../inbox/views";
import { ButtonLink, cx, EmptyState, ErrorState, SelectField, SkeletonRows } from "../kit";
import { locale } from "../kit/texts";
import { isAtLeast } from "../settings/roles";
import { useMe, useProducts } from "../sync";
import { texts } from "./agent.texts";
import { agentDays, costOfEach, mainCurrency, money, moneyText, tokensOf } from "./agentrows";
import { AgentTable, CostTable } from "./agenttable";
import { DayChart, Legend, type Series } from "./chart";
import { Range } from "./controls";
import { addDays } from "./days";
import { lastWeek, writeAgentQuery, type ReportQuery } from "./query";
import css from "./reports.module.css";
import { countTicks, type Tick } from "./scale";
import { Tile } from "./summary";

interface ReportProps {
  query: ReportQuery;
  today: string;
  onChange: (query: ReportQuery) => void;
}

export function AgentReportView({ query, today, onChange }: ReportProps) {
  const products = useProducts();
  const report = useQuery<AgentReport>(`/v1/dashboard/agent-report?${writeAgentQuery(query)}`);
  // The previous report stays, dimmed, until the next one is loaded.
  const [last, setLast] = useState(report.data);
  if (report.data && report.data !== last) setLast(report.data);
  const productId = query.filter?.dimension === "product" ? query.filter.id : "";
  const choose = (id: string) => onChange({ ...query, by: "day", filter: id === "" ? null : { dimension: "product", id } });
  return (
    <div className={css.view}>
      <div className={css.controls}>
        <Range query={query} today={today} onChange={onChange} />
        <SelectField
          label={texts.product}
          hideLabel
          value={productId}
          options={[{ value: "", label: texts.everyProduct }, ...products.map(({ id, name }) => ({ value: id, label: name }))]}
          onChange={choose}
        />
      </div>
      {report.error !== undefined ? (
        <ErrorState error={report.error} onRetry={report.reload} />
      ) : last === undefined ? (
        <SkeletonRows count={8} avatar={false} />
      ) : (
        <div className={cx(css.report, report.loading && css.stale)} aria-busy={report.loading}>
          <Body report={last} productId={productId} onProduct={choose} />
        </div>
      )}
    </div>
  );
}

function Body({ report, productId, onProduct }: { report: AgentReport; productId: string; onProduct: (id: string) => void }) {
  const { total, products } = report;
  const may = isAtLeast(useMe().role, "admin");
  if (total.met === 0 && (total.spend ?? []).length === 0) {
    const off = products.length === 0;
    const [title, note] = !off ? [texts.nothingMet, texts.nothingMetNote] : productId === "" ? [texts.noAgent, texts.noAgentNote] : [texts.noAgentHere, texts.noAgentHereNote];
    return (
      <EmptyState
        icon={off ? <Bot size={20} /> : <MessageCircleQuestion size={20} />}
        title={title}
        action={may && <ButtonLink href={off ? "/settings/models" : "/settings/simulation"}>{off ? texts.switchOn : texts.simulate}</ButtonLink>}
      >
        {note} {off && !may && texts.askAdmin}
      </EmptyState>
    );
  }
  return (
    <>
      <Tiles total={total} />
      <div className={css.charts}>
        <Days report={report} />
        <Reasons total={total} productId={productId} />
        <Next report={report} productId={productId} />
      </div>
      <AgentTable report={report} onProduct={onProduct} />
      <CostTable report={report} onProduct={onProduct} />
      <Meaning total={total} />
    </>
  );
}

const count = (value: number | null) => (value ?? 0).toLocaleString(locale);

function Tiles({ total }: { total: AgentFigures }) {
  const share = total.met === 0 ? 0 : Math.round((100 * total.resolved) / total.met);
  const used = tokensOf(total.spend, "agentTokens");
  const tokens = count(used);
  const cost = moneyText(total.spend, "agentCost");
  return (
    <dl className={css.tiles}>
      <Tile name={texts.met} value={count(total.met)} note={texts.metNote(total.taken)} />
      <Tile name={texts.resolved} value={count(total.resolved)} note={texts.resolvedNote(share, total.confirmed)} />
      <Tile name={texts.handedOver} value={count(total.handedOver)} note={texts.handedOverNote(total.unanswered)} />
      {total.spend !== null &&
        (cost === "" ? (
          <Tile name={texts.cost} value={texts.tokens(tokens)} note={used > 0 ? texts.noPrices : texts.noModel} />
        ) : (
          <Tile name={texts.cost} value={cost} note={`${texts.costNote(costOfEach(total))} · ${texts.tokens(tokens)}`} />
        ))}
    </dl>
  );
}

function Days({ report }: { report: AgentReport }) {
  const rows = agentDays(report);
  const days = rows.map(({ day }) => day);
  const shape = days.length <= 62 ? "bars" : "lines";
  const currency = mainCurrency(report.total.spend);
  const amounts = (value: number | null) => money(value ?? 0, currency ?? "");
  const chart = (title: string, series: readonly Series[], format: (value: number | null) => string, ticks: (max: number) => Tick[]) => (
    <section className={css.wideCard}>
      <header className={css.cardHead}>
        <h2>{title}</h2>
        {series.length > 1 && <Legend names={series.map(({ name }) => name)} />}
      </header>
      <DayChart label={title} days={days} series={series} shape={shape} ticks={ticks} format={format} />
    </section>
  );
  const values = (of: (figures: AgentFigures) => number) => rows.map(({ figures }) => of(figures));
  const costOn = ({ spend }: AgentFigures) => spend?.find((one) => one.currency === currency)?.agentCost ?? 0;
  return (
    <>
      {chart(
        texts.byDay,
        [
          { name: texts.met, values: values(({ met }) => met) },
          { name: texts.resolved, values: values(({ resolved }) => resolved) },
        ],
        count,
        countTicks,
      )}
      {currency
        ? chart(texts.costByDay(currency), [{ name: texts.cost, values: values(costOn) }], amounts, (max) => countTicks(max).map(({ value }) => ({ value, label: amounts(value) })))
        : tokensOf(report.total.spend, "agentTokens") > 0 && chart(texts.tokensByDay, [{ name: texts.tokensByDay, values: values(({ spend }) => tokensOf(spend, "agentTokens")) }], count, countTicks)}
    </>
  );
}

function Reasons({ total, productId }: { total: AgentFigures; productId: string }) {
  return (
    <section className={css.card}>
      <header className={css.cardHead}>
        <h2>{texts.why}</h2>
      </header>
      {total.handOvers.length === 0 ? (
        <p className={css.note}>{texts.neverHandedOver}</p>
      ) : (
        <>
          <ul className={css.lines}>
            {total.handOvers.map(({ reason, count: times }) => (
              <li key={reason}>
                <span>{texts.reasons[reason] ?? reason}</span>
                <b>{count(times)}</b>
              </li>
            ))}
          </ul>
          <p className={css.note}>{texts.whyNote}</p>
        </>
      )}
      <Link className={css.more} href={inboxAddress({ agent: "handed_over", ...(productId !== "" && { productId }) })}>
        {texts.waiting}
      </Link>
    </section>
  );
}

/** The questions that would save most work if an article answered them. */
const nextShown = 5;

function Next({ report, productId }: { report: AgentReport; productId: string }) {
  const monday = addDays(lastWeek(report.from).to, 1);
  const { data, error, reload } = useQuery<{ data: KnowledgeGap[] }>("/v1/dashboard/knowledge-gaps", { productId, since: `${monday}T00:00:00Z`, until: `${report.to}T00:00:00Z` });
  const questions = questionsOf(data?.data ?? []).slice(0, nextShown);
  return (
    <section className={css.card}>
      <header className={css.cardHead}>
        <h2>{texts.next}</h2>
      </header>
      {error ? (
        <ErrorState error={error} onRetry={reload} />
      ) : !data ? (
        <SkeletonRows count={3} avatar={false} />
      ) : questions.length === 0 ? (
        <p className={css.note}>{texts.noGaps}</p>
      ) : (
        <>
          <ul className={css.lines}>
            {questions.map((question) => (
              <li key={question.key}>
                <span dir="auto" lang={question.language || undefined}>
                  {question.sample || question.words}
                </span>
                <b title={texts.asked(question.count)}>
                  <span aria-hidden>{count(question.count)}</span>
                  <span className="visually-hidden">{texts.asked(question.count)}</span>
                </b>
              </li>
            ))}
          </ul>
          <p className={css.note}>{texts.nextNote}</p>
        </>
      )}
      <Link className={css.more} href="/articles/gaps">
        {texts.gaps}
      </Link>
    </section>
  );
}

function Meaning({ total }: { total: AgentFigures }) {
  const reserved = tokensOf(total.spend, "reservedTokens");
  return (
    <section className={css.card}>
      <header className={css.cardHead}>
        <h2>{texts.meaning}</h2>
      </header>
      <p className={css.note}>{texts.adds}</p>
      <dl className={css.meanings}>
        {[...texts.meanings, ...(total.spend === null ? [] : texts.costMeanings)].map(([name, meaning]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      {reserved > 0 && <p className={css.note}>{texts.reserved(texts.tokens(count(reserved)))}</p>}
      {total.spend === null && <p className={css.note}>{texts.forAdmins}</p>}
    </section>
  );
}
