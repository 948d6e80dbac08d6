import { Bell as BellIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "../kit";
import { useNotices, useStore } from "../sync";
import styles from "./Bell.module.css";
import { texts } from "./texts";
import { wordsOf } from "./words";

/** The button that opens the notices, with the number of unread ones. */
export function Bell({ onOpen }: { onOpen: () => void }) {
  const unread = useNotices()?.unread ?? 0;
  const icon = (
    <span className={styles.bell}>
      <BellIcon size={16} />
      {unread > 0 && <span className={styles.unread}>{unread > 99 ? "99+" : unread}</span>}
    </span>
  );
  return <IconButton label={texts.bell(unread)} shortcut="g n" icon={icon} onClick={onOpen} />;
}

/** Tells screen readers of new notices. */
export function BellVoice() {
  const { notices } = useStore();
  const [said, setSaid] = useState("");
  useEffect(() => notices.onNews((news) => setSaid(news.map(wordsOf).slice(-3).join(". "))), [notices]);
  return (
    <div role="status" className="visually-hidden">
      {said}
    </div>
  );
}
