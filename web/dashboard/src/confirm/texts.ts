// Texts of the question whether the member is still there.
// English is the first catalogue; another language is an object of the same type.

export const texts = {
  title: "Confirm that it is you",
  why: "This changes who gets in, gives a secret away or cannot be undone. You are not asked again for 15 minutes.",
  password: "Your password",
  passwordMissing: "Enter your password",
  code: "Code of the second factor",
  codeHint: "The six digits that your app shows, or a recovery code.",
  codeMissing: "Enter the six digits that your app shows, or a recovery code",
  confirm: "Confirm",
  cancel: "Cancel",
  noPassword: "You sign in without a password. Sign out and in again: you are not asked for 15 minutes after that.",
  signInAgain: (host: string) => `Sign in again with ${host}`,
  leaves: "You leave this page to sign in and come back to it. What you have entered here and not saved is lost.",
  tooMany: (minutes: number) => `Too many wrong attempts. Try again in ${minutes} min.`,
  cancelled: "Nothing was changed, because you have not confirmed that it is you.",
};
