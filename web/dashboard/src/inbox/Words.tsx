import { useState } from "react";
import { markup, type Block, type Inline } from "../../../shared/markup";
import { pieces } from "../../../shared/links";
import styles from "./Words.module.css";
import { texts } from "./words.texts";

/** Longer messages are folded. */
const most = { chars: 3000, lines: 40 };

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
}

/** The text of a message, with its addresses as links. */
export function Words({ content, marked, whole = false }: Props) {
  const [open, setOpen] = useState(false);
  const beginning = whole || open ? content : beginningOf(content);
  return (
    <>
      {marked ? markup(beginning).map((block, index) => <Marked key={index} block={block} />) : <Text content={beginning} />}
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
  switch (block.kind) {
    case "code":
      return (
        <pre className={styles.block} dir="ltr" tabIndex={0}>
          <code>{block.text}</code>
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
  return all.map((inline, index) => {
    if (typeof inline === "string") return inline;
    switch (inline.kind) {
      case "code":
        return (
          <code key={index} className={styles.code}>
            {inline.text}
          </code>
        );
      case "link":
        return <Address key={index} href={inline.href} text={inline.text} />;
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
  return pieces(content).map((piece, index) => (piece.href ? <Address key={index} href={piece.href} text={piece.text} /> : piece.text));
}
