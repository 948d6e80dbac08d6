import { MapPinOff } from "lucide-react";
import { ButtonLink, EmptyState, Page } from "../kit";

/** An address that no page has. */
export function NotFound() {
  return (
    <Page title="Not found">
      <EmptyState icon={<MapPinOff size={20} />} title="Page not found" action={<ButtonLink href="/inbox?status=open">To the inbox</ButtonLink>}>
        The address may contain a typo, or the page has moved.
      </EmptyState>
    </Page>
  );
}
