// The frame of the lists of contacts and of companies: a search that is part of
// the address, and a list that grows while scrolling.
import { SearchX, Users } from "lucide-react";
import { useMemo, type ReactNode } from "react";
import type { PagesState } from "../api/useQuery";
import { EmptyState, ErrorState, Page, SearchField, SkeletonRows, Spinner, VirtualList } from "../kit";
import css from "./people.module.css";
import { texts } from "./texts";

interface DirectoryProps<T extends { id: string }> {
  title: string;
  list: PagesState<T>;
  search: string;
  onSearch: (text: string) => void;
  searchLabel: string;
  actions: ReactNode;
  /** The order of the list, in words. */
  order: string;
  /** What to do if there are no records at all. */
  empty: { title: string; text: string };
  row: (record: T) => ReactNode;
}

export function Directory<T extends { id: string }>({ title, list, search, onSearch, searchLabel, actions, order, empty, row }: DirectoryProps<T>) {
  return (
    <Page full title={title} actions={actions}>
      <div className={css.directory}>
        <div className={css.searchBar}>
          <SearchField label={searchLabel} placeholder={searchLabel} value={search} onChange={onSearch} autoComplete="off" />
        </div>
        {search === "" && list.items.length > 1 && <p className={css.order}>{order}</p>}
        <p className="visually-hidden" role="status">
          {list.loading ? texts.directory.loading : texts.directory.shown(list.items.length, list.more)}
        </p>
        <Body list={list} label={title} found={search !== ""} empty={empty} row={row} />
      </div>
    </Page>
  );
}

interface BodyProps<T extends { id: string }> {
  list: PagesState<T>;
  label: string;
  found: boolean;
  empty: { title: string; text: string };
  row: (record: T) => ReactNode;
}

function Body<T extends { id: string }>({ list, label, found, empty, row }: BodyProps<T>) {
  // A record that was created since may be repeated on the next page.
  const rows = useMemo(() => [...new Map(list.items.map((record) => [record.id, record])).values()], [list.items]);
  if (list.loading) return <SkeletonRows count={10} />;
  if (rows.length === 0) {
    if (list.error !== undefined) return <ErrorState error={list.error} onRetry={list.reload} />;
    return found ? (
      <EmptyState icon={<SearchX size={20} />} title={texts.directory.nothingFound}>
        {texts.directory.tryFewer}
      </EmptyState>
    ) : (
      <EmptyState icon={<Users size={20} />} title={empty.title}>
        {empty.text}
      </EmptyState>
    );
  }
  return (
    <VirtualList
      className={css.list}
      label={label}
      count={rows.length}
      estimate={60}
      keyOf={(index) => rows[index]?.id ?? String(index)}
      row={(index) => {
        const record = rows[index];
        return record && row(record);
      }}
      onEnd={list.loadMore}
      footer={<Footer list={list} />}
    />
  );
}

function Footer<T>({ list }: { list: PagesState<T> }) {
  if (list.error !== undefined) return <ErrorState error={list.error} onRetry={list.reload} title={texts.directory.restFailed} />;
  return list.more ? (
    <div className={css.more} role="status">
      <Spinner />
      <span className="visually-hidden">{texts.directory.loadingMore}</span>
    </div>
  ) : null;
}
