// Texts in the place of a conversation that left the view.

export const texts = {
  notYours: "This conversation is no longer among yours",
  draftStays: "It moved to another team or person. What you were writing is kept.",
};
