// Why a person does not get in by the provider.
import { texts } from "./provider.texts";

/** What a reason in an address says; "" for none, and for one that this page does not know. */
export function refusedText(reason: string | null): string {
  return reason !== null && Object.hasOwn(texts.refused, reason) ? texts.refused[reason as keyof typeof texts.refused] : "";
}
