import { useSelect } from "../sync";

/** The id of the message with words that the customer of a conversation wrote last, as far as its messages are loaded; "" for none. */
export function useLastQuestion(conversationId: string): string {
  return useSelect((state) => {
    const items = state.messages.get(conversationId)?.items ?? [];
    return items.findLast(({ value }) => value.messageType === "incoming" && value.content.trim() !== "")?.value.id ?? "";
  });
}
