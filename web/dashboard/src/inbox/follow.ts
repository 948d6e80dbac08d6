import { useToast } from "../kit";
import { useFollowing, useStore } from "../sync";
import { texts } from "./follow.texts";

/** Whether the member follows a conversation, and what changes it. */
export function useFollow(conversationId: string): { follows: boolean; toggle: () => void } {
  const { notices } = useStore();
  const toast = useToast();
  const follows = useFollowing(conversationId);
  const toggle = () =>
    void notices.follow(conversationId, !follows).then(
      () => toast.done(follows ? texts.left : texts.followed),
      (fault: unknown) => toast.failed(fault),
    );
  return { follows, toggle };
}
