import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import styles from "./Page.module.css";
import { useTitle } from "./title";

interface PageProps {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  back?: { href: string; label: string };
  /** The content scrolls by itself (a VirtualList) and takes the full height. */
  full?: boolean;
  children: ReactNode;
}

/** A page next to the navigation: its title (also of the window), its actions, its content. */
export function Page({ title, description, actions, back, full = false, children }: PageProps) {
  useTitle(title);
  const head = (
    <header className={styles.head}>
      <div>
        {back && <BackLink {...back} />}
        <h1>{title}</h1>
        {description && <p className={styles.description}>{description}</p>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  );
  if (full) {
    return (
      <div className={styles.full}>
        {head}
        <div className={styles.content}>{children}</div>
      </div>
    );
  }
  return (
    <div className={styles.page}>
      <div className={styles.inner}>
        {head}
        {children}
      </div>
    </div>
  );
}

/** A link to the page above this one. */
export function BackLink({ href, label }: { href: string; label: string }) {
  return (
    <Link href={href} className={styles.back}>
      <ArrowLeft size={14} aria-hidden />
      {label}
    </Link>
  );
}

/** A framed part of a page under a heading. */
export function Section({ title, description, actions, children }: { title: string; description?: ReactNode; actions?: ReactNode; children?: ReactNode }) {
  return (
    <section className={styles.section}>
      <header className={styles.head}>
        <div>
          <h2>{title}</h2>
          {description && <p className={styles.description}>{description}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  );
}

/** Names and values, as a description list. */
export function Facts({ items }: { items: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.list}>
      {items.map(([name, value]) => (
        <div key={name} style={{ display: "contents" }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
