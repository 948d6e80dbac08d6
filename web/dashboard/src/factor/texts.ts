// Texts of setting up a second factor, while signing in and in the settings.
// English is the first catalogue; another language is an object of the same type.

export const texts = {
  setUp: {
    scan: "Scan this code with an authenticator app, such as the one of your password manager or phone.",
    qrCode: "QR code of the second factor",
    orType: "Or type this key into the app",
    key: "Key",
    code: "Code",
    codeHint: "The six digits that the app shows then.",
    codeMissing: "Enter the six digits that the app shows",
    confirm: "Turn on",
    over: "This took longer than ten minutes. Start again with a new key.",
    loading: "Preparing a key…",
  },
  recovery: {
    why: "Each of these codes signs you in once without the app. Keep them where you find them without your phone. They are not shown again.",
    list: "Recovery codes",
    copy: "Copy all",
    copied: "Copied",
    print: "Print",
    done: "I have kept them",
  },
};
