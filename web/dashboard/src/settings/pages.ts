// The pages of the settings, without their contents.
import {
  Bell,
  BrainCircuit,
  Building2,
  Fingerprint,
  FlaskConical,
  FolderOpen,
  Inbox,
  KeyRound,
  LifeBuoy,
  Mail,
  MessageCircle,
  MessageSquareText,
  Package,
  ScrollText,
  Tags,
  UserRound,
  Users,
  UsersRound,
  Zap,
  type LucideIcon,
} from "lucide-react";
import type { Role } from "../api/types";
import { texts as mailTexts } from "./mails.texts";
import { texts } from "./pages.texts";
import { texts as teamTexts } from "../inbox/teams.texts";

export type PageName =
  | "profile"
  | "notifications"
  | "canned-answers"
  | "macros"
  | "labels"
  | "article-categories"
  | "workspace"
  | "members"
  | "teams"
  | "mail"
  | "products"
  | "inboxes"
  | "help-centers"
  | "numbers"
  | "models"
  | "simulation"
  | "keys"
  | "identity"
  | "sign-in"
  | "audit";

/** A page of the settings. */
export interface Entry {
  path: PageName;
  label: string;
  icon: LucideIcon;
  /** The lowest role that may see it. */
  role: Role;
}

/** The pages of the settings, in the order of their navigation. */
export const groups: readonly { title: string; entries: readonly Entry[] }[] = [
  {
    title: texts.you,
    entries: [
      { path: "profile", label: texts.profile, icon: UserRound, role: "agent" },
      { path: "notifications", label: texts.notifications, icon: Bell, role: "agent" },
    ],
  },
  {
    title: texts.answering,
    entries: [
      { path: "canned-answers", label: texts.cannedAnswers, icon: MessageSquareText, role: "agent" },
      { path: "macros", label: texts.macros, icon: Zap, role: "agent" },
      { path: "labels", label: texts.labels, icon: Tags, role: "agent" },
      { path: "article-categories", label: texts.articleCategories, icon: FolderOpen, role: "agent" },
    ],
  },
  {
    title: texts.workspace,
    entries: [
      { path: "workspace", label: texts.general, icon: Building2, role: "owner" },
      { path: "members", label: texts.members, icon: Users, role: "admin" },
      { path: "teams", label: teamTexts.teams, icon: UsersRound, role: "admin" },
      { path: "mail", label: mailTexts.mail, icon: Mail, role: "admin" },
      { path: "products", label: texts.products, icon: Package, role: "admin" },
      { path: "inboxes", label: texts.inboxes, icon: Inbox, role: "admin" },
      { path: "help-centers", label: texts.helpCenters, icon: LifeBuoy, role: "admin" },
      { path: "numbers", label: texts.numbers, icon: MessageCircle, role: "admin" },
      { path: "models", label: texts.models, icon: BrainCircuit, role: "admin" },
      { path: "simulation", label: texts.simulation, icon: FlaskConical, role: "admin" },
      { path: "sign-in", label: texts.signIn, icon: KeyRound, role: "owner" },
      { path: "audit", label: texts.audit, icon: ScrollText, role: "admin" },
    ],
  },
  {
    title: texts.programs,
    entries: [
      { path: "keys", label: texts.apiKeys, icon: KeyRound, role: "admin" },
      { path: "identity", label: texts.identity, icon: Fingerprint, role: "admin" },
    ],
  },
];
