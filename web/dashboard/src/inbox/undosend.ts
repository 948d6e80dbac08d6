// Sending from the composer, and taking it back while the reply is held.
import { useLocation } from "wouter";
import type { Conversation } from "../api/types";
import type { Outbox } from "../outbox/outbox";
import { contactName } from "../people/names";
import { choicesOf } from "../shell/choices";
import { newestHere, sendMessage, useMe, useStore, type Answer, type Store } from "../sync";
import { lastView } from "./lastview";
import { giveReturned } from "./returned";
import { useDid } from "./undo";
import { texts } from "./undo.texts";
import { inboxAddress } from "./views";

/** Puts an unsent message back into the composer. Returns whether it was still unsent, and is kept there. */
export async function takeBack(store: Store, meId: string, key: string): Promise<boolean> {
  const keep: Parameters<Outbox["take"]>[1] = (item) => giveReturned(meId, item, newestHere(store.state.get(), item.conversationId));
  return (await store.outbox.take(key, keep)) !== undefined;
}

/** Sends what is written in a conversation. A reply waits as long as the member chose, and until then can be taken back. */
export function useSend(conversation: Conversation): (written: Omit<Answer, "conversationId" | "holdFor">) => void {
  const store = useStore();
  const me = useMe();
  const did = useDid();
  const [, navigate] = useLocation();
  return (written) => {
    const holdFor = written.isPrivate ? 0 : choicesOf(me.id).get().undoSend * 1000;
    const { id: conversationId } = conversation;
    const { key } = sendMessage(store, { ...written, conversationId, holdFor });
    if (holdFor === 0) return;
    const back = async () => {
      if (!(await takeBack(store, me.id, key))) throw new Error(texts.sentAlready);
      navigate(inboxAddress(lastView(), conversationId));
    };
    const act = did(texts.of(texts.reply, contactName(conversation.contact)), back, holdFor);
    setTimeout(act.forget, holdFor);
  };
}
