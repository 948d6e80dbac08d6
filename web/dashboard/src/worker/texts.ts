// What the service worker says.

export const texts = {
  locale: "en",
  offline: {
    title: "No connection",
    text: "Parley cannot be reached. What you have written is still in this browser; this page continues as soon as the connection is back.",
    retry: "Try again",
  },
  notice: {
    mentioned: (actor: string) => `${actor || "Somebody"} mentioned you`,
    assigned: (actor: string) => (actor ? `${actor} assigned you a conversation` : "A conversation is yours now"),
    answered: (actor: string, contact: string) => `${actor} answered ${contact || "a customer"}`,
    note: (actor: string) => `${actor || "Somebody"} wrote a note`,
    woke: "A conversation is back",
    aCustomer: "A customer",
    other: "Something new",
    times: (title: string, count: number) => `${title} (${count})`,
    testTitle: "Notifications work",
    testText: "This device shows what concerns you in Parley.",
  },
};
