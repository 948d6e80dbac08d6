import { MapPinOff } from "lucide-react";
import { ButtonLink, EmptyState, Page } from "../kit";
import { texts } from "./texts";

/** The page for an unknown address. */
export function NotFound() {
  return (
    <Page title={texts.notFound.notFound}>
      <EmptyState icon={<MapPinOff size={20} />} title={texts.notFound.pageNotFound} action={<ButtonLink href="/inbox?status=open">{texts.notFound.toTheInbox}</ButtonLink>}>
        {texts.notFound.whyNotFound}
      </EmptyState>
    </Page>
  );
}
