import { shortDate } from "../kit";
import { labelSeparator, useInboxes, useMembers, useProducts, useTeams, type Filter } from "../sync";
import { priorityNames } from "./Priority";
import { texts as viewTexts } from "./savedviews.texts";
import { texts as snoozeTexts } from "./snooze.texts";
import { texts as teamTexts } from "./teams.texts";
import { texts } from "./texts";

/** Statuses in the middle of a title. */
export const statusNames: Readonly<Record<string, string>> = texts.filterDialog.statuses;

/** The display name of a filter's value. */
export function useValueName(): (name: keyof Filter, value: string) => string {
  const members = useMembers();
  const inboxes = useInboxes();
  const products = useProducts();
  const teams = useTeams();
  const find = (items: readonly { id: string; name: string }[], id: string) => items.find((item) => item.id === id)?.name;
  return (name, value) => {
    switch (name) {
      case "status":
        return statusNames[value] ?? value;
      case "assigneeId":
        return value === "me" ? texts.filterDialog.mine : value === "none" ? texts.filterDialog.unassigned : (find(members, value) ?? texts.filterDialog.aFormerMember);
      case "inboxId":
        return find(inboxes, value) ?? texts.filterDialog.inboxNotFound;
      case "productId":
        return value === "none" ? texts.filterDialog.withoutAProduct : (find(products, value) ?? texts.filterDialog.productNotFound);
      case "teamId":
        return value === "none" ? teamTexts.withoutATeam : (find(teams, value) ?? teamTexts.notFound);
      case "order":
        return texts.filterDialog.longestWaiting;
      case "spam":
        return value === "true" ? texts.filterDialog.spamName : texts.filterDialog.withSpamName;
      case "agent":
        return texts.filterDialog.handedOverName;
      case "snoozed":
        return value === "true" ? snoozeTexts.snoozedView : viewTexts.notSnoozed;
      case "woke":
        return snoozeTexts.backView;
      case "priority":
        return value === "none" ? viewTexts.noPriority : ((priorityNames as Readonly<Record<string, string>>)[value] ?? value);
      case "label":
        return value.replaceAll(labelSeparator, ", ");
      case "notLabel":
        return viewTexts.withoutLabel(value);
      case "activeAfter":
        return viewTexts.since(shortDate(value));
      case "activeBefore":
        return viewTexts.before(shortDate(value));
      case "contactId":
        return texts.filterDialog.oneContact;
      case "companyId":
        return texts.filterDialog.oneCompany;
      default:
        return value;
    }
  };
}
