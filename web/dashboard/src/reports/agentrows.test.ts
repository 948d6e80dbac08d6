import { expect, test } from "vitest";
import type { AgentFigures } from "../../../shared/api.gen";
import { agentDays, costOfEach, mainCurrency, money, moneyText, tokensOf } from "./agentrows";
import { lastWeek } from "./query";

const spend = (currency: string, agentCost: number) => ({ currency, calls: 1, agentTokens: 500, memberTokens: 40, reservedTokens: 3, agentCost, memberCost: 9000, reservedCost: 0 });
const figures: AgentFigures = { met: 4, resolved: 2, confirmed: 1, answered: 1, cards: 0, askedBack: 0, handedOver: 2, unanswered: 1, handOvers: [], taken: 0, unfinished: 0, spend: [] };

test("amounts have as many digits as they need", () => {
  expect(money(1_250_000, "EUR")).toBe("€1.25");
  expect(money(141_000, "EUR")).toBe("€0.141");
  expect(money(2800, "EUR")).toBe("€0.0028");
  expect(money(0, "EUR")).toBe("€0.00");
});

test("currencies are never added together", () => {
  const both = [spend("EUR", 1_000_000), spend("USD", 2_000_000)];
  expect(moneyText(both, "agentCost")).toBe("€1.00 + US$2.00");
  expect(moneyText([spend("EUR", 0)], "agentCost")).toBe("");
  expect(mainCurrency(both)).toBe("USD");
  expect(tokensOf(both, "agentTokens", "memberTokens")).toBe(1080);
  expect(costOfEach({ ...figures, spend: both })).toBeNull();
  expect(costOfEach({ ...figures, spend: [spend("EUR", 1_000_000), spend("USD", 0)] })).toBe("€0.50");
  expect(costOfEach({ ...figures, resolved: 0, spend: both.slice(0, 1) })).toBeNull();
  expect(tokensOf(null, "agentTokens")).toBe(0);
});

test("a report has every day", () => {
  const days = agentDays({ from: "2026-11-20", to: "2026-11-22", products: [], days: [{ day: "2026-11-21", figures }], total: figures });
  expect(days.map(({ day, figures: { met } }) => [day, met])).toEqual([
    ["2026-11-20", 0],
    ["2026-11-21", 4],
    ["2026-11-22", 0],
  ]);
});

test("last week is the seven days before this Monday", () => {
  expect(lastWeek("2026-11-23")).toEqual({ from: "2026-11-16", to: "2026-11-22" }); // a Monday
  expect(lastWeek("2026-11-22")).toEqual({ from: "2026-11-09", to: "2026-11-15" });
});
