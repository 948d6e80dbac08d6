// Texts of signing in with a provider. English is the first catalogue; another
// language is an object of the same type.

export const texts = {
  signInWith: (host: string) => `Sign in with ${host}`,
  title: "Sign in with the provider",
  lead: (workspace: string) => `${workspace} signs its members in with a provider. Passwords open nothing there.`,
  none: "The workspace has no provider any more. Go back and enter your password.",
  refused: {
    bad_provider_answer: "This sign-in has expired, or began in another browser. Start again.",
    provider_declined: "The provider did not sign you in.",
    provider_unreachable: "The provider does not answer now. Try again.",
    bad_provider_code: "Signing in with the provider does not work now. Try again; if it stays so, ask an owner.",
    bad_provider_token: "What the provider says about you cannot be trusted. Ask an owner.",
    provider_not_member: "You are no member of this workspace. Ask an admin for an invitation.",
    provider_no_group: "You are in none of the provider’s groups that may sign in here. Ask an admin.",
    provider_unverified: "The provider does not say that your e-mail address is verified. Ask an admin.",
    provider_taken: "This account, or that of the provider, is connected with another one. An owner can end that.",
    provider_unbound: "Sign in with your password first, and connect your account with the provider in your profile.",
  },
};
