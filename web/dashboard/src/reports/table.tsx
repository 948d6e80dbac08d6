// The numbers of a report as a table. The row of an item links to the same
// range by day for that item.
import type { Report, ReportRow } from "../api/types";
import { dimensions } from "./query";
import { durationText, rowName, tableRows } from "./rows";
import css from "./reports.module.css";
import { texts } from "./texts";
import { locale } from "../kit/texts";

interface ReportTableProps {
  report: Report;
  /** Opens the days of one item. */
  onItem: (id: string) => void;
}

export function ReportTable({ report, onItem }: ReportTableProps) {
  const name = dimensions.find((d) => d.value === report.by)?.label;
  return (
    <div className={css.scroll} tabIndex={0} role="region" aria-label={texts.table.allNumbers}>
      <table className={css.table}>
        <caption className="visually-hidden">{texts.table.allNumbersOfTheReport}</caption>
        <thead>
          <tr>
            <th scope="col" rowSpan={2}>
              {name}
            </th>
            <th scope="col" rowSpan={2} className={css.number}>
              {texts.table.opened}
            </th>
            <th scope="col" rowSpan={2} className={css.number}>
              {texts.table.resolved}
            </th>
            <th scope="colgroup" colSpan={2} className={css.pair}>
              {texts.table.firstResponse}
            </th>
            <th scope="colgroup" colSpan={2} className={css.pair}>
              {texts.table.resolution}
            </th>
          </tr>
          <tr>
            <th scope="col" className={css.number}>
              {texts.table.median}
            </th>
            <th scope="col" className={css.number}>
              {texts.table.within90}
            </th>
            <th scope="col" className={css.number}>
              {texts.table.median}
            </th>
            <th scope="col" className={css.number}>
              {texts.table.within90}
            </th>
          </tr>
        </thead>
        <tbody>
          {tableRows(report).map((row) => (
            <tr key={row.key}>
              <th scope="row">
                {report.by === "day" || row.key === "" ? (
                  rowName(report, row)
                ) : (
                  <button type="button" className={css.item} onClick={() => onItem(row.key)}>
                    {rowName(report, row)}
                  </button>
                )}
              </th>
              <Cells row={row} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{texts.table.total}</th>
            <Cells row={report.total} />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Cells({ row }: { row: ReportRow }) {
  return (
    <>
      <td className={css.number}>{row.opened.toLocaleString(locale)}</td>
      <td className={css.number}>{row.resolved.toLocaleString(locale)}</td>
      <td className={css.number}>{durationText(row.firstResponse.medianSeconds)}</td>
      <td className={css.number}>{durationText(row.firstResponse.p90Seconds)}</td>
      <td className={css.number}>{durationText(row.resolution.medianSeconds)}</td>
      <td className={css.number}>{durationText(row.resolution.p90Seconds)}</td>
    </>
  );
}
