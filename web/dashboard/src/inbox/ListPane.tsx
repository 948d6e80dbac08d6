import { ArrowUp, Bookmark, BookmarkCheck, ListFilter, PartyPopper, Rows2, Rows4, X } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { useLatest } from "../kit/useLatest";
import { Button, ButtonLink, dialogChunk, fetchChunks, EmptyState, ErrorState, IconButton, SkeletonRows, VirtualList } from "../kit";
import { useCommand, useNamedCommand } from "../shell/commands";
import { choicesOf, type After } from "../shell/choices";
import { changeLayout } from "../shell/layout";
import { shortcuts } from "../shell/shortcuts";
import { filterKey, useConversations, useMe, type Filter } from "../sync";
import { useValueName } from "./valuename";
import { FirstSteps, useFirstSteps } from "./FirstSteps";
import { useLeads } from "./flow";
import { neighbour, nextPlace } from "./heldorder";
import inbox from "./Inbox.module.css";
import styles from "./List.module.css";
import { texts as listTexts } from "./list.texts";
import { PaneSeparator } from "./PaneSeparator";
import { OrPlainRow, Row } from "./Row";
import { useMayShare, useSavedViews } from "./savedviews";
import { texts as viewTexts } from "./savedviews.texts";
import { SelectionBar } from "./SelectionBar";
import { texts } from "./texts";
import { useHeldOrder } from "./useHeldOrder";
import { useSelection } from "./useSelection";
import { builtIn, inboxAddress, sameView, savedFilter, viewName, viewQuery, type View } from "./views";

const FilterDialog = dialogChunk(() => import("./FilterDialog").then((m) => m.FilterDialog));
const EditViewDialog = dialogChunk(() => import("./EditViewDialog").then((m) => m.EditViewDialog));
const SaveViewDialog = dialogChunk(() => import("./SaveViewDialog").then((m) => m.SaveViewDialog));

interface Props {
  view: View;
  filter: Filter;
  openId: string | undefined;
  /** Rows of one line. */
  compact: boolean;
}

/** The list of a view. The marked row is the open conversation, or the cursor that j and k move. */
export function ListPane({ view, filter, openId, compact }: Props) {
  const me = useMe();
  const { ids: live, loading, error, more, loadMore, reload } = useConversations(filter);
  const [cursor, setCursor] = useState<string | undefined>(openId);
  const [above, setAbove] = useState<"filter" | "save" | "edit" | null>(null);
  const [, navigate] = useLocation();
  const saved = useSavedViews();
  const mayShare = useMayShare();
  const nameOf = useValueName();
  const title = viewName(view, saved, nameOf);
  useEffect(() => setCursor(openId), [openId]);
  useEffect(() => (loading ? undefined : fetchChunks()), [loading]);
  const order = useHeldOrder(filterKey(filter), live, cursor);
  const { ids, gone, news } = order;
  const body = useRef<HTMLDivElement>(null);
  const at = cursor === undefined ? -1 : ids.indexOf(cursor);
  const step = (by: 1 | -1) => () => {
    order.worked();
    const next = neighbour(order, cursor, by);
    if (next === undefined) return;
    if (openId) return navigate(inboxAddress(view, next), { replace: true });
    setCursor(next);
    document.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus({ preventScroll: true });
  };
  useLeads((done) => {
    const { afterResolve, afterReply } = choicesOf(me.id).get();
    const chosen: After = done === "replied" ? afterReply : afterResolve;
    const where = done === "deleted" && chosen === "stay" ? "list" : chosen;
    if (!openId || where === "stay" || (at < 0 && done !== "deleted")) return;
    order.worked();
    const next = where === "next" && at >= 0 ? nextPlace(order, openId) : undefined;
    navigate(inboxAddress(view, next), { replace: next !== undefined });
  });
  useCommand("next", ids.length > 0 ? step(1) : null);
  useCommand("previous", ids.length > 0 ? step(-1) : null);
  const selection = useSelection(view);
  const { toggle, add } = selection;
  const anchor = useRef<string | undefined>(undefined);
  const latest = useLatest(ids);
  const select = useCallback(
    (id: string, range: boolean) => {
      const from = anchor.current === undefined ? -1 : latest.current.indexOf(anchor.current);
      const to = latest.current.indexOf(id);
      anchor.current = id;
      if (range && from >= 0 && to >= 0) add(latest.current.slice(Math.min(from, to), Math.max(from, to) + 1));
      else toggle(id);
    },
    [toggle, add, latest],
  );
  const extend = (by: 1 | -1) => () => {
    order.worked();
    const next = neighbour(order, cursor, by);
    if (next === undefined) return;
    add(cursor === undefined ? [next] : [cursor, next]);
    anchor.current = next;
    setCursor(next);
  };
  const here = cursor ?? ids[0];
  useCommand("select", here === undefined ? null : () => (setCursor(here), select(here, false)));
  useCommand("selectNext", ids.length > 0 ? extend(1) : null);
  useCommand("selectPrevious", ids.length > 0 ? extend(-1) : null);
  useCommand("selectAll", ids.length > 0 ? () => add(ids) : null);
  useEffect(() => {
    if (!openId && cursor) document.querySelector<HTMLElement>(`[data-row="${cursor}"]`)?.focus({ preventScroll: true });
  }, [cursor, openId]);
  const ofList = (id: string, label: string, run: () => void) => ({ id, label, group: shortcuts.next.group, keys: "", run });
  useNamedCommand(ofList("filter", texts.listPane.filter, () => setAbove("filter")));
  useNamedCommand(ofList("rows", compact ? listTexts.roomy : listTexts.compact, () => changeLayout({ compact: !compact })));
  const known = saved.find((one) => sameView(savedFilter(one), view));
  const changeable = known && (known.scope !== "all" || mayShare) ? known : undefined;
  const canSave = viewQuery(view) !== "" && !known && !builtIn.some((one) => sameView(one.view, view));
  useNamedCommand(canSave ? ofList("saveView", viewTexts.save, () => setAbove("save")) : null);
  useNamedCommand(changeable ? ofList("editView", viewTexts.edit, () => setAbove("edit")) : null);
  return (
    <section className={inbox.listPane} aria-label={texts.listPane.conversations} {...order.watch}>
      <header className={styles.head}>
        <h1 title={title}>{title}</h1>
        {news > 0 && (
          <Button
            size="sm"
            icon={<ArrowUp size={14} />}
            onClick={() => {
              order.release();
              body.current?.querySelector("[data-scroller]")?.scrollTo({ top: 0 });
            }}
          >
            {texts.listPane.news(news)}
          </Button>
        )}
        {canSave && <IconButton label={viewTexts.save} icon={<Bookmark size={16} />} onClick={() => setAbove("save")} />}
        {changeable && <IconButton label={viewTexts.edit} icon={<BookmarkCheck size={16} />} onClick={() => setAbove("edit")} />}
        <IconButton label={compact ? listTexts.roomy : listTexts.compact} icon={compact ? <Rows2 size={16} /> : <Rows4 size={16} />} onClick={() => changeLayout({ compact: !compact })} />
        <IconButton label={texts.listPane.filter} icon={<ListFilter size={16} />} onClick={() => setAbove("filter")} />
      </header>
      <Chips view={view} nameOf={nameOf} />
      {selection.of && <SelectionBar selection={selection} resolved={view.status === "resolved"} more={more} />}
      <div ref={body} className={styles.body}>
        {loading ? (
          <SkeletonRows count={9} />
        ) : error && ids.length === 0 ? (
          <ErrorState error={error} onRetry={reload} />
        ) : ids.length === 0 ? (
          <Nothing view={view} />
        ) : (
          <VirtualList
            key={compact ? "compact" : "roomy"}
            label={title}
            count={ids.length}
            estimate={compact ? 45 : window.innerWidth > 860 ? 90 : 94}
            keyOf={(index) => ids[index] ?? ""}
            current={at}
            onEnd={more ? loadMore : () => {}}
            row={(index) => {
              const id = ids[index] ?? "";
              const href = inboxAddress(view, id);
              return (
                <OrPlainRow id={id} href={href} open={id === openId}>
                  <Row id={id} href={href} open={id === openId} cursor={id === cursor} compact={compact} gone={gone.has(id)} selected={selection.has(id)} onSelect={select} />
                </OrPlainRow>
              );
            }}
            footer={
              error ? (
                <Failed onRetry={loadMore} />
              ) : more ? (
                <div className={styles.end}>{texts.listPane.loadingMore}</div>
              ) : (
                <div className={styles.end}>{ids.length > 12 ? texts.listPane.end : ""}</div>
              )
            }
          />
        )}
      </div>
      <PaneSeparator pane="listWidth" />
      {above === "filter" && <FilterDialog view={view} onClose={() => setAbove(null)} />}
      {above === "edit" && changeable && <EditViewDialog view={changeable} onClose={() => setAbove(null)} />}
      {above === "save" && <SaveViewDialog view={view} suggested={title} onClose={() => setAbove(null)} />}
    </section>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={styles.end} role="alert">
      {texts.listPane.moreFailed}{" "}
      <Button size="sm" onClick={onRetry}>
        {texts.listPane.tryAgain}
      </Button>
    </div>
  );
}

/** The filters of the view besides its status, each with a button that removes it. */
function Chips({ view, nameOf }: { view: View; nameOf: (name: keyof Filter, value: string) => string }) {
  const [, navigate] = useLocation();
  const names = (Object.keys(view) as (keyof Filter)[]).filter((name) => view[name]);
  if (names.length < 2 || builtIn.some((one) => sameView(one.view, view))) return null;
  return (
    <div className={styles.chips}>
      {names.map((name) => {
        const value = nameOf(name, view[name] ?? "");
        const text = name === "status" ? value.charAt(0).toUpperCase() + value.slice(1) : value;
        return (
          <button key={name} type="button" className={styles.chip} aria-label={texts.listPane.withoutTheFilter(text)} onClick={() => navigate(inboxAddress({ ...view, [name]: undefined }))}>
            {text}
            <X size={13} aria-hidden />
          </button>
        );
      })}
    </div>
  );
}

function Nothing({ view }: { view: View }) {
  if (sameView(view, { status: "open" })) return <NothingOpen />;
  return (
    <EmptyState icon={<ListFilter size={20} />} title={texts.listPane.noMatch} action={<ButtonLink href={inboxAddress({ status: "open" })}>{texts.listPane.allOpen}</ButtonLink>}>
      {texts.listPane.matchesAppear}
    </EmptyState>
  );
}

function NothingOpen() {
  if (useFirstSteps()) return <FirstSteps />;
  return (
    <EmptyState icon={<PartyPopper size={20} />} title={texts.listPane.nobodyWaits}>
      {texts.listPane.newAppear}
    </EmptyState>
  );
}
