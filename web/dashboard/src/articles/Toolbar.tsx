import { Bold, Code, Heading2, Image, Italic, Link, List, ListOrdered, Quote, type LucideIcon } from "lucide-react";
import { useRef } from "react";
import { IconButton } from "../kit";
import { shortcuts, type ShortcutId } from "../shell/shortcuts";
import css from "./Editor.module.css";
import type { Format } from "./format";
import { texts } from "./texts";

const buttons: readonly [format: Exclude<Format, "quote"> & ShortcutId, icon: LucideIcon][] = [
  ["heading", Heading2],
  ["bold", Bold],
  ["italic", Italic],
  ["link", Link],
  ["code", Code],
  ["bullets", List],
  ["numbers", ListOrdered],
];

interface Props {
  onFormat: (format: Format) => () => void;
  onPictures: (files: readonly File[]) => void;
}

/** The buttons above the text; the arrow keys move among them. */
export function Toolbar({ onFormat, onPictures }: Props) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <div className={css.toolbar} role="toolbar" aria-label={texts.editor.formatting} onKeyDown={move}>
      {buttons.map(([format, Icon], index) => (
        <IconButton
          key={format}
          size="sm"
          tabIndex={index === 0 ? 0 : -1}
          label={shortcuts[format].label}
          shortcut={shortcuts[format].keys}
          icon={<Icon size={16} />}
          onMouseDown={(event) => event.preventDefault()} // the text keeps its selection
          onClick={onFormat(format)}
        />
      ))}
      <IconButton size="sm" tabIndex={-1} label={texts.editor.quote} icon={<Quote size={16} />} onMouseDown={(event) => event.preventDefault()} onClick={onFormat("quote")} />
      <IconButton size="sm" tabIndex={-1} label={texts.editor.picture} icon={<Image size={16} />} onMouseDown={(event) => event.preventDefault()} onClick={() => chooser.current?.click()} />
      <input
        ref={chooser}
        type="file"
        hidden
        multiple
        accept="image/png,image/jpeg,image/gif,image/webp"
        onChange={({ target }) => {
          onPictures([...(target.files ?? [])]);
          target.value = ""; // so that the same file can be chosen again
        }}
      />
    </div>
  );
}

function move(event: React.KeyboardEvent<HTMLDivElement>) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return;
  const all = [...event.currentTarget.querySelectorAll("button")];
  const at = all.indexOf(document.activeElement as HTMLButtonElement);
  const next = all[(at + by + all.length) % all.length];
  if (at < 0 || !next) return;
  event.preventDefault();
  for (const one of all) one.tabIndex = one === next ? 0 : -1;
  next.focus();
}
