// What a notice says, in words.
import type { Notice } from "../api/types";
import { contactName } from "../people/names";
import { texts } from "./texts";

/** The display name of the contact of the notice's conversation. */
export function customerOf({ contactId, contactName: name }: Notice): string {
  return contactName({ id: contactId ?? "", name, email: "", phoneNumber: null, shopName: "" });
}

/** Who caused a notice; "" for nobody in particular, such as a rule. */
export function causeOf(notice: Notice): string {
  return notice.actor.type === "customer" ? customerOf(notice) : notice.actor.name;
}

/** What happened, such as "Ann mentioned you". */
export function wordsOf(notice: Notice): string {
  const { kind, count } = notice;
  const who = causeOf(notice) || texts.somebody;
  switch (kind) {
    case "mentioned":
      return texts.mentioned(who, count);
    case "assigned":
      return texts.assigned(causeOf(notice));
    case "note":
      return texts.noted(who, count);
    case "woke":
      return texts.woke;
    default:
      // Of several, the customer may have written some and members the others.
      return notice.actor.type === "customer" ? texts.wrote(who, count) : texts.answered(who, count);
  }
}
