// Types of numbers of the messaging application and of their groups, under the
// names that the pages use.
import type { Budget, Pairing } from "../../../shared/api.gen";

export type { Budget, GroupCreated as Group, Number as ChatNumber, NumberStatus, Pairing } from "../../../shared/api.gen";
export type BudgetName = Budget["budget"];
export type PairBy = Pairing["by"];
export type PairingKind = Pairing["kind"];

/** The stream's signal that a pairing has advanced; "" if somebody ended it. It contains no code. */
export interface PairingNews {
  numberId: string;
  kind: PairingKind | "";
  until: string | null;
}
