import { ChevronsUpDown, Keyboard, LogOut, Monitor, Moon, Sun, UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { Avatar, Menu, type MenuEntry } from "../kit";
import { useMe } from "../sync";
import { useNamedCommand } from "./commands";
import styles from "./Shell.module.css";
import { shortcuts } from "./shortcuts";
import { useSignOut } from "./SignOut";
import { texts } from "./texts";
import { setTheme, useTheme, type Theme } from "./theme";

export function MeMenu({ onHelp }: { onHelp: () => void }) {
  const me = useMe();
  const theme = useTheme();
  const [, navigate] = useLocation();
  const signOut = useSignOut();
  useNamedCommand({ id: "signOut", label: texts.meMenu.signOut, group: shortcuts.palette.group, keys: "", run: () => void signOut.begin() });
  const look = (value: Theme, label: string, icon: ReactNode): MenuEntry => ({ label, icon, checked: theme === value, onSelect: () => setTheme(value) });
  return (
    <div className={styles.foot}>
      <Menu
        label={texts.meMenu.yourAccount}
        button={
          <button type="button" className={styles.me}>
            <Avatar id={me.id} name={me.name} image={me.image} size={26} />
            <span className={styles.name}>{me.name}</span>
            <ChevronsUpDown size={14} aria-hidden />
          </button>
        }
        entries={[
          { label: texts.meMenu.profileAndSessions, icon: <UserRound size={15} />, onSelect: () => navigate("/settings/profile") },
          { label: texts.meMenu.keyboardShortcuts, icon: <Keyboard size={15} />, shortcut: "?", onSelect: onHelp },
          "separator",
          { heading: texts.meMenu.theme },
          look("light", texts.meMenu.light, <Sun size={15} />),
          look("dark", texts.meMenu.dark, <Moon size={15} />),
          look("system", texts.meMenu.system, <Monitor size={15} />),
          "separator",
          { label: texts.meMenu.signOut, icon: <LogOut size={15} />, onSelect: () => void signOut.begin() },
        ]}
      />
      {signOut.dialog}
    </div>
  );
}
