// The settings: their own navigation, and a page for each subject.
import {
  Boxes,
  BrainCircuit,
  Building2,
  Fingerprint,
  FlaskConical,
  FolderOpen,
  Inbox,
  KeyRound,
  LifeBuoy,
  Mail,
  MessageCircle,
  MessageSquareText,
  Package,
  Tags,
  UserRound,
  Users,
  type LucideIcon,
} from "lucide-react";
import type { ComponentType } from "react";
import { Link, useLocation } from "wouter";
import type { Role } from "../api/types";
import { NotFound } from "../app/NotFound";
import { EmptyState, Page, useNarrow } from "../kit";
import { useMe } from "../sync";
import { ArticleCategoriesPage } from "./articlecategories";
import { CannedAnswersPage } from "./cannedanswers";
import { HelpCentersPage } from "./helpcenters";
import { IdentityPage } from "./identity";
import { InboxesPage } from "./inboxes";
import { KeysPage } from "./keys";
import { LabelsPage } from "./labels";
import { MailsPage } from "./mails";
import { texts as mailTexts } from "./mails.texts";
import { MembersPage } from "./members";
import { ModelsPage } from "./models";
import { NumbersPage } from "./numbers";
import { ProductsPage } from "./products";
import { ProfilePage } from "./profile";
import { isAtLeast, roleName } from "./roles";
import css from "./settings.module.css";
import { SimulationPage } from "./simulation";
import { texts } from "./texts";
import { WorkspacePage } from "./workspace";

interface Entry {
  path: string;
  label: string;
  icon: LucideIcon;
  /** The lowest role that may see it. */
  role: Role;
  page: ComponentType;
}

const groups: readonly { title: string; entries: readonly Entry[] }[] = [
  { title: texts.index.you, entries: [{ path: "profile", label: texts.index.profile, icon: UserRound, role: "agent", page: ProfilePage }] },
  {
    title: texts.index.answering,
    entries: [
      { path: "canned-answers", label: texts.index.cannedAnswers, icon: MessageSquareText, role: "agent", page: CannedAnswersPage },
      { path: "labels", label: texts.index.labels, icon: Tags, role: "agent", page: LabelsPage },
      { path: "article-categories", label: texts.index.articleCategories, icon: FolderOpen, role: "agent", page: ArticleCategoriesPage },
    ],
  },
  {
    title: texts.index.workspace,
    entries: [
      { path: "workspace", label: texts.index.general, icon: Building2, role: "owner", page: WorkspacePage },
      { path: "members", label: texts.index.members, icon: Users, role: "admin", page: MembersPage },
      { path: "mail", label: mailTexts.mail, icon: Mail, role: "admin", page: MailsPage },
      { path: "products", label: texts.index.products, icon: Package, role: "admin", page: ProductsPage },
      { path: "inboxes", label: texts.index.inboxes, icon: Inbox, role: "admin", page: InboxesPage },
      { path: "help-centers", label: texts.index.helpCenters, icon: LifeBuoy, role: "admin", page: HelpCentersPage },
      { path: "numbers", label: texts.index.numbers, icon: MessageCircle, role: "admin", page: NumbersPage },
      { path: "models", label: texts.index.models, icon: BrainCircuit, role: "admin", page: ModelsPage },
      { path: "simulation", label: texts.index.simulation, icon: FlaskConical, role: "admin", page: SimulationPage },
    ],
  },
  {
    title: texts.index.programs,
    entries: [
      { path: "keys", label: texts.index.apiKeys, icon: KeyRound, role: "admin", page: KeysPage },
      { path: "identity", label: texts.index.identity, icon: Fingerprint, role: "admin", page: IdentityPage },
    ],
  },
];

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
          {texts.index.back}
        </Link>
        {shown && (isAtLeast(role, shown.role) ? <shown.page /> : <NotAllowed entry={shown} />)}
      </div>
    </div>
  );
}

/** `alone`: on a phone the menu is a page of its own. */
function Navigation({ role, current, alone }: { role: Role; current: string; alone: boolean }) {
  const [Title, Group] = alone ? (["h1", "h2"] as const) : (["h2", "h3"] as const);
  return (
    <nav className={css.nav} aria-label={texts.index.title}>
      <Title className={css.navTitle}>{texts.index.title}</Title>
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
      <EmptyState icon={<Boxes size={20} />} title={texts.index.onlyFor(roleName(entry.role).toLowerCase())}>
        {texts.index.ask(entry.role === "owner")}
      </EmptyState>
    </Page>
  );
}
