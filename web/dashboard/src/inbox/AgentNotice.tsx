import { Bot } from "lucide-react";
import type { Conversation } from "../api/types";
import { Button } from "../kit";
import { useMe, useStore } from "../sync";
import styles from "./Conversation.module.css";
import { said } from "./said";
import { texts } from "./texts";
import { useAct } from "./undo";

/** Records of earlier versions have no agent. */
const stateOf = ({ agent }: Partial<Conversation>) => agent?.state ?? "off";

/** What the automated agent does in a conversation, and the way to take it over. */
export function AgentNotice({ conversation }: { conversation: Conversation }) {
  const store = useStore();
  const me = useMe();
  const act = useAct();
  const state = stateOf(conversation);
  const take = () => {
    const change = { assigneeId: me.id };
    act(conversation, change, said(store.state.get(), conversation, change));
  };
  return (
    <div role="status">
      {state !== "off" && (
        <p className={styles.notice}>
          <Bot size={14} aria-hidden />
          <span>{texts.agent[state]}</span>
          {conversation.assignee === null && (
            <Button size="sm" onClick={take}>
              {texts.agent.take}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}
