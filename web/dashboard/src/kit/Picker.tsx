import * as Ariakit from "@ariakit/react";
import type { ReactElement, ReactNode } from "react";
import { chunk } from "./chunk";
import { cx } from "./cx";
import styles from "./Popover.module.css";

export interface Choice {
  value: string;
  label: string;
  /** A second, muted text, which is searched too. */
  detail?: string;
  icon?: ReactNode;
}

interface PickerProps {
  /** The button that opens the list. */
  button: ReactElement;
  label: string;
  choices: readonly Choice[];
  placeholder?: string;
  /** Lets a caller open it, for example with a key. */
  open?: boolean;
  setOpen?: (open: boolean) => void;
  /** Offers to create what was typed if no choice has that name. */
  onCreate?: (text: string) => void;
}
type One = PickerProps & { value: string; onChange: (value: string) => void };
type Many = PickerProps & { values: readonly string[]; onToggle: (value: string) => void };
export type ChoicesProps = (One | Many) & { close: () => void };

const Choices = chunk(() => import("./Choices").then((m) => m.Choices));

/** A button with a searchable list of choices: one (`value`) or several (`values`, stays open). */
export function Picker(props: One | Many) {
  const { button, label, open, setOpen } = props;
  const popover = Ariakit.usePopoverStore({ placement: "bottom-start", ...(open !== undefined && { open }), ...(setOpen && { setOpen }) });
  return (
    <>
      <Ariakit.PopoverDisclosure store={popover} render={button} />
      <Ariakit.Popover store={popover} gutter={4} portal unmountOnHide className={cx(styles.popover, styles.searchable)} aria-label={label}>
        <Choices {...props} close={popover.hide} />
      </Ariakit.Popover>
    </>
  );
}
