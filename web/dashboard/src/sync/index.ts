// The live state of the workspace. Pages use the hooks; changes of
// conversations go through the actions, other changes through `api`, and their
// events bring the new state.
export { changeConversation, markRead, markUnread, newestHere, sendMessage } from "./actions";
export { useCell } from "./cell";
export * from "./hooks";
export { filterKey } from "./lists";
export { isUnread } from "./state";
export type { Filter, MessageLog, State } from "./state";
export { Store } from "./store";
