// The budgets of a number: their names, and the parsing of limits.
import type { Budget, BudgetName } from "../api/numbers";
import { texts } from "./numbers.texts";
import { locale } from "../kit/texts";

export const budgetNames: Record<BudgetName, string> = {
  groupsPerHour: texts.budget.groupsInAnHour,
  groupsPerDay: texts.budget.groupsInADay,
  addsPerHour: texts.budget.membersAdded,
  invitesPerHour: texts.budget.inviteLinksSent,
  sendsPerMinute: texts.budget.messagesInAMinute,
};

/** The highest limit that the server accepts. */
const most = 100_000;

/** The limit that a text sets, null for the default (an empty text), or undefined if it is neither. */
export function limitOf(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  return /^\d{1,6}$/.test(trimmed) && Number(trimmed) <= most ? Number(trimmed) : undefined;
}

/** "3 of 5 used", "3 used" without a limit. */
export function usedText({ used, limit }: Budget): string {
  return limit === null ? texts.budget.used(used.toLocaleString(locale)) : texts.budget.ofUsed(used.toLocaleString(locale), limit.toLocaleString(locale));
}

/** The used share of a budget, from 0 to 1. */
export function fullness({ used, limit }: Budget): number {
  if (limit === null) return 0;
  return limit === 0 ? 1 : Math.min(1, used / limit);
}
