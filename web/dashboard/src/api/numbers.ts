// The shapes about numbers of the messaging application and their groups, by the
// names that the pages have for them.
import type { Budget, Pairing } from "../../../shared/api.gen";

export type { Budget, GroupCreated as Group, Number as ChatNumber, NumberStatus, Pairing } from "../../../shared/api.gen";
export type BudgetName = Budget["budget"];
export type PairBy = Pairing["by"];
export type PairingKind = Pairing["kind"];

/** The stream's word that a pairing went on; "" is its end by somebody. It holds no code. */
export interface PairingNews {
  numberId: string;
  kind: PairingKind | "";
  until: string | null;
}
