// What the service worker says.

export const texts = {
  locale: "en",
  offline: {
    title: "No connection",
    text: "Parley cannot be reached. What you have written is still in this browser; this page continues as soon as the connection is back.",
    retry: "Try again",
  },
};
