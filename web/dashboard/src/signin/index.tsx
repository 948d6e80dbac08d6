// The pages of those who are not signed in, loaded when one is opened.
export { InvitePage } from "./InvitePage";
export { SignInPage } from "./SignInPage";
