// Shows the result of a change of a setting without waiting for its event.
import type { Article, ArticleCategory, HelpCenter } from "../api/knowledge";
import type { ChatNumber } from "../api/numbers";
import type { CannedAnswer, Inbox, Label, Member, Product, Ref, Team } from "../api/types";
import { Draft, type Entry, type TableName } from "./state";
import type { Store } from "./store";

/** The records that can be shown, by kind. */
export interface Learnable {
  member: Member;
  inbox: Inbox;
  product: Product;
  label: Label;
  cannedAnswer: CannedAnswer;
  number: ChatNumber;
  team: Team;
  article: Article;
  articleCategory: ArticleCategory;
  helpCenter: HelpCenter;
  workspace: Ref;
}

/** The workspace is not a record of a table. */
const tables: Record<keyof Learnable, TableName | null> = {
  workspace: null,
  member: "members",
  inbox: "inboxes",
  product: "products",
  label: "labels", // eslint-disable-line parley/bare-strings -- a table
  cannedAnswer: "cannedAnswers",
  number: "numbers",
  team: "teams",
  article: "articles",
  articleCategory: "articleCategories",
  helpCenter: "helpCenters",
};

interface Dated {
  id?: string;
  name?: string;
  productId?: string | null;
  updatedAt: string;
}

/** Stores the record that the server returned, or removes the deleted one. A newer one stays. */
export function learn<K extends keyof Learnable>(store: Store, kind: K, value: Learnable[K], end?: "deleted") {
  const name = tables[kind];
  if (name === null) {
    store.state.update((state) => ({ ...state, workspace: value as Ref }));
    return;
  }
  const record = value as Dated;
  const id = (kind === "label" ? record.name : kind === "helpCenter" ? record.productId : record.id) ?? "";
  const draft = new Draft(store.state.get());
  const table = draft.map(name) as unknown as Map<string, Entry<Dated>>;
  const known = table.get(id);
  if (end === "deleted") {
    table.delete(id);
    if (kind === "member" && known) (draft.map("formerMembers") as unknown as Map<string, Entry<Dated>>).set(id, known);
  } else if (!known || known.value.updatedAt <= record.updatedAt) {
    // The record keeps its seq, so the change's own event still counts as newer.
    table.set(id, { value: record, seq: known?.seq ?? 0 });
  }
  store.state.set(draft.state);
}
