import { createContext, useContext, useEffect, useState } from "react";
import { script } from "../kit/chunk";
import { cx } from "../kit/cx";
import { markup, type Block, type Inline } from "../../../shared/markup";
import { pieces } from "../../../shared/links";
import type { Found } from "./mentions";
import styles from "./Words.module.css";
import { texts } from "./words.texts";

/** Longer messages are folded. */
const most = { chars: 3000, lines: 40 };

/** Sets names apart. */
export const noteWords = script(() => import("./NoteWords"));

/** The text of a note that names members; until its script has arrived, nothing is set apart. */
export function NoteWords({ mentions, ...rest }: Props & { mentions: readonly string[] }) {
  const [arrived, setArrived] = useState<Awaited<ReturnType<typeof noteWords>>>(null);
  useEffect(() => void noteWords().then(setArrived), []);
  return arrived ? <arrived.NoteWords mentions={mentions} {...rest} /> : <Words {...rest} />;
}

/** The beginning of a text that is shown while it is folded, or the whole text if it is short. */
export function beginningOf(text: string): string {
  let end = Math.min(text.length, most.chars);
  let at = -1;
  for (let line = 0; line < most.lines; line++) {
    at = text.indexOf("\n", at + 1);
    if (at < 0 || at >= end) break;
    if (line === most.lines - 1) end = at;
  }
  if (text.length - end < 200 && text.slice(end).split("\n").length < 5) return text; // not worth a click
  const beforeHalf = text.charCodeAt(end - 1);
  return text.slice(0, beforeHalf >= 0xd800 && beforeHalf < 0xdc00 ? end - 1 : end);
}

interface Props {
  content: string;
  /** The content may have markup. What customers write is text. */
  marked: boolean;
  /** Whether it is shown whole, however long it is. */
  whole?: boolean;
  /** The members and teams that it names, which are set apart. */
  named?: Named;
}

interface Named {
  /** Where they stand in the content. */
  found: readonly Found[];
  /** The reader. */
  meId: string;
}
const nobody: Named = { found: [], meId: "" };
const NamedContext = createContext(nobody);

/** Characters for private use, which stand for names while the markup is read: a name has none. */
const stands = /([\uE000-\uF8FF])/;
const firstStand = 0xe000;
const mostStands = 1000;

/** A text with a character in the place of each name, which is that of its number. A text that has such characters itself stays as it is. */
function veiled(text: string, found: readonly Found[]): string {
  if (found.length === 0 || stands.test(text)) return text;
  let done = 0;
  let made = "";
  for (const [index, { start, end }] of found.slice(0, mostStands).entries()) {
    if (end > text.length) break;
    made += text.slice(done, start) + String.fromCharCode(firstStand + index);
    done = end;
  }
  return made + text.slice(done);
}

/** A text with its names set apart. */
function Said({ text }: { text: string }) {
  const { found, meId } = useContext(NamedContext);
  if (found.length === 0) return text;
  return text.split(stands).map((part, index) => {
    const name = index % 2 === 1 ? found[part.charCodeAt(0) - firstStand]?.name : undefined;
    if (!name) return part;
    return (
      <mark key={index} className={cx(styles.named, name.memberIds.includes(meId) && styles.me)} dir="auto">
        @{name.label}
      </mark>
    );
  });
}

/** A text with its names as they were typed, where nothing is set apart. */
function useTyped(): (text: string) => string {
  const { found } = useContext(NamedContext);
  return (text) =>
    text
      .split(stands)
      .map((part, index) => {
        const name = index % 2 === 1 ? found[part.charCodeAt(0) - firstStand]?.name : undefined;
        return name ? `@${name.label}` : part;
      })
      .join("");
}

/** The text of a message, with its addresses as links. */
export function Words({ content, marked, whole = false, named = nobody }: Props) {
  const [open, setOpen] = useState(false);
  const beginning = whole || open ? content : beginningOf(content);
  const text = veiled(beginning, named.found);
  return (
    <>
      <NamedContext value={named}>{marked ? markup(text).map((block, index) => <Marked key={index} block={block} />) : <Text content={text} />}</NamedContext>
      {beginning.length < content.length && (
        <>
          {" … "}
          <button type="button" className={styles.more} onClick={() => setOpen(true)}>
            {texts.showAll(content.length)}
          </button>
        </>
      )}
    </>
  );
}

function Marked({ block }: { block: Block }) {
  const typed = useTyped();
  switch (block.kind) {
    case "code":
      return (
        <pre className={styles.block} dir="ltr" tabIndex={0}>
          <code>{typed(block.text)}</code>
        </pre>
      );
    case "quote":
      return (
        <blockquote className={styles.quote}>
          <Inlines all={block.children} />
        </blockquote>
      );
    case "list": {
      const items = block.items.map((item, index) => (
        <li key={index}>
          <Inlines all={item} />
        </li>
      ));
      return block.ordered ? (
        <ol className={styles.list} start={block.start}>
          {items}
        </ol>
      ) : (
        <ul className={styles.list}>{items}</ul>
      );
    }
    default:
      return (
        <div>
          <Inlines all={block.children} />
        </div>
      );
  }
}

function Inlines({ all }: { all: readonly Inline[] }) {
  const typed = useTyped();
  return all.map((inline, index) => {
    if (typeof inline === "string") return <Said key={index} text={inline} />;
    switch (inline.kind) {
      case "code":
        return (
          <code key={index} className={styles.code}>
            {typed(inline.text)}
          </code>
        );
      case "link":
        return <Address key={index} href={inline.href} text={typed(inline.text)} />;
      default: {
        const Mark = inline.kind;
        return (
          <Mark key={index}>
            <Inlines all={inline.children} />
          </Mark>
        );
      }
    }
  });
}

/** A link says where it leads, because its words may say something else. */
function Address({ href, text }: { href: string; text: string }) {
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
      {text}
    </a>
  );
}

/** A text without markup, with its addresses as links. */
function Text({ content }: { content: string }) {
  return pieces(content).map((piece, index) => (piece.href ? <Address key={index} href={piece.href} text={piece.text} /> : <Said key={index} text={piece.text} />));
}
