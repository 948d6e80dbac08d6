import {
  AlarmClock,
  AlarmClockCheck,
  BarChart3,
  Bookmark,
  Bot,
  BookOpen,
  Building2,
  ChevronDown,
  CircleCheck,
  CircleDashed,
  Contact,
  Hourglass,
  Inbox,
  Layers,
  MessageSquare,
  OctagonAlert,
  Package,
  Settings,
  UserRound,
  UsersRound,
} from "lucide-react";
import { useState, type ReactNode } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { channelIcon, inboxName } from "../inbox/channel";
import { useSavedViews, useViewCounts } from "../inbox/savedviews";
import { texts as teamTexts } from "../inbox/teams.texts";
import { builtIn, inboxAddress, sameView, savedFilter, viewOf, type View } from "../inbox/views";
import { readStored, writeStored } from "../kit";
import { useCounts, useInboxes, useLabelColor, useLabels, useMe, useProducts, useTeams } from "../sync";
import styles from "./Shell.module.css";
import { texts } from "./texts";

const icons = {
  open: <Inbox size={16} />,
  mine: <UserRound size={16} />,
  unassigned: <CircleDashed size={16} />,
  waiting: <Hourglass size={16} />,
  pending: <Layers size={16} />,
  snoozed: <AlarmClock size={16} />,
  back: <AlarmClockCheck size={16} />,
  resolved: <CircleCheck size={16} />,
  spam: <OctagonAlert size={16} />,
  handedover: <Bot size={16} />,
};

/** Links to every page, and to every view of the inbox. */
export function Navigation() {
  const counts = useCounts();
  const inboxes = useInboxes();
  const products = useProducts().filter((product) => !product.archived);
  const labels = useLabels();
  const me = useMe();
  const views = useSavedViews();
  const saved = views.filter(({ scope }) => scope !== "team");
  const ofTeam = (team: string) => views.filter(({ teamId }) => teamId === team);
  const teams = useTeams().filter(({ id, memberIds }) => memberIds.includes(me.id) || ofTeam(id).length > 0);
  const color = useLabelColor();
  const savedCounts = useViewCounts();
  const count = {
    open: counts?.open,
    mine: counts?.mine,
    unassigned: counts?.unassigned,
    waiting: counts?.waiting,
    pending: counts?.pending,
    snoozed: counts?.snoozed,
    back: counts?.back,
    resolved: undefined,
    spam: undefined,
    handedover: undefined,
  };
  return (
    <nav className={styles.nav} aria-label={texts.navigation.pages}>
      <div className={styles.views}>
        <ul>
          {builtIn.map(({ id, name, view }) => (
            <ViewItem key={id} view={view} icon={icons[id]} name={name} count={count[id]} />
          ))}
        </ul>
        {saved.length > 0 && (
          <Group id="saved" name={texts.navigation.savedViews}>
            {saved.map((view) => (
              <ViewItem
                key={view.id}
                view={savedFilter(view)}
                icon={view.scope === "own" ? <Bookmark size={16} /> : <UsersRound size={16} aria-label={texts.navigation.forEverybody} />}
                name={view.name}
                count={view.pinned ? savedCounts.get(view.id) : undefined}
              />
            ))}
          </Group>
        )}
        {teams.length > 0 && (
          <Group id="teams" name={teamTexts.teams}>
            {teams.map(({ id, name, color: hue }) => (
              <li key={id}>
                <ViewLink view={{ status: "open", teamId: id }} icon={<span className={styles.dot} style={{ background: `var(--c-label-${hue}-text)` }} />} name={name} />
                {ofTeam(id).length > 0 && (
                  <ul className={styles.nested} aria-label={texts.navigation.viewsOf(name)}>
                    {ofTeam(id).map((view) => (
                      <ViewItem key={view.id} view={savedFilter(view)} icon={<Bookmark size={16} />} name={view.name} count={view.pinned ? savedCounts.get(view.id) : undefined} />
                    ))}
                  </ul>
                )}
              </li>
            ))}
          </Group>
        )}
        <Group id="inboxes" name={texts.navigation.inboxes}>
          {inboxes.map((inbox) => (
            <ViewItem key={inbox.id} view={{ status: "open", inboxId: inbox.id }} icon={channelIcon(inbox.channelType, 16)} name={inboxName(inbox)} />
          ))}
        </Group>
        <Group id="products" name={texts.navigation.products}>
          {products.map((product) => (
            <ViewItem key={product.id} view={{ status: "open", productId: product.id }} icon={<Package size={16} />} name={product.name} />
          ))}
          <ViewItem view={{ status: "open", productId: "none" }} icon={<MessageSquare size={16} />} name={texts.navigation.withoutAProduct} />
        </Group>
        {labels.length > 0 && (
          <Group id="labels" name={texts.navigation.labels}>
            {labels.map((label) => (
              <ViewItem
                key={label.name}
                view={{ status: "open", label: label.name }}
                icon={<span className={styles.dot} style={{ background: `var(--c-label-${color(label.name)}-text)` }} />}
                name={label.name}
              />
            ))}
          </Group>
        )}
      </div>
      <ul className={styles.pages}>
        <PageItem href="/contacts" icon={<Contact size={16} />} name={texts.navigation.contacts} />
        <PageItem href="/companies" icon={<Building2 size={16} />} name={texts.navigation.companies} />
        <PageItem href="/articles" icon={<BookOpen size={16} />} name={texts.navigation.articles} />
        <PageItem href="/reports" icon={<BarChart3 size={16} />} name={texts.navigation.reports} />
        <PageItem href="/settings" icon={<Settings size={16} />} name={texts.navigation.settings} />
      </ul>
    </nav>
  );
}

function Group({ id, name, children }: { id: string; name: string; children: ReactNode }) {
  const key = `parley.fold.${id}`;
  const [open, setOpen] = useState(() => readStored(key) !== "closed");
  const toggle = () => {
    writeStored(key, open ? "closed" : "open");
    setOpen(!open);
  };
  return (
    <div className={styles.group}>
      <button type="button" className={styles.heading} aria-expanded={open} onClick={toggle}>
        {name}
        <ChevronDown size={13} aria-hidden />
      </button>
      {open && <ul>{children}</ul>}
    </div>
  );
}

interface ItemProps {
  icon: ReactNode;
  name: string;
  count?: number | undefined;
}

function ViewItem(props: ItemProps & { view: View }) {
  return (
    <li>
      <ViewLink {...props} />
    </li>
  );
}

function ViewLink({ view, icon, name, count }: ItemProps & { view: View }) {
  const [path] = useLocation();
  const search = useSearch();
  const current = (path === "/inbox" || path.startsWith("/inbox/")) && sameView(viewOf(new URLSearchParams(search)), view);
  return (
    <Link href={inboxAddress(view)} className={styles.item} aria-current={current ? "page" : undefined}>
      {icon}
      <span className={styles.name}>{name}</span>
      {count !== undefined && count > 0 && <span className={styles.count}>{count >= 1000 ? "999+" : count}</span>}
    </Link>
  );
}

function PageItem({ href, icon, name }: ItemProps & { href: string }) {
  const [path] = useLocation();
  return (
    <li>
      <Link href={href} className={styles.item} aria-current={path === href || path.startsWith(`${href}/`) ? "page" : undefined}>
        {icon}
        <span className={styles.name}>{name}</span>
      </Link>
    </li>
  );
}
