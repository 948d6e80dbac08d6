import { useEffect } from "react";
import { useCell, useStore } from "../sync";
import styles from "./Conversation.module.css";
import { texts } from "./texts";

/** The greeting that the chat shows to visitors, read once for each inbox. */
export function Greeting({ inboxId }: { inboxId: string }) {
  const store = useStore();
  const greeting = useCell(store.greetings, (all) => all.get(inboxId));
  useEffect(() => {
    if (greeting === undefined) void store.loadGreeting(inboxId);
  }, [store, inboxId, greeting]);
  return greeting ? <p className={styles.greeting}>{texts.greeting.chatGreets(greeting)}</p> : null;
}
