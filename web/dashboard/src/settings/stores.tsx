// Which keys still call the old routes under /stores, and how long these will exist.
import type { StoresUse, StoresUseOfKey } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Badge, ErrorState, RelativeTime, Section, shortDate, SkeletonRows, Table, type Column } from "../kit";
import css from "./settings.module.css";
import { texts } from "./texts";
import { locale } from "../kit/texts";

const columns: readonly Column<StoresUseOfKey>[] = [
  {
    key: "key",
    title: texts.stores.key,
    cell: ({ key }) => (
      <>
        {key.name} <span className={css.mono}>{key.display}</span>
      </>
    ),
  },
  { key: "calls", title: texts.stores.calls, number: true, cell: ({ calls }) => calls.toLocaleString(locale) },
  { key: "days", title: texts.stores.byDay, secondary: true, cell: ({ days }) => <Spark days={days} /> },
  { key: "first", title: texts.stores.since, secondary: true, cell: ({ firstDay }) => shortDate(firstDay) },
  { key: "last", title: texts.stores.lastCall, cell: ({ lastAt }) => <RelativeTime at={lastAt} suffix="ago" /> },
];

/** The number of days that are drawn; more would be too thin to see. */
const drawnDays = 30;

export function StoresSection() {
  const use = useQuery<StoresUse>("/v1/dashboard/keys/stores");
  return (
    <Section
      title={texts.stores.keysThatStillCallStores}
      description={
        <>
          {texts.stores.oldRoutes} <code>/v1/public/stores</code> {texts.stores.end(use.data ? shortDate(use.data.sunset) : texts.stores.sunset)} <code>/stores</code> {texts.stores.by}{" "}
          <code>/companies</code> {texts.stores.and} <code>storeId</code> {texts.stores.by} <code>companyId</code>
          {texts.stores.the}{" "}
          <a href="/docs/deprecations/stores" target="_blank" rel="noopener">
            {texts.stores.notice}
          </a>{" "}
          {texts.stores.saysHow}
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
  if (use.data.length === 0) return <p className={css.note}>{texts.stores.noKeyCallsThemThere}</p>;
  return <Table caption={texts.stores.keysThatCall} columns={columns} rows={use.data} rowKey={({ key }) => key.id} />;
}

function Deadline({ daysLeft, calm }: { daysLeft: number; calm: boolean }) {
  if (daysLeft <= 0) return <Badge tone={calm ? "neutral" : "danger"}>{texts.stores.theyNoLongerExist}</Badge>;
  const tone = calm ? "neutral" : daysLeft <= 30 ? "danger" : "warn";
  return <Badge tone={tone}>{texts.stores.daysLeft(daysLeft)}</Badge>;
}

/** The calls of the last days as small bars, next to their numbers. */
function Spark({ days }: { days: StoresUseOfKey["days"] }) {
  const shown = [...days].sort((a, b) => a.day.localeCompare(b.day, locale)).slice(-drawnDays);
  const top = Math.max(1, ...shown.map(({ calls }) => calls));
  return (
    <svg className={css.days} viewBox={`0 0 ${drawnDays * 4} 28`} role="img" aria-label={texts.stores.callsOfTheLastDays(shown.length, top.toLocaleString(locale))}>
      <rect className={css.ground} y="27" width="100%" height="1" />
      {shown.map(({ day, calls }, index) => {
        const height = Math.max(1, (26 * calls) / top);
        return <rect key={day} x={(drawnDays - shown.length + index) * 4} y={28 - height} width="3" height={height} rx="1" />;
      })}
    </svg>
  );
}
