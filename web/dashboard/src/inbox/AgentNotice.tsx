import { Bot } from "lucide-react";
import type { Conversation } from "../api/types";
import { Button, useToast } from "../kit";
import { useMe, useStore, changeConversation } from "../sync";
import styles from "./Conversation.module.css";
import { texts } from "./texts";

/** Records of earlier versions have no agent. */
const stateOf = ({ agent }: Partial<Conversation>) => agent?.state ?? "off";

/** What the automated agent does in a conversation, and the way to take it over. */
export function AgentNotice({ conversation }: { conversation: Conversation }) {
  const store = useStore();
  const me = useMe();
  const toast = useToast();
  const state = stateOf(conversation);
  const take = () => changeConversation(store, conversation.id, { assigneeId: me.id }).catch(toast.failed);
  return (
    <div role="status">
      {state !== "off" && (
        <p className={styles.notice}>
          <Bot size={14} aria-hidden />
          <span>{texts.agent[state]}</span>
          {conversation.assignee === null && (
            <Button size="sm" onClick={() => void take()}>
              {texts.agent.take}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}
