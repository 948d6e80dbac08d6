// Texts about which conversations a member sees. English is the first catalogue.

export const texts = {
  sees: "Sees",
  all: "All conversations",
  own: "Only some conversations",
  ownHint: "Those of the chosen inboxes, of the teams that the member is in, and those assigned to the member.",
  inboxes: "Inboxes",
  noInboxes: "The workspace has no inboxes.",
  change: "Choose conversations …",
  changeTitle: (name: string) => `What ${name} sees`,
  save: "Save",
  someOnly: "Some conversations",
};
