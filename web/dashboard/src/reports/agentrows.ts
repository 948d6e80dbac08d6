// The figures of the report on the automated agent, prepared for display.
import type { AgentFigures, AgentReport, AgentSpend } from "../../../shared/api.gen";
import { locale } from "../kit/texts";
import { daysBetween } from "./days";

export type Spend = readonly AgentSpend[];

/** The figures of a day on which nothing happened. */
const nothing: AgentFigures = { met: 0, resolved: 0, confirmed: 0, answered: 0, cards: 0, askedBack: 0, handedOver: 0, unanswered: 0, handOvers: [], taken: 0, unfinished: 0, spend: [] };

/** The figures of each day of a report. */
export function agentDays(report: AgentReport): { day: string; figures: AgentFigures }[] {
  const known = new Map(report.days.map(({ day, figures }) => [day, figures]));
  return daysBetween(report.from, report.to).map((day) => ({ day, figures: known.get(day) ?? nothing }));
}

/** An amount in millionths of a currency: "€1.25", with more digits if it is small. */
export function money(millionths: number, currency: string): string {
  const amount = millionths / 1_000_000;
  const small = amount !== 0 && Math.abs(amount) < 1;
  return amount.toLocaleString(locale, { style: "currency", currency, ...(small && { minimumFractionDigits: 2, maximumFractionDigits: amount < 0.001 ? 6 : 4 }) });
}

/** What was spent, in each currency: "€1.25 + US$3.00"; "" if nothing was, or if it has no price. */
export function moneyText(spend: Spend | null, of: "agentCost" | "memberCost"): string {
  return (spend ?? [])
    .filter((one) => one[of] > 0)
    .map((one) => money(one[of], one.currency))
    .join(" + ");
}

/** The tokens that were used for customers, for members, or by calls without an end. */
export function tokensOf(spend: Spend | null, ...of: ("agentTokens" | "memberTokens" | "reservedTokens")[]): number {
  return (spend ?? []).reduce((sum, one) => sum + of.reduce((part, name) => part + one[name], 0), 0);
}

/** The currency in which the agent cost most; undefined if it had no price. */
export function mainCurrency(spend: Spend | null): string | undefined {
  const [most] = [...(spend ?? [])].filter(({ agentCost }) => agentCost > 0).sort((a, b) => b.agentCost - a.agentCost);
  return most?.currency;
}

/** What each resolved conversation cost; null if none was resolved, or if there is not exactly one currency. */
export function costOfEach({ resolved, spend }: AgentFigures): string | null {
  const paid = (spend ?? []).filter(({ agentCost }) => agentCost > 0);
  const [only] = paid;
  return resolved > 0 && only && paid.length === 1 ? money(Math.round(only.agentCost / resolved), only.currency) : null;
}
