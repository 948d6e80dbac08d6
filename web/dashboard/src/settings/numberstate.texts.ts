// Texts about the state of a number. English is the first catalogue; another
// language is an object of the same type. A file of its own, because the first
// page needs only these texts of the folder.

export const texts = {
  restricted: "Restricted",
  restrictedUntil: (time: string) => `Until ${time} it can write only to people who wrote to it.`,
  connected: "Connected",
  pairing: "Pairing",
  waitsForThePhone: "Waiting for someone with the phone.",
  loggedOut: "Logged out",
  pairItAgain: "Pair it again to connect it.",
  banned: "Banned",
  untilUnknown: "The end is unknown.",
  until: (time: string) => `Until ${time}.`,
  messagesWaitUntilThen: "Messages wait until then.",
  needsANewerParley: "Needs a newer Parley",
  updateTheServer: "WhatsApp requires a newer version. Update the server; messages wait until then.",
  notPaired: "Not paired",
  pairIt: "Pair it with its phone to connect it.",
  disconnected: "Disconnected",
  messagesWait: "Messages wait until it is connected again.",
  connecting: "Connecting",
};
