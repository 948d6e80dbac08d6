// Texts of the pages before signing in. English is the first catalogue; another
// language is an object of the same type.

export const texts = {
  frame: {
    parley: "Parley",
    needsHttps: "This page needs HTTPS.",
    whyHttps: "Browsers store the session’s cookie only on secure pages and on localhost. Open the dashboard at its https address; the operator’s guide explains how to set one up.",
  },

  invitePage: {
    linkEnded: "This link no longer works",
    whyEnded: "It was used, withdrawn or has expired",
    signIn: "Sign in",
    askAnAdmin: "Ask an admin of the workspace for a new one.",
    invitation: "Invitation",
    newPasswordTitle: "Set a new password",
    join: (name: string) => `Join ${name}`,
    yourName: "Your name",
    nameHint: "Customers and colleagues see it.",
    newPassword: "New password",
    password: "Password",
    passwordHint: "At least 12 characters; no common password, no name or address.",
    repeatPassword: "Repeat password",
    savePassword: "Set the password",
    joinNow: "Join",
    yourNameIsMissing: "Your name is missing; customers see it",
    shortPassword: "At least 12 characters",
    differentPasswords: "The passwords do not match",
    resetFor: (email: string) => `For ${email}. You will be signed out everywhere else.`,
    youWereInvitedAs: (email: string) => `You were invited as ${email}.`,
  },

  signInPage: {
    signIn: "Sign in",
    kept: (waiting: number) =>
      waiting === 1 ? "Your last message is kept here, and is sent as soon as you sign in again." : `${waiting} messages are kept here, and are sent as soon as you sign in again.`,
    eMail: "E-mail",
    password: "Password",
    forgotPassword: "Forgot the password? An admin of your workspace can give you a link to set a new one. The first account is printed by the server when it starts.",
    sendLink: "Send me a link for a new password",
    writeEMail: "Write your e-mail address above first.",
    onItsWay: (email: string) => `If ${email} belongs to a member, a link is on its way. It works for a day.`,
    noMail: "This server sends no mail.",
    chooseAWorkspace: "Choose a workspace",
    useAnotherAccount: "Use another account",
    noEMail: "Your e-mail address is missing",
    noPassword: "Your password is missing",
    toYourTeamsConversations: "Sign in to your team’s conversations.",
    wrong: "E-mail or password is wrong.",
    tooManyAttempts: (minutes: number) => `Too many attempts. Try again in ${minutes} min.`,
    severalWorkspaces: (email: string) => `${email} belongs to several workspaces.`,
  },
};
