import { EyeOff } from "lucide-react";
import { ButtonLink, EmptyState } from "../kit";
import { texts } from "./hidden.texts";
import { texts as inbox } from "./texts";

/** What stands in the place of a conversation that left the member's view. */
export function Hidden({ back }: { back: string }) {
  return (
    <EmptyState icon={<EyeOff size={20} />} title={texts.notYours} action={<ButtonLink href={back}>{inbox.conversationPane.back}</ButtonLink>}>
      {texts.draftStays}
    </EmptyState>
  );
}
