import * as Ariakit from "@ariakit/react";
import { Menu as MenuIcon, PanelLeftClose, PanelLeftOpen, PenSquare, Search } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { useLocation } from "wouter";
import { Calls } from "../calls/Calls";
import { builtIn, inboxAddress } from "../inbox/views";
import { chunk, dialogChunk, fetchChunks, IconButton, Kbd } from "../kit";
import { script } from "../kit/chunk";
import { Bell } from "../notices/Bell";
import { useLineState, useWorkspace } from "../sync";
import { BackupNotice } from "./BackupNotice";
import { CommandsProvider, useCommand } from "./commands";
import { useGone } from "./gone";
import { changeLayout, useLayout } from "./layout";
import { Line } from "./Line";
import { Logo } from "./Logo";
import { MeMenu } from "./MeMenu";
import { Navigation } from "./Navigation";
import styles from "./Shell.module.css";
import { texts } from "./texts";
import { Unsent, UnsentNotice } from "./Unsent";

const Palette = dialogChunk(() => import("./Palette").then((m) => m.Palette));
const Help = dialogChunk(() => import("./Help").then((m) => m.Help));
const NoticesPanel = dialogChunk(() => import("../notices/NoticesPanel").then((m) => m.NoticesPanel));
const NewConversation = dialogChunk(() => import("../inbox/NewConversation").then((m) => m.NewConversation));

/** The frame of every page of a member: navigation, palette, help, global shortcuts. */
export function Shell({ children }: { children: ReactNode }) {
  return (
    <CommandsProvider>
      <Frame>{children}</Frame>
    </CommandsProvider>
  );
}

// Fetched, and so registered, after everything that the page shows.
script(() => import("../device/register").then(({ registerWorker }) => void registerWorker()));

const BulkNote = chunk(() => import("../inbox/BulkNote").then((m) => m.BulkNote));

type Above = "palette" | "help" | "create" | "notices" | "drawer" | null;

function Frame({ children }: { children: ReactNode }) {
  const [above, setAbove] = useState<Above>(null);
  const [path, navigate] = useLocation();
  useGone();
  const workspace = useWorkspace();
  const close = () => setAbove(null);
  useEffect(() => setAbove((now) => (now === "drawer" ? null : now)), [path]);
  useKeys(setAbove);
  const inbox = path.startsWith("/inbox");
  // The inbox fetches them after its list.
  useEffect(() => (inbox ? undefined : fetchChunks()), [inbox]);
  const bell = <Bell onOpen={() => setAbove("notices")} />;
  const actions = (
    <>
      {bell}
      <IconButton label={texts.shell.newConversation} shortcut="c" icon={<PenSquare size={16} />} onClick={() => setAbove("create")} />
    </>
  );
  const { folded } = useLayout();
  const fold = () => changeLayout({ folded: !folded });
  useCommand("fold", fold);
  const side = (
    <>
      <div className={styles.brand}>
        <Logo size={24} />
        <strong>{workspace.name}</strong>
        {actions}
        <span className={styles.wide}>
          <IconButton label={texts.shell.fold} shortcut="[" icon={<PanelLeftClose size={16} />} onClick={fold} />
        </span>
      </div>
      <button type="button" className={styles.find} onClick={() => setAbove("palette")}>
        <Search size={14} aria-hidden />
        <span>{texts.shell.search}</span>
        <Kbd keys="Mod+k" />
      </button>
      <Navigation />
      <Unsent />
      <Line />
      <BackupNotice />
      <MeMenu onHelp={() => setAbove("help")} />
    </>
  );
  return (
    <div className={styles.shell} data-folded={folded || undefined}>
      <a href="#main" className={styles.skip}>
        {texts.shell.skipNavigation}
      </a>
      {path.startsWith("/inbox/") && (
        <a href="#conversation" className={styles.skip}>
          {texts.shell.skipToTheConversation}
        </a>
      )}
      <header className={styles.top}>
        <IconButton label={texts.shell.navigation} icon={<MenuIcon size={18} />} onClick={() => setAbove("drawer")} />
        <strong>{workspace.name}</strong>
        <Unsent />
        <LineDot />
        <IconButton label={texts.shell.search} icon={<Search size={18} />} onClick={() => navigate("/search")} />
        {actions}
      </header>
      <aside className={styles.side} aria-label={texts.shell.navigation}>
        {folded ? (
          <>
            <IconButton label={texts.shell.unfold} shortcut="[" icon={<PanelLeftOpen size={16} />} onClick={fold} />
            {bell}
          </>
        ) : (
          side
        )}
      </aside>
      <BulkNote />
      <main id="main" className={styles.main} tabIndex={-1}>
        {children}
      </main>
      <Ariakit.Dialog
        open={above === "drawer"}
        onClose={close}
        unmountOnHide
        backdrop={<div className={styles.backdrop} />}
        className={styles.drawer}
        aria-label={texts.shell.navigation}
        onClick={(event) => event.target instanceof Element && event.target.closest("a") && close()}
      >
        {side}
      </Ariakit.Dialog>
      <UnsentNotice />
      <Calls />
      <NoticesPanel open={above === "notices"} onClose={close} />
      <Palette open={above === "palette"} onClose={close} />
      <Help open={above === "help"} onClose={close} />
      {above === "create" && <NewConversation onClose={close} />}
    </div>
  );
}

/** On phones the state of the connection is a word in the bar, shown only if there is a problem. */
function LineDot() {
  return useLineState() === "live" ? null : <span>{texts.shell.offline}</span>;
}

function useKeys(setAbove: (above: Above) => void) {
  const [, navigate] = useLocation();
  const view = (index: number) => () => navigate(inboxAddress(builtIn[index]?.view ?? {}));
  useCommand("palette", () => setAbove("palette"));
  useCommand("help", () => setAbove("help"));
  useCommand("create", () => setAbove("create"));
  useCommand("notices", () => setAbove("notices"));
  useCommand("search", () => navigate("/search"));
  useCommand("goInbox", view(0));
  useCommand("goMine", view(1));
  useCommand("goUnassigned", view(2));
  useCommand("goWaiting", view(3));
  useCommand("goContacts", () => navigate("/contacts"));
  useCommand("goCompanies", () => navigate("/companies"));
  useCommand("goArticles", () => navigate("/articles"));
  useCommand("goReports", () => navigate("/reports"));
  useCommand("goSettings", () => navigate("/settings"));
}
