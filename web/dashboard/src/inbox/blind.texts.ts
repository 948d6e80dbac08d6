// Texts about members whom a note names, and who do not see its conversation.

export const texts = {
  blind: (names: readonly string[], more: number) =>
    names.length + more === 1
      ? `${names.join("")} does not see this conversation, and is not told.`
      : `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""} do not see this conversation, and are not told.`,
};
