// The charts of a report: over days, or over the items of a breakdown.
import type { Report, ReportRow } from "../api/types";
import { DayChart, Legend } from "./chart";
import { ItemChart } from "./items";
import { dayRows, durationText, rowName, tableRows } from "./rows";
import { countTicks, durationTicks } from "./scale";
import css from "./reports.module.css";
import { texts } from "./texts";
import { locale } from "../kit/texts";

const count = (value: number | null) => (value ?? 0).toLocaleString(locale);

/** Draws a report in three charts: counts, first response, resolution. */
export function Charts({ report }: { report: Report }) {
  const Card = report.by === "day" ? DayCard : ItemCard;
  return (
    <div className={css.charts}>
      <Card report={report} title={texts.charts.openedAndResolved} names={[texts.charts.opened, texts.charts.resolved]} values={(row) => [row.opened, row.resolved]} wide />
      <Card
        report={report}
        title={texts.charts.timeToFirstResponse}
        names={[texts.charts.median, texts.charts.within90]}
        values={(row) => [row.firstResponse.medianSeconds, row.firstResponse.p90Seconds]}
      />
      <Card report={report} title={texts.charts.timeToResolution} names={[texts.charts.median, texts.charts.within90]} values={(row) => [row.resolution.medianSeconds, row.resolution.p90Seconds]} />
    </div>
  );
}

interface CardProps {
  report: Report;
  title: string;
  names: readonly [string, string];
  values: (row: ReportRow) => [number | null, number | null];
  /** Counts, over the full width; the other charts are times. */
  wide?: boolean;
}

function DayCard({ report, title, names, values, wide = false }: CardProps) {
  const rows = dayRows(report);
  const series = names.map((name, n) => ({ name, values: rows.map((row) => values(row)[n] ?? null) }));
  return (
    <section className={wide ? css.wideCard : css.card}>
      <header className={css.cardHead}>
        <h2>{title}</h2>
        <Legend names={names} />
      </header>
      <DayChart
        label={title}
        days={rows.map((row) => row.key)}
        series={series}
        shape={wide && rows.length <= 62 ? "bars" : "lines"}
        ticks={wide ? countTicks : durationTicks}
        format={wide ? count : durationText}
      />
    </section>
  );
}

function ItemCard({ report, title, names, values, wide = false }: CardProps) {
  const items = tableRows(report).map((row) => ({ key: row.key, label: rowName(report, row), values: values(row) }));
  return (
    <section className={wide ? css.wideCard : css.card}>
      <header className={css.cardHead}>
        <h2>{title}</h2>
      </header>
      <ItemChart names={names} items={items} shape={wide ? "bars" : "span"} format={wide ? count : durationText} />
    </section>
  );
}
