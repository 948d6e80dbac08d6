// The settings: their own navigation, and a page for each subject.
import { Boxes } from "lucide-react";
import type { ComponentType } from "react";
import { Link, useLocation } from "wouter";
import type { Role } from "../api/types";
import { NotFound } from "../app/NotFound";
import { chunk, EmptyState, Page, useNarrow } from "../kit";
import { useMe } from "../sync";
import { ArticleCategoriesPage } from "./articlecategories";
import { CannedAnswersPage } from "./cannedanswers";
import { HelpCentersPage } from "./helpcenters";
import { IdentityPage } from "./identity";
import { InboxesPage } from "./inboxes";
import { KeysPage } from "./keys";
import { LabelsPage } from "./labels";
import { MacrosPage } from "./macros";
import { MailsPage } from "./mails";
import { MembersPage } from "./members";
import { ModelsPage } from "./models";
import { NumbersPage } from "./numbers";
import { NotificationsPage } from "./notifications";
import { groups, type Entry, type PageName } from "./pages";
import { texts } from "./pages.texts";
import { ProductsPage } from "./products";
import { ProfilePage } from "./profile";
import { isAtLeast, roleName } from "./roles";
import css from "./settings.module.css";
import { SimulationPage } from "./simulation";
import { TeamsPage } from "./teams";
import { WorkspacePage } from "./workspace";

const AuditLogPage = chunk(() => import("./auditlog").then((m) => m.AuditLogPage));

const SignInProviderPage = chunk(() => import("./signinprovider").then((m) => m.SignInProviderPage));

const pages: Record<PageName, ComponentType> = {
  profile: ProfilePage,
  notifications: NotificationsPage,
  "canned-answers": CannedAnswersPage,
  macros: MacrosPage,
  labels: LabelsPage,
  "article-categories": ArticleCategoriesPage,
  workspace: WorkspacePage,
  members: MembersPage,
  teams: TeamsPage,
  mail: MailsPage,
  products: ProductsPage,
  inboxes: InboxesPage,
  "help-centers": HelpCentersPage,
  numbers: NumbersPage,
  models: ModelsPage,
  simulation: SimulationPage,
  keys: KeysPage,
  identity: IdentityPage,
  "sign-in": SignInProviderPage,
  audit: AuditLogPage,
};

export function SettingsPage() {
  const [location] = useLocation();
  const { role } = useMe();
  const narrow = useNarrow(760);
  const name = location.replace(/^\/settings\/?/, "").split("/")[0] ?? "";
  const entry = groups.flatMap(({ entries }) => entries).find(({ path }) => path === name);
  if (name !== "" && !entry) return <NotFound />;
  const shown = entry ?? groups[0]?.entries[0];
  const alone = narrow && !entry;
  return (
    <div className={css.layout} data-open={entry ? "page" : "menu"}>
      <Navigation role={role} current={shown?.path ?? ""} alone={alone} />
      <div className={css.content}>
        <Link href="/settings" className={css.back}>
          {texts.back}
        </Link>
        {shown && (isAtLeast(role, shown.role) ? <Shown name={shown.path} /> : <NotAllowed entry={shown} />)}
      </div>
    </div>
  );
}

function Shown({ name }: { name: PageName }) {
  const Current = pages[name];
  return <Current />;
}

/** `alone`: on a phone the menu is a page of its own. */
function Navigation({ role, current, alone }: { role: Role; current: string; alone: boolean }) {
  const [Title, Group] = alone ? (["h1", "h2"] as const) : (["h2", "h3"] as const);
  return (
    <nav className={css.nav} aria-label={texts.title}>
      <Title className={css.navTitle}>{texts.title}</Title>
      {groups.map(({ title, entries }) => {
        const allowed = entries.filter((entry) => isAtLeast(role, entry.role));
        if (allowed.length === 0) return null;
        return (
          <div key={title} className={css.navGroup}>
            <Group className={css.navGroupTitle}>{title}</Group>
            <ul>
              {allowed.map(({ path, label, icon: Icon }) => (
                <li key={path}>
                  <Link href={`/settings/${path}`} className={css.navLink} {...(path === current && { "aria-current": "page" as const })}>
                    <Icon size={16} aria-hidden />
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}

function NotAllowed({ entry }: { entry: Entry }) {
  return (
    <Page title={entry.label}>
      <EmptyState icon={<Boxes size={20} />} title={texts.onlyFor(roleName(entry.role).toLowerCase())}>
        {texts.ask(entry.role === "owner")}
      </EmptyState>
    </Page>
  );
}
