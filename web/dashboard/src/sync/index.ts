// The live state of the workspace. Pages use the hooks. Changes of
// conversations go through the actions, other changes through `api`; their
// events update the state.
export { changeConversation, markRead, markUnread, newestHere, sendMessage } from "./actions";
export type { Answer } from "./actions";
export { useCell } from "./cell";
export * from "./hooks";
export { filterKey, labelSeparator, labelsOf } from "./lists";
export { isUnread } from "./state";
export type { Filter, MessageLog, State } from "./state";
export { Store } from "./store";
