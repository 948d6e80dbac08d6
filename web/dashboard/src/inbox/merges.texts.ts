// Merging conversations.
export const texts = {
  merge: "Merge with …",
  dialog: "Merge with another conversation",
  list: "Conversations of the same contact and inbox",
  none: "The contact has no other conversation in this inbox.",
  noMessages: "No messages yet",
  keep: "Keep this conversation, and merge the chosen one into it",
  act: "merge",
  merged: (count: number, name: string) => `${count} conversations merged · ${name}`,
  mergeSelected: "Merge them into the latest",
  onlyOfOne: "Only conversations of one contact and inbox can be merged",
  undoMerge: "Undo the merge",
  undone: "The conversations are two again",
};
