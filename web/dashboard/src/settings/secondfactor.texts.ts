// Texts of the second factor in the settings. English is the first catalogue;
// another language is an object of the same type.

export const texts = {
  own: {
    title: "Second factor",
    description: "A code of an app on your phone, beside the password.",
    none: "You have none. Whoever learns your password can sign in as you.",
    noneRequired: "This workspace requires one.",
    since: (date: string, left: number) => `On since ${date}. ${left === 1 ? "1 recovery code is left." : `${left} recovery codes are left.`}`,
    setUp: "Set up",
    another: "Use another phone",
    renew: "New recovery codes",
    turnOff: "Turn off",
    turnOffQuestion: "Turn the second factor off?",
    password: "Your password",
    passwordMissing: "Your password is missing",
    continue: "Continue",
    endsSessions: "All your other sessions end.",
    renewEnds: "The codes that you have stop working.",
    keepCodes: "Keep your recovery codes",
    on: "The second factor is on. All your other sessions have ended.",
    off: "The second factor is off. All your other sessions have ended.",
  },
  members: {
    has: "Second factor",
    reset: "Reset the second factor",
    resetQuestion: (name: string) => `Reset the second factor of ${name}?`,
    resetWhy: "For a member who lost the phone and the recovery codes. Their sessions end, and the password alone signs them in until they set up another one. Make sure that it is them who asks.",
    isReset: (name: string) => `The second factor of ${name} is reset`,
  },
  workspace: {
    title: "Second factor",
    description: "A code of an app on the phone, beside the password.",
    require: "Every member needs a second factor",
    requireHint: "Members without one set it up when they sign in the next time.",
    ownFirst: "Set up your own first, in your profile.",
    requireQuestion: "Require a second factor of all members?",
    signedOut: (count: number) =>
      count === 1 ? "1 member has none: their sessions end, and they can only sign in to set one up." : `${count} members have none: their sessions end, and they can only sign in to set one up.`,
    requireNow: "Require",
    required: "Every member needs a second factor now",
    notRequired: "Members need no second factor any more",
  },
};
