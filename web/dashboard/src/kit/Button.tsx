import type { ComponentPropsWithRef, ReactNode } from "react";
import { Link } from "wouter";
import styles from "./Button.module.css";
import { cx } from "./cx";
import { Tooltip } from "./Tooltip";

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";

interface Look {
  variant?: ButtonVariant;
  size?: "sm" | "md";
  icon?: ReactNode;
}
type ButtonProps = ComponentPropsWithRef<"button"> &
  Look & {
    /** Shows that work is in progress; a second press does nothing. */
    busy?: boolean;
  };

export function buttonClass(variant: ButtonVariant = "secondary", size: "sm" | "md" = "md"): string {
  return cx(styles.button, styles[variant], size === "sm" && styles.sm);
}

export function Button({ variant = "secondary", size = "md", icon, busy = false, className, children, onClick, type = "button", ...rest }: ButtonProps) {
  return (
    <button {...rest} type={type} className={cx(buttonClass(variant, size), className)} aria-busy={busy || undefined} onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}>
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

/** A link that looks like a button, for navigation instead of an action. */
export function ButtonLink({ href, variant = "secondary", size = "md", icon, children, className }: Look & { href: string; children: ReactNode; className?: string }) {
  return (
    <Link href={href} className={cx(buttonClass(variant, size), className)}>
      {icon}
      {children}
    </Link>
  );
}

type IconButtonProps = Omit<ComponentPropsWithRef<"button">, "children" | "aria-label"> & {
  /** The name of the button, also shown as its tooltip. */
  label: string;
  icon: ReactNode;
  shortcut?: string;
  variant?: ButtonVariant;
  size?: "sm" | "md";
};

export function IconButton({ label, icon, shortcut, variant = "ghost", size = "md", className, type = "button", ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} {...(shortcut && { shortcut })}>
      <button {...rest} type={type} aria-label={label} className={cx(buttonClass(variant, size), styles.icon, className)}>
        {icon}
      </button>
    </Tooltip>
  );
}

export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}
