import { ArrowDown, ArrowUp, X } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { useLocation } from "wouter";
import type { SearchHit } from "../api/types";
import { usePages } from "../api/useQuery";
import { IconButton, SearchField } from "../kit";
import { askable, wordsOf } from "../search/operators";
import { typing } from "../shell/shortcuts";
import styles from "./Conversation.module.css";
import { texts } from "./find.texts";
import { useHighlight } from "./highlight";

interface Props {
  conversationId: string;
  /** The address of the conversation at its newest message. */
  address: string;
  onClose: () => void;
}

/** The search in the open conversation: its hits, newest first, each opened in its place. */
export function FindBar({ conversationId, address, onClose }: Props) {
  const [text, setText] = useState("");
  const asked = useSettled(text.trim());
  const { items, more } = usePages<SearchHit>(asked === "" ? null : "/v1/dashboard/search", { q: asked, conversationId, kind: "message", limit: 100 });
  const [at, setAt] = useState(0);
  const [, navigate] = useLocation();
  useHighlight("#conversation", wordsOf(asked));
  const open = (index: number) => {
    const hit = items.at(index);
    if (!hit) return;
    setAt(items.indexOf(hit));
    navigate(`${address}${address.includes("?") ? "&" : "?"}message=${encodeURIComponent(hit.id)}`, { replace: true });
  };
  const older = () => open((at + 1) % items.length);
  const newer = () => open(at - 1);
  const first = useEffectEvent(() => open(0));
  useEffect(() => first(), [items]);
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    const act = { n: older, N: newer, Escape: onClose }[event.key];
    if (!act) return;
    event.preventDefault(); // n also writes a note, and Escape leaves the conversation
    act();
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => pressed(event);
    document.addEventListener("keydown", press, true);
    return () => document.removeEventListener("keydown", press, true);
  }, []);
  return (
    <div className={styles.find}>
      <SearchField
        label={texts.label}
        placeholder={texts.label}
        autoFocus
        maxLength={200}
        value={text}
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
          else if (event.key === "Enter") (event.shiftKey ? newer : older)();
          else return;
          event.preventDefault();
        }}
      />
      <span role="status">{asked === "" ? "" : items.length === 0 ? texts.none : texts.place(at + 1, items.length, more)}</span>
      <IconButton label={texts.older} shortcut="n" icon={<ArrowUp size={16} />} disabled={items.length === 0} onClick={older} />
      <IconButton label={texts.newer} shortcut="Shift+n" icon={<ArrowDown size={16} />} disabled={items.length === 0} onClick={newer} />
      <IconButton label={texts.close} icon={<X size={16} />} onClick={onClose} />
    </div>
  );
}

/** A text once it has not changed for a moment and can be searched for. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    if (!askable(text)) return;
    const timer = setTimeout(() => setSettled(text), 160);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
