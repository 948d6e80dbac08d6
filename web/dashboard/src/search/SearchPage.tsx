import { Building2, MessageSquare, SearchX, UserRound } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { ApiError, errorText } from "../api/client";
import type { SearchHit } from "../api/types";
import { usePages } from "../api/useQuery";
import { Button, EmptyState, ErrorState, OrPlain, Page, plainText, RelativeTime, SearchField, SkeletonRows, Tabs } from "../kit";
import { lastView } from "../inbox/lastview";
import { Hints, OperatorList } from "./Hints";
import { hitAddress } from "./hits";
import { askable } from "./operators";
import styles from "./Search.module.css";
import { Snippet } from "./Snippet";
import { texts } from "./texts";

const kinds = [
  { id: "all", label: texts.searchPage.everything },
  { id: "message", label: texts.searchPage.messages },
  { id: "contact", label: texts.searchPage.contacts },
  { id: "company", label: texts.searchPage.companies },
] as const;
type Kind = (typeof kinds)[number]["id"];

const icons = { message: <MessageSquare size={16} aria-hidden />, contact: <UserRound size={16} aria-hidden />, company: <Building2 size={16} aria-hidden /> };

/** The search over messages, contacts and companies; it is part of the address. */
export function SearchPage() {
  const [params, setParams] = useSearchParams();
  const asked = params.get("q") ?? "";
  const kind = (kinds.find((one) => one.id === params.get("kind"))?.id ?? "all") satisfies Kind;
  const [text, setText] = useState(asked);
  const field = useRef<HTMLInputElement>(null);
  const change = (q: string, next?: Kind) => {
    const chosen = (now: URLSearchParams) => next ?? now.get("kind") ?? "all";
    setParams((now) => ({ ...(q && { q }), ...(chosen(now) !== "all" && { kind: chosen(now) }) }), { replace: true });
  };
  useEffect(() => setText((before) => (before.trim() === asked ? before : asked)), [asked]);
  const isAsked = useEffectEvent((wanted: string) => wanted === asked);
  const ask = useEffectEvent((wanted: string) => {
    // In the meantime a tab may have been chosen, or the next page be loading.
    if (location.pathname === "/search") change(wanted);
  });
  useEffect(() => {
    const wanted = text.trim();
    if (isAsked(wanted) || !askable(wanted)) return;
    const timer = setTimeout(() => ask(wanted), 220);
    return () => clearTimeout(timer);
    // The address itself must not start the timer: going back would be undone.
  }, [text]);
  return (
    <Page title={texts.searchPage.search}>
      <SearchField label={texts.searchPage.label} placeholder={texts.searchPage.placeholder} ref={field} autoFocus maxLength={200} value={text} onChange={setText} />
      <Hints
        text={text}
        onChange={(next) => {
          setText(next);
          field.current?.focus();
        }}
      />
      <Tabs label={texts.searchPage.whatToSearch} tabs={kinds} selected={kind} onSelect={(id) => change(text.trim(), id)}>
        {asked === "" ? (
          <>
            <EmptyState icon={<SearchX size={20} />} title={texts.searchPage.nothingAsked}>
              {texts.searchPage.howItFinds} {texts.operators.rules}
            </EmptyState>
            <OperatorList />
          </>
        ) : (
          <Hits q={asked} kind={kind} />
        )}
      </Tabs>
    </Page>
  );
}

function Hits({ q, kind }: { q: string; kind: Kind }) {
  const { items, error, loading, more, loadMore, reload } = usePages<SearchHit>("/v1/dashboard/search", { q, limit: 30, ...(kind !== "all" && { kind }) });
  if (loading) return <SkeletonRows avatar={false} />;
  if (error instanceof ApiError && error.status === 400) {
    return (
      <EmptyState icon={<SearchX size={20} />} title={texts.searchPage.refused}>
        {errorText(error)}
      </EmptyState>
    );
  }
  if (error && items.length === 0) return <ErrorState error={error} onRetry={reload} />;
  if (items.length === 0) {
    return (
      <EmptyState icon={<SearchX size={20} />} title={texts.searchPage.nothingFor(q)}>
        {texts.searchPage.tryFewer}
      </EmptyState>
    );
  }
  return (
    <>
      <ul className={styles.hits} aria-label={texts.searchPage.found}>
        {items.map((hit) => (
          <li key={`${hit.kind}${hit.id}`}>
            <OrPlain of={hit} plain={<Link href={hitAddress(hit, lastView())}>{plainText(hit.title)}</Link>}>
              <Link href={hitAddress(hit, lastView())} className={styles.hit}>
                {icons[hit.kind]}
                <span className={styles.text}>
                  <strong>{hit.title}</strong>
                  <span className={styles.snippet}>
                    <Snippet parts={hit.snippet} />
                  </span>
                </span>
                <span className={styles.when}>
                  <RelativeTime at={hit.at} />
                </span>
              </Link>
            </OrPlain>
          </li>
        ))}
      </ul>
      {more && <Button onClick={loadMore}>{texts.searchPage.showMore}</Button>}
    </>
  );
}
