import { WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useLineState } from "../sync";
import styles from "./Shell.module.css";
import { texts } from "./texts";

/** Says that the page is not live, once it has lasted long enough to matter. */
export function Line() {
  const state = useLineState();
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (state === "live") return;
    const timer = setTimeout(() => setLate(true), 2500);
    return () => clearTimeout(timer);
  }, [state]);
  return (
    <div role="status">
      {late && (
        <div className={styles.line}>
          <WifiOff size={13} aria-hidden />
          {state === "offline" ? texts.line.offline : texts.line.reconnecting}
        </div>
      )}
    </div>
  );
}
