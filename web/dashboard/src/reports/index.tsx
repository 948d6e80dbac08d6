// The reports: how much comes in, how much is resolved, and how long customers wait;
// and what the automated agent did and cost.
import { ChartNoAxesCombined, Download } from "lucide-react";
import { useState } from "react";
import { useLocation, useParams, useSearch } from "wouter";
import type { Report } from "../api/types";
import { useQuery } from "../api/useQuery";
import { NotFound } from "../app/NotFound";
import { buttonClass, cx, EmptyState, ErrorState, Page, SkeletonRows, Tabs, useNow } from "../kit";
import { AgentReportView } from "./agent";
import { texts as agentTexts } from "./agent.texts";
import { Charts } from "./charts";
import { Controls } from "./controls";
import { dayOf, dayText } from "./days";
import { readQuery, writeAgentQuery, writeQuery, type Filter, type ReportQuery } from "./query";
import css from "./reports.module.css";
import { isEmpty } from "./rows";
import { useMe } from "../sync";
import { Summary } from "./summary";
import { ReportTable } from "./table";
import { texts } from "./texts";

type Kind = "conversations" | "agent";

const kinds = [
  { id: "conversations", label: agentTexts.conversations },
  { id: "agent", label: agentTexts.agent },
] as const;

/** The address of a report, and that of its numbers as a file. */
const addresses: Record<Kind, { page: (query: ReportQuery) => string; csv: (query: ReportQuery) => string; file: (query: ReportQuery) => string }> = {
  conversations: {
    page: (query) => `/reports?${writeQuery(query)}`,
    csv: (query) => `/v1/dashboard/reports.csv?${writeQuery(query)}`,
    file: ({ by, from, to }) => `parley-${by}-${from}-${to}.csv`,
  },
  agent: {
    page: (query) => `/reports/agent?${writeAgentQuery(query)}`,
    csv: (query) => `/v1/dashboard/agent-report.csv?${writeAgentQuery(query)}`,
    file: ({ from, to }) => `parley-agent-${from}-${to}.csv`,
  },
};

export function ReportsPage() {
  const [, navigate] = useLocation();
  const { kind: named = "conversations" } = useParams<{ kind?: string }>();
  const today = dayOf(useNow());
  const query = readQuery(useSearch(), today);
  const shown = useMe().access === "all" ? kinds : kinds.filter(({ id }) => id === "conversations"); // the other adds up all conversations
  const kind = shown.find(({ id }) => id === named)?.id;
  if (!kind) return <NotFound />;
  const View = kind === "agent" ? AgentReportView : ConversationReport;
  const { page, csv, file } = addresses[kind];
  return (
    <Page
      title={texts.index.reports}
      description={texts.index.period(dayText(query.from, "full"), dayText(query.to, "full"))}
      actions={
        <a className={buttonClass()} href={csv(query)} download={file(query)}>
          <Download size={16} aria-hidden />
          {texts.index.csv}
        </a>
      }
    >
      <Tabs label={agentTexts.which} tabs={shown} selected={kind} onSelect={(next) => next !== kind && navigate(addresses[next].page({ ...query, by: "day" }))}>
        <View query={query} today={today} onChange={(next) => navigate(page(next))} />
      </Tabs>
    </Page>
  );
}

interface ReportProps {
  query: ReportQuery;
  today: string;
  onChange: (query: ReportQuery) => void;
}

function ConversationReport({ query, today, onChange }: ReportProps) {
  const report = useQuery<Report>(`/v1/dashboard/reports?${writeQuery(query)}`);
  // The previous report stays, dimmed, until the next one is loaded.
  const [last, setLast] = useState(report.data);
  if (report.data && report.data !== last) setLast(report.data);
  return (
    <div className={css.view}>
      <Controls query={query} today={today} onChange={onChange} />
      <Body
        report={last}
        error={report.error}
        loading={report.loading}
        onRetry={report.reload}
        onItem={(id) => query.by !== "day" && onChange({ ...query, by: "day", filter: { dimension: query.by, id } satisfies Filter })}
      />
    </div>
  );
}

interface BodyProps {
  report: Report | undefined;
  error: unknown;
  loading: boolean;
  onRetry: () => void;
  onItem: (id: string) => void;
}

function Body({ report, error, loading, onRetry, onItem }: BodyProps) {
  if (error !== undefined) return <ErrorState error={error} onRetry={onRetry} />;
  if (report === undefined) return <SkeletonRows count={8} avatar={false} />;
  if (isEmpty(report)) {
    return (
      <EmptyState icon={<ChartNoAxesCombined size={20} />} title={texts.index.noActivityInThisPeriod}>
        {texts.index.chooseALongerRange}
      </EmptyState>
    );
  }
  return (
    <div className={cx(css.report, loading && css.stale)} aria-busy={loading}>
      <Summary total={report.total} />
      <Charts report={report} />
      <ReportTable report={report} onItem={onItem} />
    </div>
  );
}
