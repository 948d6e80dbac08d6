import { cloneElement, useState, type KeyboardEvent, type MouseEvent, type ReactElement, type ReactNode } from "react";
import { chunk } from "./chunk";

export type MenuEntry =
  | {
      label: string;
      icon?: ReactNode;
      shortcut?: string;
      danger?: boolean;
      disabled?: boolean;
      /** If given, the entry belongs to a choice, and this is whether it is chosen. */
      checked?: boolean;
      onSelect: () => void;
    }
  | { heading: string }
  | "separator";

export interface MenuProps {
  /** The element that opens the menu, a Button or IconButton. */
  button: ReactElement<ButtonProps>;
  label?: string;
  entries: readonly MenuEntry[];
}

interface ButtonProps {
  onClick?: (event: MouseEvent) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  "aria-haspopup"?: "menu";
  "aria-expanded"?: boolean;
}

/** Where the focus is when the menu has opened. */
export type MenuFocus = "container" | "first" | "last";

const Parts = chunk<MenuProps & { focus: MenuFocus }>(
  () => import("./MenuParts").then((m) => m.MenuParts),
  ({ button }) => button,
);

/** A menu of actions, whose script is loaded when one is opened. */
export function Menu(props: MenuProps) {
  const [focus, setFocus] = useState<MenuFocus | null>(null);
  if (focus) return <Parts {...props} focus={focus} />;
  return cloneElement(props.button, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    // A click without a position comes from the keyboard.
    onClick: ({ detail }: MouseEvent) => setFocus(detail === 0 ? "first" : "container"),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      setFocus(event.key === "ArrowDown" ? "first" : "last");
    },
  });
}
