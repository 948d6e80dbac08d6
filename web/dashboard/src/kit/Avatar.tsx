import { aliasOf, type Alias } from "../../../shared/alias";
import { initials } from "../../../shared/names";
import { useState, type CSSProperties } from "react";
import styles from "./Badge.module.css";
import { cx } from "./cx";

const colors = ["red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"] as const;

/** The same colour for the same id; a visitor who is shown by an alias has the alias's. */
export function avatarColor(id: string, name: string): (typeof colors)[number] | Alias["color"] {
  const alias = aliasOf(id);
  if (alias.name === name) return alias.color;
  let sum = 0;
  for (const char of id) sum = (sum * 31 + char.charCodeAt(0)) >>> 0;
  return colors[sum % colors.length] ?? "teal";
}

/**
 * A picture, or initials on a colour. It is decorative, because the name is next to it, so the initials are hidden from
 * screen readers.
 */
export function Avatar({ id, name, image = "", size = 28 }: { id: string; name: string; image?: string | null; size?: number }) {
  const [broken, setBroken] = useState("");
  const shown = Boolean(image) && broken !== image;
  const style = { "--size": `${size}px` } as CSSProperties;
  return (
    <span className={cx(styles.avatar, styles[avatarColor(id, name)])} style={style} aria-hidden="true" data-initials={shown ? "" : initials(name)}>
      {shown && <img src={image ?? ""} alt="" loading="lazy" referrerPolicy="no-referrer" onError={() => setBroken(image ?? "")} />}
    </span>
  );
}
