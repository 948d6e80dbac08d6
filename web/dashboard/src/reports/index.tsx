// The reports: how much comes in, how much is resolved, and how long customers wait.
import { ChartNoAxesCombined, Download } from "lucide-react";
import { useState } from "react";
import { useLocation, useSearch } from "wouter";
import type { Report } from "../api/types";
import { useQuery } from "../api/useQuery";
import { buttonClass, cx, EmptyState, ErrorState, Page, SkeletonRows, useNow } from "../kit";
import { Charts } from "./charts";
import { Controls } from "./controls";
import { dayOf, dayText } from "./days";
import { readQuery, writeQuery, type Filter, type ReportQuery } from "./query";
import css from "./reports.module.css";
import { isEmpty } from "./rows";
import { Summary } from "./summary";
import { ReportTable } from "./table";
import { texts } from "./texts";

export function ReportsPage() {
  const [, navigate] = useLocation();
  const today = dayOf(useNow());
  const query = readQuery(useSearch(), today);
  const text = writeQuery(query);
  const report = useQuery<Report>(`/v1/dashboard/reports?${text}`);
  // The previous report stays, dimmed, until the next one is loaded.
  const [last, setLast] = useState(report.data);
  if (report.data && report.data !== last) setLast(report.data);
  const show = (next: ReportQuery) => navigate(`/reports?${writeQuery(next)}`);

  return (
    <Page
      title={texts.index.reports}
      description={texts.index.period(dayText(query.from, "full"), dayText(query.to, "full"))}
      actions={
        <a className={buttonClass()} href={`/v1/dashboard/reports.csv?${text}`} download={`parley-${query.by}-${query.from}-${query.to}.csv`}>
          <Download size={16} aria-hidden />
          {texts.index.csv}
        </a>
      }
    >
      <Controls query={query} today={today} onChange={show} />
      <Body
        report={last}
        error={report.error}
        loading={report.loading}
        onRetry={report.reload}
        onItem={(id) => query.by !== "day" && show({ ...query, by: "day", filter: { dimension: query.by, id } satisfies Filter })}
      />
    </Page>
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
