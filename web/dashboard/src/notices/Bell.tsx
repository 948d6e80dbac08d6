import { Bell as BellIcon } from "lucide-react";
import { IconButton } from "../kit";
import { useNotices } from "../sync";
import styles from "./Bell.module.css";
import { texts } from "./bell.texts";

/** The button that opens the notices, with the number of unread ones. */
export function Bell({ onOpen }: { onOpen: () => void }) {
  const unread = useNotices()?.unread ?? 0;
  const icon = (
    <span className={styles.bell}>
      <BellIcon size={16} />
      {unread > 0 && <span className={styles.unread}>{unread > 99 ? "99+" : unread}</span>}
    </span>
  );
  return <IconButton label={texts.notices(unread)} shortcut="g n" icon={icon} onClick={onOpen} />;
}
