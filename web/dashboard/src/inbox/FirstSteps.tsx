import { Rocket } from "lucide-react";
import { ButtonLink, EmptyState } from "../kit";
import { isAtLeast } from "../settings/roles";
import { useConversations, useMe } from "../sync";
import { texts } from "./texts";

/** Whether an admin sees a workspace in which nobody has written yet. */
export function useFirstSteps(): boolean {
  const me = useMe();
  const any = useConversations({});
  return isAtLeast(me.role, "admin") && !any.loading && any.ids.length === 0;
}

/** The way to the guided start, in place of an empty list. */
export function FirstSteps() {
  return (
    <EmptyState icon={<Rocket size={20} />} title={texts.firstSteps.title} action={<ButtonLink href="/welcome">{texts.firstSteps.setUp}</ButtonLink>}>
      {texts.firstSteps.what}
    </EmptyState>
  );
}
