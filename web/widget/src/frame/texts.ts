// What the chat says to customers. English is the first catalogue; another
// language is an object of the same type. Messages for a shop's developers in
// the console are not part of it.

export const texts = {
  you: "You",
  somebody: "Somebody",
  closed: "This chat is not available here.",
  writing: (name: string) => `${name} is writing …`,

  controls: { sound: "Sound", soundOn: "Sound is on", soundOff: "Sound is off", close: "Close the chat" },

  home: {
    write: "Write to us",
    conversations: "Your conversations",
    earlier: "Show earlier ones",
    unread: " unread",
    resolved: "Resolved",
  },

  thread: {
    all: "All conversations",
    answerers: (names: readonly string[]) => `${listed(names)} answer here`,
    offline: "You are offline. Your messages will be sent when you are back online.",
    connecting: "Connecting …",
    messages: "Messages",
    earlier: "Show earlier messages",
    again: "Try again",
    loading: "Loading …",
  },

  agent: {
    label: "Automated answer",
    writing: "An answer is being written …",
    sources: "From our articles:",
    helped: "This helped",
    thanks: "Thank you. Write again if you need anything else.",
    person: "Talk to a person",
    waiting: "A person of our team will answer here.",
    failed: "That did not work. Try again.",
  },

  message: {
    label: (who: string, time: string) => `${who}, ${time}`,
    seen: " · Seen",
    waits: "Waiting for the connection",
    sending: "Sending …",
    notSent: (fault: string) => `Not sent: ${fault}`,
    discard: "Discard",
  },

  composer: {
    files: "Files to send",
    sending: (name: string) => `Sending ${name}`,
    remove: (name: string) => `Remove ${name}`,
    attach: "Attach files",
    message: "Message",
    placeholder: "Write a message …",
    send: "Send",
  },

  files: { large: (size: string) => `Too large: ${size}. Files may have up to 25 MB.`, empty: "The file is empty." },

  faults: {
    unknown: "Something went wrong. Try again.",
    unreachable: "There is no connection.",
    takenBack: "It was withdrawn.",
    connecting: "Still connecting. Try again.",
    tooLarge: "This is too large.",
    tooMuch: "You have sent a lot in a short time. Try again later.",
    notOpen: "This chat is no longer available to you. Reload the page.",
    server: "We cannot be reached right now. Try again in a moment.",
    refused: "This could not be sent.",
  },

  hours: {
    today: (time: string) => `Back today at ${time}`,
    tomorrow: (time: string) => `Back tomorrow at ${time}`,
    // Whole phrases, because many languages inflect the weekday; from Sunday.
    weekday: [
      (time: string) => `Back on Sunday at ${time}`,
      (time: string) => `Back on Monday at ${time}`,
      (time: string) => `Back on Tuesday at ${time}`,
      (time: string) => `Back on Wednesday at ${time}`,
      (time: string) => `Back on Thursday at ${time}`,
      (time: string) => `Back on Friday at ${time}`,
      (time: string) => `Back on Saturday at ${time}`,
    ],
    date: (date: string, time: string) => `Back on ${date} at ${time}`,
  },

  time: { now: "now", minutes: (n: number) => `${n} min`, hours: (n: number) => `${n} h` },
};

/** "Ann, Ben and Cem" */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
