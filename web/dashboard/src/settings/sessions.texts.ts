// Texts about where members are signed in.

export const texts = {
  what: "If you do not recognize one of these, end it and change your password.",
  from: (address: string) => `from ${address}`,
  end: (device: string) => `End the session of ${device}`,
  ended: "The session has ended",
  endOthers: "End all others",
  othersEnded: "All your other sessions have ended",
  show: "Where they are signed in",
  of: (name: string) => `Where ${name} is signed in`,
  passwordStays: "Sessions end within a second. The password stays, so create a password reset link as well if somebody else may know it.",
  endAll: "End all sessions",
  allEnded: (name: string) => `All sessions of ${name} have ended`,
  close: "Close",
};
