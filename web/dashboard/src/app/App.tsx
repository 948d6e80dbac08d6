import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { api, REPLACED, SIGNED_OUT } from "../api/client";
import type { Welcome, WorkspaceState } from "../api/types";
import { useQuery } from "../api/useQuery";
import { InboxPage } from "../inbox/InboxPage";
import { chunk, ErrorState, LeaveGuard, SkeletonRows, Spinner, ToastProvider } from "../kit";
import { useLatest } from "../kit/useLatest";
import { Shell } from "../shell/Shell";
import { Store, StoreContext, useMe, useMembers } from "../sync";
import styles from "./App.module.css";
import { Boundary } from "./Boundary";
import { NotFound } from "./NotFound";
import { texts } from "./texts";

const SearchPage = chunk(
  () => import("../search/SearchPage").then((m) => m.SearchPage),
  () => <SkeletonRows />,
);
const signin = () => import("../signin");
const SignInPage = lazy(() => signin().then((m) => ({ default: m.SignInPage })));
const InvitePage = lazy(() => signin().then((m) => ({ default: m.InvitePage })));
const people = () => import("../people");
const ContactsPage = lazy(() => people().then((m) => ({ default: m.ContactsPage })));
const ContactPage = lazy(() => people().then((m) => ({ default: m.ContactPage })));
const CompaniesPage = lazy(() => people().then((m) => ({ default: m.CompaniesPage })));
const CompanyPage = lazy(() => people().then((m) => ({ default: m.CompanyPage })));
const articles = () => import("../articles");
const ArticlesPage = lazy(() => articles().then((m) => ({ default: m.ArticlesPage })));
const EditorPage = lazy(() => articles().then((m) => ({ default: m.EditorPage })));
const GapsPage = lazy(() => articles().then((m) => ({ default: m.GapsPage })));
const SettingsPage = lazy(() => import("../settings").then((m) => ({ default: m.SettingsPage })));
const WelcomePage = lazy(() => import("../welcome").then((m) => ({ default: m.WelcomePage })));
const ReportsPage = lazy(() => import("../reports").then((m) => ({ default: m.ReportsPage })));
const PrintPage = lazy(() => import("../print/PrintPage").then((m) => ({ default: m.PrintPage })));
const StyleGuidePage = lazy(() => import("../styleguide").then((m) => ({ default: m.StyleGuidePage })));

export function App() {
  return (
    <ToastProvider>
      <Boundary>
        <LeaveGuard>
          <Switch>
            <Route path="/signin">
              <Suspense fallback={<Waiting />}>
                <SignInPage />
              </Suspense>
            </Route>
            <Route path="/invite">
              <Suspense fallback={<Waiting />}>
                <InvitePage />
              </Suspense>
            </Route>
            <Route path="/styleguide">
              <Suspense fallback={<Waiting />}>
                <StyleGuidePage />
              </Suspense>
            </Route>
            <Route path="/print/:id">
              <SignedIn>
                <Suspense fallback={<Waiting />}>
                  <PrintPage />
                </Suspense>
              </SignedIn>
            </Route>
            <Route>
              <SignedIn>
                <Shell>
                  <Boundary>
                    <Suspense fallback={<SkeletonRows />}>
                      <Pages />
                    </Suspense>
                  </Boundary>
                </Shell>
              </SignedIn>
            </Route>
          </Switch>
        </LeaveGuard>
      </Boundary>
    </ToastProvider>
  );
}

function Pages() {
  return (
    <Switch>
      <Route path="/">
        <Start />
      </Route>
      <Route path="/welcome" component={WelcomePage} />
      <Route path="/inbox/:id?" component={InboxPage} />
      <Route path="/search">
        <SearchPage />
      </Route>
      <Route path="/contacts" component={ContactsPage} />
      <Route path="/contacts/:id" component={ContactPage} />
      <Route path="/companies" component={CompaniesPage} />
      <Route path="/companies/:id" component={CompanyPage} />
      <Route path="/articles" component={ArticlesPage} />
      <Route path="/articles/gaps" component={GapsPage} />
      <Route path="/articles/:id/:language?" component={EditorPage} />
      <Route path="/reports/:kind?" component={ReportsPage} />
      <Route path="/settings" component={SettingsPage} />
      <Route path="/settings/*" component={SettingsPage} />
      <Route component={NotFound} />
    </Switch>
  );
}

/** The inbox, or the guided start for an owner who is still alone and has not finished it. */
function Start() {
  const me = useMe();
  const alone = useMembers().length === 1;
  const welcome = useQuery<Welcome>(me.role === "owner" && alone ? "/v1/dashboard/welcome" : null);
  if (welcome.loading) return <SkeletonRows />;
  return <Redirect to={welcome.data?.finishedAt === null ? "/welcome" : "/inbox?status=open"} replace />;
}

/**
 * Loads the state and keeps it live. Starts over for another member, and opens the sign-in page when the session has
 * ended.
 */
function SignedIn({ children }: { children: ReactNode }) {
  const [store, setStore] = useState<Store | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [turn, setTurn] = useState(0);
  const [, navigate] = useLocation();
  const latest = useLatest(store);
  useEffect(() => {
    const leave = () => {
      const here = location.pathname + location.search;
      const waiting = latest.current?.outbox.items.get().length ?? 0;
      navigate(here === "/" ? "/signin" : `/signin?next=${encodeURIComponent(here)}`, { replace: true, state: { waiting } });
    };
    window.addEventListener(SIGNED_OUT, leave);
    return () => window.removeEventListener(SIGNED_OUT, leave);
  }, [navigate, latest]);
  useEffect(() => {
    const renew = () => {
      setStore(null);
      setTurn((n) => n + 1);
    };
    const tabs = new BroadcastChannel(tabsName);
    tabs.onmessage = ({ data }: MessageEvent<string>) => latest.current && latest.current.lineName !== data && renew();
    window.addEventListener(REPLACED, renew);
    return () => {
      tabs.close();
      window.removeEventListener(REPLACED, renew);
    };
  }, [latest]);
  useEffect(() => {
    const abort = new AbortController();
    let stop = () => {};
    api.get<WorkspaceState>("/v1/dashboard/state", {}, abort.signal).then(
      (state) => {
        const next = new Store(state);
        stop = next.start();
        setStore(next);
        tellTabs(next);
      },
      (fault: unknown) => {
        if (!abort.signal.aborted) setError(fault);
      },
    );
    return () => {
      abort.abort();
      stop();
    };
  }, [turn]);
  const retry = () => {
    setError(null);
    setTurn((n) => n + 1);
  };
  if (error) {
    return (
      <main className={styles.whole}>
        <ErrorState title={texts.app.notLoaded} error={error} onRetry={retry} />
      </main>
    );
  }
  if (!store) return <Waiting />;
  return <StoreContext value={store}>{children}</StoreContext>;
}

/** The tabs of a browser share its cookie. Those that show another member than the cookie's start over. */
const tabsName = "parley.member";

function tellTabs({ lineName }: Store) {
  const tabs = new BroadcastChannel(tabsName);
  tabs.postMessage(lineName);
  tabs.close();
}

function Waiting() {
  return (
    <main className={styles.whole} role="status">
      <span className="visually-hidden">{texts.app.loading}</span>
      <Spinner />
    </main>
  );
}
