// Types of the server's JSON under the names that the pages use. They come from
// the OpenAPI documents; only what those describe in words, or do not name, is
// written here.
import type * as api from "../../../shared/api.gen";

export type {
  Actor,
  AssigneeRef,
  AssistAvailable,
  AssistRequest,
  AssistResult,
  AuditChange,
  AuditEntry,
  AuditKnownActor,
  Attachment,
  Backups,
  BulkJob,
  CannedAnswer,
  ChannelType,
  Company,
  CompanyMove,
  CompanyRecord,
  Contact,
  ContactDuplicate,
  ContactRef,
  ContactVisit,
  ContentType,
  Conversation,
  ConversationChange,
  Counts,
  Distribution,
  Erasure,
  Followers,
  ErasurePreview,
  HistoryEntry,
  IdentityAlgorithm,
  IdentityKey,
  Inbox,
  InboxRef,
  Invitation,
  Key,
  KeyStoresUse as StoresUseOfKey,
  Label,
  LabelColor,
  ListedConversation,
  Macro,
  Me,
  Mail,
  MailPage,
  MailTrial,
  Member,
  Message,
  MessagePreview,
  MessageStatus,
  Moved,
  Notice,
  NoticeKind,
  NoticePreferences,
  Notices as NoticeList,
  ModelProvider,
  NewBulkJob,
  NewIdentityKey,
  NewInvitation,
  NewKey,
  OfficeHours,
  View as SavedView,
  ViewCount,
  WidgetTexts,
  OlderBackups,
  OpenInvitation as OpenedInvitation,
  PushDevice,
  PushDevices,
  PushTest,
  Priority,
  Product,
  ProductAgent,
  RejectedIdentity,
  Report,
  ReportBy,
  ReportRow,
  SimulatedAnswer,
  SimulatedAnswerPage,
  Retention,
  Access,
  Role,
  ScheduledMessage,
  SearchHit,
  SearchPage,
  SenderType,
  Session,
  State as WorkspaceState,
  Status,
  StoresUse,
  Team,
  Thread,
  Unread,
  UnreadNotices,
  Draft as ServerDraft,
  DraftMarks,
  Visit,
  Way,
  Welcome,
  WidgetSettings,
  WidgetView,
  RecoveryCodes,
  Confirmation,
  SecondFactor,
  SecondFactorSetUp,
  SecondFactors,
  OfferedProvider,
  ProviderAccount,
  ProviderAddress,
  SignInProvider,
  SignInStep,
  WorkspaceChoice,
  WorkspaceRef as Ref,
} from "../../../shared/api.gen";
export type { List, Page } from "../../../shared/types";

/** RFC 3339 in UTC with milliseconds. */
export type Time = string;
export type Attributes = api.Conversation["customAttributes"];

/**
 * One change of the workspace, as the log and the stream deliver it to members. Its type determines the type of its
 * data. An erased event, and one that the member may not see, have no data, and are skipped like one of an unknown type.
 */
export type LogEvent = Exclude<api.Event, api.WithheldEvent | api.ResetEvent | api.ErasedEvent | api.ConversationHiddenEvent>;
/** The conversation left the member's view. */
export type HiddenEvent = api.ConversationHiddenEvent;
export type EventOf<T extends LogEvent["type"]> = Extract<LogEvent, { type: T }>;

// What the stream delivers besides the log.

/** Who is viewing a conversation or typing in it: a member, or a customer in the chat on a website. */
export type Presence = MemberPresence | CustomerPresence;
export interface MemberPresence {
  memberId: string;
  conversationId: string | null;
  typing: boolean;
}
export interface CustomerPresence {
  contactId: string;
  conversationId: string;
  typing: boolean;
}
/** A member has begun, changed or ended a draft; one that has ended has version 0. */
export interface DraftSignal {
  conversationId: string;
  memberId: string;
  version: number;
  createdAt: Time | null;
}
/** The member read a conversation, or marked it as unread, in another tab. */
export interface Reading {
  conversationId: string;
  unread: boolean;
}
