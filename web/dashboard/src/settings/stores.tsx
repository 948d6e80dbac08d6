// Which keys still call the old routes under /stores, and how long these last.
import type { StoresUse, StoresUseOfKey } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Badge, ErrorState, RelativeTime, Section, shortDate, SkeletonRows, Table, type Column } from "../kit";
import css from "./settings.module.css";

const columns: readonly Column<StoresUseOfKey>[] = [
  {
    key: "key",
    title: "Key",
    cell: ({ key }) => (
      <>
        {key.name} <span className={css.mono}>{key.display}</span>
      </>
    ),
  },
  { key: "calls", title: "Calls", number: true, cell: ({ calls }) => calls.toLocaleString("en-GB") },
  { key: "days", title: "By day", secondary: true, cell: ({ days }) => <Spark days={days} /> },
  { key: "first", title: "Since", secondary: true, cell: ({ firstDay }) => shortDate(firstDay) },
  { key: "last", title: "Last call", cell: ({ lastAt }) => <RelativeTime at={lastAt} suffix="ago" /> },
];

/** The last days drawn as bars; more would be too thin to see. */
const drawnDays = 30;

export function StoresSection() {
  const use = useQuery<StoresUse>("/v1/dashboard/keys/stores");
  return (
    <Section
      title="Keys that still call /stores"
      description={
        <>
          The old routes under <code>/v1/public/stores</code> end on {use.data ? shortDate(use.data.sunset) : "the sunset date"}. Replace <code>/stores</code> by <code>/companies</code> and{" "}
          <code>storeId</code> by <code>companyId</code>; the{" "}
          <a href="/docs/deprecations/stores" target="_blank" rel="noopener">
            notice
          </a>{" "}
          says how.
        </>
      }
      actions={use.data && <Deadline daysLeft={use.data.daysLeft} calm={use.data.data.length === 0} />}
    >
      <Body use={use.data} error={use.error} onRetry={use.reload} />
    </Section>
  );
}

function Body({ use, error, onRetry }: { use: StoresUse | undefined; error: unknown; onRetry: () => void }) {
  if (use === undefined) return error === undefined ? <SkeletonRows count={2} avatar={false} /> : <ErrorState error={error} onRetry={onRetry} />;
  if (use.data.length === 0) return <p className={css.note}>No key calls them. There is nothing to do.</p>;
  return <Table caption="Keys that call the old routes" columns={columns} rows={use.data} rowKey={({ key }) => key.id} />;
}

function Deadline({ daysLeft, calm }: { daysLeft: number; calm: boolean }) {
  if (daysLeft <= 0) return <Badge tone={calm ? "neutral" : "danger"}>They no longer exist</Badge>;
  const tone = calm ? "neutral" : daysLeft <= 30 ? "danger" : "warn";
  return <Badge tone={tone}>{daysLeft === 1 ? "1 day left" : `${daysLeft} days left`}</Badge>;
}

/** The calls of the last days as small bars. The numbers stand beside it. */
function Spark({ days }: { days: StoresUseOfKey["days"] }) {
  const shown = [...days].sort((a, b) => a.day.localeCompare(b.day)).slice(-drawnDays);
  const top = Math.max(1, ...shown.map(({ calls }) => calls));
  return (
    <svg className={css.days} viewBox={`0 0 ${drawnDays * 4} 28`} role="img" aria-label={`Calls of the last ${shown.length} days with calls, ${top.toLocaleString("en-GB")} a day at most`}>
      <rect className={css.ground} y="27" width="100%" height="1" />
      {shown.map(({ day, calls }, index) => {
        const height = Math.max(1, (26 * calls) / top);
        return <rect key={day} x={(drawnDays - shown.length + index) * 4} y={28 - height} width="3" height={height} rx="1" />;
      })}
    </svg>
  );
}
