// Generated from api/*.yaml by `make types`; do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The error. */
        Error: {
            /** @description A message that names the field and what it must be. */
            error: string;
        };
        /**
         * @description Status of a conversation.
         * @enum {string}
         */
        Status: "open" | "pending" | "resolved";
        /**
         * @description How urgent a conversation is.
         * @enum {string}
         */
        Priority: "low" | "medium" | "high" | "urgent";
        /**
         * @description How an inbox reaches customers.
         * @enum {string}
         */
        ChannelType: "api" | "web" | "chatapp" | "email";
        /**
         * @description How to read the content of a message.
         * @enum {string}
         */
        ContentType: "text" | "markdown" | "image" | "audio" | "video" | "file" | "location" | "system";
        /**
         * @description What wrote a message: a member, the automated agent, a contact, or Parley itself.
         * @enum {string}
         */
        SenderType: "agent" | "bot" | "contact" | "system";
        /**
         * @description Direction of a message: to the contact, or from the contact.
         * @enum {string}
         */
        MessageType: "outgoing" | "incoming";
        /**
         * @description Delivery status of a message. `queued` waits for its channel.
         * @enum {string}
         */
        MessageStatus: "queued" | "sent" | "delivered" | "read" | "failed";
        /**
         * @description The permissions of a member in the dashboard.
         * @enum {string}
         */
        Role: "owner" | "admin" | "agent";
        /**
         * @description The driver of a number of the messaging application.
         * @enum {string}
         */
        Driver: "sandbox" | "whatsapp";
        /**
         * @description Whether a number can be used. `pairing` waits for a person with the phone, `logged_out` must be paired again, `banned` was banned by the application, `outdated` needs a newer Parley.
         * @enum {string}
         */
        NumberStatus: "connected" | "disconnected" | "pairing" | "logged_out" | "banned" | "outdated";
        /**
         * @description The kind of record, and what happened to it.
         * @enum {string}
         */
        EventType: "conversation.created" | "conversation.updated" | "message.created" | "message.updated" | "contact.created" | "contact.updated" | "company.created" | "company.updated" | "product.created" | "product.updated" | "contact.merged" | "inbox.created" | "inbox.updated" | "member.created" | "member.updated" | "member.removed" | "number.created" | "number.updated" | "label.created" | "label.updated" | "label.deleted" | "canned_answer.created" | "canned_answer.updated" | "canned_answer.deleted" | "workspace.updated" | "contact_duplicate.created" | "contact_duplicate.deleted" | "conversation.deleted" | "message.deleted" | "contact.deleted" | "article.created" | "article.updated" | "article.deleted" | "article_category.created" | "article_category.updated" | "article_category.deleted" | "help_center.created" | "help_center.updated" | "help_center.deleted" | "conversation.merged" | "conversation.unmerged" | "conversation.split" | "team.created" | "team.updated" | "team.deleted" | "view.created" | "view.updated" | "view.deleted" | "macro.created" | "macro.updated" | "macro.deleted" | "scheduled_message.created" | "scheduled_message.updated" | "scheduled_message.deleted";
        /**
         * @description Colour of a label.
         * @enum {string}
         */
        LabelColor: "gray" | "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "purple" | "pink";
        /** @description The contact of a conversation. */
        ContactRef: {
            /** @description Id of the contact. */
            id: string;
            /** @description Name of the contact, "" if unknown. */
            name: string;
            /** @description E-mail address, "" if unknown. */
            email: string;
            /** @description Phone number in E.164; null if unknown. */
            phoneNumber: string | null;
            /** @description Name of the shop, "" if unknown. */
            shopName: string;
        };
        /** @description The inbox of a conversation. */
        InboxRef: {
            /** @description Id of the inbox. */
            id: string;
            /** @description Name of the inbox. */
            name: string;
            /** @description How it reaches customers. */
            channelType: components["schemas"]["ChannelType"];
        };
        /** @description The product of a conversation. */
        ProductRef: {
            /** @description Id of the product. */
            id: string;
            /** @description Name of the product. */
            name: string;
        };
        /** @description The member who is assigned to a conversation. */
        AssigneeRef: {
            /** @description Id of the member. */
            id: string;
            /** @description Name of the member. */
            name: string;
            /** @description Address of a picture, "" for none. */
            image: string;
        };
        /** @description The team of a conversation. */
        TeamRef: {
            /** @description Id of the team. */
            id: string;
            /** @description Name of the team. */
            name: string;
        };
        /** @description A conversation without its messages. */
        Conversation: {
            /** @description Id of the conversation. */
            id: string;
            /** @description Status of the conversation. */
            status: components["schemas"]["Status"];
            /** @description How urgent it is; null if not set. */
            priority: components["schemas"]["Priority"] | null;
            /** @description Whether it is marked as spam. Lists leave it out unless asked. */
            spam: boolean;
            /** @description Labels. */
            labels: string[];
            /** @description Incoming messages since a member last opened or answered the conversation. */
            unreadCount: number;
            /** @description The contact. */
            contact: components["schemas"]["ContactRef"];
            /** @description The inbox that it came in through. */
            inbox: components["schemas"]["InboxRef"];
            /** @description The product; null if the conversation has not been routed or triaged yet. */
            product: components["schemas"]["ProductRef"] | null;
            /** @description The assigned member; null for nobody. */
            assignee: components["schemas"]["AssigneeRef"] | null;
            /** @description The team that it belongs to; null for none. Neither the team nor the assignee sets the other. */
            team: components["schemas"]["TeamRef"] | null;
            /** @description The part of the automated agent of the product. */
            agent: components["schemas"]["AgentPart"];
            /** @description Free-form keys and values. */
            customAttributes: {
                [key: string]: unknown;
            };
            /** @description When the customer began to wait for an answer: the time of the first unanswered message. Null if nobody waits. A message to the customer by a member or the automated agent ends the wait, and so does resolving; a note does not, and a backfill changes nothing. */
            waitingSince: string | null;
            /** @description When a pending conversation opens again by itself; null if it does not. */
            snoozedUntil: string | null;
            /** @description When it last opened by itself; null after an answer, and after any change of the status. */
            wokeAt: string | null;
            /** @description Id of the conversation that has its messages now; null if it was not merged. */
            mergedInto: string | null;
            /** @description Id of the conversation that its first messages came from; null for none. */
            splitFrom: string | null;
            /** @description Time of the newest message; without messages, of the creation. */
            lastActivityAt: string;
            /** @description Time of the last change of any kind: of the conversation or of one of its messages, backfills included. In a workspace it never goes backwards: what changes later has a later time, whatever the server's clock does. Changes that became visible together may share one. */
            updatedAt: string;
            /** @description When the conversation began. */
            createdAt: string;
        };
        /** @description A conversation of a list, with its newest message if `include=lastMessage` requests it. */
        ListedConversation: {
            /** @description Id of the conversation. */
            id: string;
            /** @description Status of the conversation. */
            status: components["schemas"]["Status"];
            /** @description How urgent it is; null if not set. */
            priority: components["schemas"]["Priority"] | null;
            /** @description Whether it is marked as spam. Lists leave it out unless asked. */
            spam: boolean;
            /** @description Labels. */
            labels: string[];
            /** @description Incoming messages since a member last opened or answered the conversation. */
            unreadCount: number;
            /** @description The contact. */
            contact: components["schemas"]["ContactRef"];
            /** @description The inbox that it came in through. */
            inbox: components["schemas"]["InboxRef"];
            /** @description The product; null if the conversation has not been routed or triaged yet. */
            product: components["schemas"]["ProductRef"] | null;
            /** @description The assigned member; null for nobody. */
            assignee: components["schemas"]["AssigneeRef"] | null;
            /** @description The team that it belongs to; null for none. Neither the team nor the assignee sets the other. */
            team: components["schemas"]["TeamRef"] | null;
            /** @description The part of the automated agent of the product. */
            agent: components["schemas"]["AgentPart"];
            /** @description Free-form keys and values. */
            customAttributes: {
                [key: string]: unknown;
            };
            /** @description When the customer began to wait for an answer: the time of the first unanswered message. Null if nobody waits. A message to the customer by a member or the automated agent ends the wait, and so does resolving; a note does not, and a backfill changes nothing. */
            waitingSince: string | null;
            /** @description When a pending conversation opens again by itself; null if it does not. */
            snoozedUntil: string | null;
            /** @description When it last opened by itself; null after an answer, and after any change of the status. */
            wokeAt: string | null;
            /** @description Id of the conversation that has its messages now; null if it was not merged. */
            mergedInto: string | null;
            /** @description Id of the conversation that its first messages came from; null for none. */
            splitFrom: string | null;
            /** @description Time of the newest message; without messages, of the creation. */
            lastActivityAt: string;
            /** @description Time of the last change of any kind: of the conversation or of one of its messages, backfills included. In a workspace it never goes backwards: what changes later has a later time, whatever the server's clock does. Changes that became visible together may share one. */
            updatedAt: string;
            /** @description When the conversation began. */
            createdAt: string;
            /** @description The newest message; null if there is none. Only with `include=lastMessage`. */
            lastMessage?: components["schemas"]["MessagePreview"] | null;
        };
        /** @description A preview of a conversation's newest message. */
        MessagePreview: {
            /** @description Id of the message. */
            id: string;
            /** @description The beginning of its content, at most 200 characters; for a message without text, the name of its first file. */
            preview: string;
            /** @description How to read the content. */
            contentType: components["schemas"]["ContentType"];
            /** @description Whether it came in or went out. */
            messageType: components["schemas"]["MessageType"];
            /** @description Who wrote it. */
            senderType: components["schemas"]["SenderType"];
            /** @description Whether it is a note between members. */
            isPrivate: boolean;
            /** @description How many files it has. */
            attachmentCount: number;
            /** @description When it was written. */
            createdAt: string;
        };
        /** @description A conversation with a page of its messages. */
        Thread: {
            /** @description Id of the conversation. */
            id: string;
            /** @description Status of the conversation. */
            status: components["schemas"]["Status"];
            /** @description How urgent it is; null if not set. */
            priority: components["schemas"]["Priority"] | null;
            /** @description Whether it is marked as spam. Lists leave it out unless asked. */
            spam: boolean;
            /** @description Labels. */
            labels: string[];
            /** @description Incoming messages since a member last opened or answered the conversation. */
            unreadCount: number;
            /** @description The contact. */
            contact: components["schemas"]["ContactRef"];
            /** @description The inbox that it came in through. */
            inbox: components["schemas"]["InboxRef"];
            /** @description The product; null if the conversation has not been routed or triaged yet. */
            product: components["schemas"]["ProductRef"] | null;
            /** @description The assigned member; null for nobody. */
            assignee: components["schemas"]["AssigneeRef"] | null;
            /** @description The team that it belongs to; null for none. Neither the team nor the assignee sets the other. */
            team: components["schemas"]["TeamRef"] | null;
            /** @description The part of the automated agent of the product. */
            agent: components["schemas"]["AgentPart"];
            /** @description Free-form keys and values. */
            customAttributes: {
                [key: string]: unknown;
            };
            /** @description When the customer began to wait for an answer: the time of the first unanswered message. Null if nobody waits. A message to the customer by a member or the automated agent ends the wait, and so does resolving; a note does not, and a backfill changes nothing. */
            waitingSince: string | null;
            /** @description When a pending conversation opens again by itself; null if it does not. */
            snoozedUntil: string | null;
            /** @description When it last opened by itself; null after an answer, and after any change of the status. */
            wokeAt: string | null;
            /** @description Id of the conversation that has its messages now; null if it was not merged. */
            mergedInto: string | null;
            /** @description Id of the conversation that its first messages came from; null for none. */
            splitFrom: string | null;
            /** @description Time of the newest message; without messages, of the creation. */
            lastActivityAt: string;
            /** @description Time of the last change of any kind: of the conversation or of one of its messages, backfills included. In a workspace it never goes backwards: what changes later has a later time, whatever the server's clock does. Changes that became visible together may share one. */
            updatedAt: string;
            /** @description When the conversation began. */
            createdAt: string;
            /** @description Messages, newest last. The next page holds older ones. */
            messages: components["schemas"]["MessagePage"];
        };
        /** @description Who wrote a message. */
        Sender: {
            /** @description Name of the writer. */
            name: string;
            /** @description Address of a picture, "" for none. */
            image: string;
        };
        /** @description A file of a message. */
        Attachment: {
            /** @description Id of the file. */
            id: string;
            /** @description Name of the file. */
            fileName: string;
            /** @description Media type of the file. */
            contentType: string;
            /** @description Size in bytes. */
            size: number;
            /** @description Where to get the file. It begins with the public address of the server if its operator set one (`--public-url`), otherwise it is relative to the server that answered. It is valid for an hour at most; load the message again to get a fresh one. */
            url: string;
            /** @description Width in pixels, of an image or video. */
            width: number | null;
            /** @description Height in pixels, of an image or video. */
            height: number | null;
            /** @description Length in seconds, of audio or video. */
            duration: number | null;
        };
        /** @description One contribution to a conversation. */
        Message: {
            /** @description Id of the message. */
            id: string;
            /** @description Id of its conversation. */
            conversationId: string;
            /** @description The text. It is never HTML. */
            content: string;
            /** @description How to read the content. */
            contentType: components["schemas"]["ContentType"];
            /** @description The kind of sender. */
            senderType: components["schemas"]["SenderType"];
            /** @description Id of the member or contact; `bot` for the automated agent, "" for Parley itself. */
            senderId: string;
            /** @description Its direction. */
            messageType: components["schemas"]["MessageType"];
            /** @description Its delivery status. */
            status: components["schemas"]["MessageStatus"];
            /** @description Why the message failed. Present only when `status` is `failed`. */
            error?: string;
            /** @description Whether it is a note between members, never sent to the customer. */
            isPrivate: boolean;
            /** @description Who wrote it. */
            sender: components["schemas"]["Sender"];
            /** @description Files. */
            attachments: components["schemas"]["Attachment"][];
            /** @description What the product's automated agent says about its own message; null for all others, those that programs write as the bot too. */
            agent: components["schemas"]["AgentAnswer"] | null;
            /** @description Ids of the members and teams that a note names. */
            mentions: string[];
            /** @description When it was written. */
            createdAt: string;
        };
        /** @description What a message of the automated agent rests on. */
        AgentAnswer: {
            /**
             * @description `answer` is a text from articles, `cards` shows articles, `question` asks what the customer means, and `hand_over` says that a person will go on.
             * @enum {string}
             */
            kind: "answer" | "cards" | "question" | "hand_over";
            /** @description Whether the customer said that it helped. */
            helped: boolean;
            /** @description The articles, most important first. */
            sources: components["schemas"]["AgentSource"][];
        };
        /** @description An article, as it was published when the agent used it. */
        AgentSource: {
            /** @description Id of the article. */
            articleId: string;
            /** @description The language of its text. */
            language: string;
            /** @description The version of that text. */
            version: number;
            /** @description Its title. */
            title: string;
            /** @description Address of its public page; "" if there is none. */
            url: string;
        };
        /** @description What the automated agent does in a conversation. */
        AgentPart: {
            /**
             * @description `answering`: it works on the customer's latest messages. `waiting`: it answered, and waits for the customer. `handed_over`: a person must go on, and it is silent until the conversation is resolved. `off`: it has no part, because the product has none or somebody else answers.
             * @enum {string}
             */
            state: "off" | "answering" | "waiting" | "handed_over";
            /** @description Why it handed over, such as `asked` or `no_article`; "" in other states. */
            reason: string;
        };
        /** @description A conversation to start. */
        NewConversation: {
            /** @description The contact that the conversation belongs to. */
            contactId: string;
            /** @description The inbox. Without it, the workspace's first inbox. */
            inboxId?: string;
            /** @description An active product; null for none. Without it, the product that the inbox routes to. */
            productId?: string | null;
            /** @description The team; null for none. Without it, the team that the inbox leads to, else that of the product. */
            teamId?: string | null;
            /** @description The status; `open` by default. */
            status?: components["schemas"]["Status"] | null;
            /** @description How urgent it is. */
            priority?: components["schemas"]["Priority"] | null;
            /** @description Its labels. Surrounding white space is removed. */
            labels?: string[] | null;
            /** @description The member to assign. */
            assigneeId?: string | null;
            /** @description Free-form keys and values, at most 64 KiB as JSON. */
            customAttributes?: {
                [key: string]: unknown;
            } | null;
            /** @description For an import: when the conversation began. At most a minute in the future, because clocks may differ, and not before 1970. Its events are marked as imported. */
            createdAt?: string | null;
        };
        /** @description Changes of a conversation. Absent members stay unchanged. */
        ConversationChange: {
            /** @description What the conversation must have before the change. */
            if?: components["schemas"]["ConversationValues"];
            /** @description The new status. */
            status?: components["schemas"]["Status"];
            /** @description Until when it sleeps, at most 400 days ahead. This makes it pending; no other `status` may be given beside it. At that time it opens by itself, and `wokeAt` says when. It opens earlier when the customer writes; any other status and the mark as spam end its sleep, too. `status` `pending` alone keeps it asleep. Null wakes it, unless `status` is given. */
            snoozedUntil?: string | null;
            /** @description How urgent it is; null for no priority. */
            priority?: components["schemas"]["Priority"] | null;
            /** @description Whether it is spam. This changes nothing else, and later messages do not change it. */
            spam?: boolean;
            /** @description The member to assign; null for nobody. */
            assigneeId?: string | null;
            /** @description All of its labels. */
            labels?: string[];
            /** @description An active product; null for none. A conversation without a team gets the team that the product leads to, unless `teamId` is given. */
            productId?: string | null;
            /** @description The team; null for none. */
            teamId?: string | null;
            /** @description Merged into the stored ones; a null value deletes the key. At most 64 KiB of JSON. */
            customAttributes?: {
                [key: string]: unknown;
            };
        };
        /** @description What the conversation must have before the change. If a member differs, nothing changes. So a change can be taken back unless somebody has made another one since. */
        ConversationValues: {
            /** @description Its status. */
            status?: components["schemas"]["Status"];
            /** @description How urgent it is; null for no priority. */
            priority?: components["schemas"]["Priority"] | null;
            /** @description Whether it is spam. */
            spam?: boolean;
            /** @description Its assignee; null for nobody. */
            assigneeId?: string | null;
            /** @description Its team; null for none. */
            teamId?: string | null;
            /** @description All of its labels, in any order. */
            labels?: string[];
            /** @description Its product; null for none. */
            productId?: string | null;
            /** @description Until when it sleeps; null if it does not. */
            snoozedUntil?: string | null;
        };
        /** @description A form with a file. */
        NewAttachment: {
            /** @description The file, with its name and media type. */
            file: string;
        };
        /** @description A message to add. It has content, files, or both. */
        NewMessage: {
            /** @description The text: 1 to 65,536 bytes of UTF-8, not blank. With files it may be blank or absent. */
            content?: string;
            /** @description Uploaded files that belong to no message yet, in the order in which to show them. Each can be attached once. */
            attachmentIds?: string[];
            /**
             * @description `outgoing` (default): as an agent or the automated agent; `incoming`: on behalf of the contact.
             * @enum {string}
             */
            role?: "outgoing" | "incoming";
            /** @description Outgoing only: the member who writes. Without it, the automated agent. */
            agentUserId?: string;
            /** @description Outgoing only: a note between members, never sent to the customer. Without it, false. */
            isPrivate?: boolean;
            /**
             * @description How to read the content. Without it, `text`; with files `image`, `audio`, `video` or `file`, by the first of them.
             * @enum {string}
             */
            contentType?: "text" | "markdown";
            /** @description Only with `isPrivate`: ids of the members whom the note names, whatever its text says. A text alone names nobody. */
            mentions?: string[];
            /** @description For a backfill: when the message was written. Up to a minute in the future counts as now; a later time is refused, and so is one before 1970. */
            createdAt?: string;
            /** @description The message that must be the newest of the conversation, notes included. If another one is, the answer is 409 and names it. Without it, or with null, there is no condition. */
            ifLastMessageId?: string | null;
            /** @description The statuses that the conversation may have. If it has another one, the answer is 409 and names it. Without it, or with null, there is no condition. */
            ifStatus?: ("open" | "pending" | "resolved")[] | null;
        };
        /** @description The company of a contact. */
        CompanyRef: {
            /** @description Id of the company. */
            id: string;
            /** @description Name of the company. */
            name: string;
        };
        /** @description A customer. */
        Contact: {
            /** @description Id of the contact. */
            id: string;
            /** @description Name, "" if unknown. */
            name: string;
            /** @description E-mail address, "" if unknown. */
            email: string;
            /** @description Phone number in E.164; null if unknown. */
            phoneNumber: string | null;
            /** @description Name of the shop, "" if unknown. */
            shopName: string;
            /** @description Address of a picture; null for none. */
            avatarUrl: string | null;
            /** @description Your own id of the person, "" for none. */
            identifier: string;
            /** @description The company; null for none. */
            company: components["schemas"]["CompanyRef"] | null;
            /** @description Id of the company; null for none. */
            companyId: string | null;
            /**
             * @deprecated
             * @description The old name of `companyId`, removed on 16 February 2027.
             */
            storeId?: string | null;
            /** @description Free-form keys and values. */
            customAttributes: {
                [key: string]: unknown;
            };
            /** @description When the contact was created. */
            createdAt: string;
            /** @description When the contact last changed. */
            updatedAt: string;
            /** @description When the contact last wrote; before that, when it was created. */
            lastActivityAt: string;
        };
        /** @description Details of a contact. Absent members stay unchanged. */
        ContactFields: {
            /** @description Name. */
            name?: string;
            /** @description E-mail address; "" for none. Matches ignoring case. Letters of any language are allowed, on both sides of the `@`; quoted names and domains in brackets are not. */
            email?: string;
            /** @description Phone number, country code first, with `+`, `00` or nothing before it, in any spelling; it is stored in E.164, by which it matches. Null or "" for none. */
            phoneNumber?: string | null;
            /** @description Name of the shop. */
            shopName?: string;
            /** @description Address of a picture, http or https; null or "" for none. */
            avatarUrl?: string | null;
            /** @description Your own id of the person; "" for none. A new one is stored without surrounding white space. */
            identifier?: string;
            /** @description Links the contact to a company; null unlinks. Has no effect if a contact is created. */
            companyId?: string | null;
            /**
             * @deprecated
             * @description The old name of `companyId`, ignored from 16 February 2027 on.
             */
            storeId?: string | null;
            /** @description Merged into the stored ones; a null value deletes the key. At most 64 KiB of JSON. */
            customAttributes?: {
                [key: string]: unknown;
            };
        };
        /** @description An organization that contacts belong to. */
        Company: {
            /** @description Id of the company; the same under the stores routes. */
            id: string;
            /** @description Name of the company. */
            name: string;
            /** @description Website; null if unknown. */
            website: string | null;
            /** @description Industry; null if unknown. */
            industry: string | null;
            /** @description Notes; null for none. */
            notes: string | null;
            /** @description Your own account id; null for none. There is one company per external id. */
            externalId: string | null;
            /** @description When the company was created. */
            createdAt: string;
            /** @description When the company last changed. */
            updatedAt: string;
        };
        /** @description A company with the number of its contacts. */
        CompanyRecord: {
            /** @description Id of the company; the same under the stores routes. */
            id: string;
            /** @description Name of the company. */
            name: string;
            /** @description Website; null if unknown. */
            website: string | null;
            /** @description Industry; null if unknown. */
            industry: string | null;
            /** @description Notes; null for none. */
            notes: string | null;
            /** @description Your own account id; null for none. There is one company per external id. */
            externalId: string | null;
            /** @description When the company was created. */
            createdAt: string;
            /** @description When the company last changed. */
            updatedAt: string;
            /** @description Number of linked contacts. */
            contactCount: number;
        };
        /** @description A company to create. */
        NewCompany: {
            /** @description Name of the company. */
            name: string;
            /** @description Website; null if unknown. */
            website?: string | null;
            /** @description Industry; null if unknown. */
            industry?: string | null;
            /** @description Notes; null for none. */
            notes?: string | null;
            /** @description Your own account id, as a customer's signed identity names it; null for none. */
            externalId?: string | null;
        };
        /** @description Changes of a company. Absent members stay unchanged. */
        CompanyChange: {
            /** @description Name of the company. */
            name?: string;
            /** @description Website; null if unknown. */
            website?: string | null;
            /** @description Industry; null if unknown. */
            industry?: string | null;
            /** @description Notes; null for none. */
            notes?: string | null;
            /** @description Your own account id, as a customer's signed identity names it; null for none. */
            externalId?: string | null;
        };
        /** @description A group and the results for its participants. Numbers are digits only. */
        GroupCreated: {
            /** @description The application's own id of the group. */
            group_jid: string;
            /** @description Id of the conversation of the group. */
            conversation_id: string;
            /** @description Link to join with; "" while the application gives none. */
            invite_link: string;
            /** @description Numbers that are in the group now. */
            added: string[];
            /** @description Numbers that the application would not add directly; they must join by the link. */
            invited: string[];
            /** @description Those in `invited` who were sent the link. */
            invites_sent: string[];
            /** @description Numbers that are not on the application. */
            not_on_chatapp: string[];
        };
        /** @description The results for the participants. Numbers are digits only. */
        ParticipantsAdded: {
            /** @description The application's own id of the group. */
            group_jid: string;
            /** @description Link to join with; "" while the application gives none. */
            invite_link: string;
            /** @description Numbers that are in the group now. */
            added: string[];
            /** @description Numbers that the application would not add directly; they must join by the link. */
            invited: string[];
            /** @description Those in `invited` who were sent the link. */
            invites_sent: string[];
            /** @description Numbers that are not on the application. */
            not_on_chatapp: string[];
        };
        /** @description A member of a group. */
        GroupAdmin: {
            /** @description The application's own id of the group. */
            group_jid: string;
            /** @description Number of the member, as digits. */
            phone: string;
            /** @description Whether the member is an admin of the group. */
            is_admin: boolean;
        };
        /** @description A number of the workspace in the messaging application. */
        Number: {
            /** @description Id of the number: the `integrationId` of a new group. */
            id: string;
            /** @description The number, with its "+". */
            phone: string;
            /** @description Its driver. */
            driver: components["schemas"]["Driver"];
            /** @description Whether it can be used. */
            status: components["schemas"]["NumberStatus"];
            /** @description The end of a ban; null if there is none or nobody knows. */
            until: string | null;
            /** @description Until when the application forbids the number to write to people who never wrote to it; null if it does not. */
            restrictedUntil: string | null;
            /** @description The reason for the status, for people; "" if there is none. */
            reason: string;
            /** @description Whether it should stay connected. */
            enabled: boolean;
            /** @description Whether a phone is paired with it. Numbers of the sandbox need none. */
            paired: boolean;
            /** @description Id of the inbox of its conversations. */
            inboxId: string;
            /** @description When the number was first connected. */
            createdAt: string;
            /** @description When the number last changed. */
            updatedAt: string;
        };
        /** @description A group to create. */
        NewGroup: {
            /** @description Subject of the group. */
            name: string;
            /** @description Phone numbers of customers, country code first. `+`, spaces, dashes and the like are ignored. */
            participants: string[];
            /** @description Phone of the connected number that hosts the group. May be absent if the workspace has exactly one. */
            from?: string;
            /** @description Id of the hosting number; takes precedence over `from`. */
            integrationId?: string;
            /** @description Whether to send the link to those who could not be added: an unsolicited direct message. Without it, false. */
            sendInviteLink?: boolean;
            /** @description Stored as `shopName` in the custom attributes of the conversation. */
            shopName?: string;
            /** @description More custom attributes of the conversation. At most 64 KiB of JSON. */
            customAttributes?: {
                [key: string]: unknown;
            };
            /** @description Opening message, sent to the group and stored as its first outgoing message. */
            message?: string;
        };
        /** @description Participants to add. */
        NewParticipants: {
            /** @description Phone numbers, country code first. Punctuation is ignored. */
            participants: string[];
            /** @description Whether to send the link to those who could not be added. Without it, false. */
            sendInviteLink?: boolean;
        };
        /** @description A member to promote or demote. */
        AdminChange: {
            /** @description Number of the member, country code first. */
            phone: string;
            /** @description true promotes, false demotes. */
            admin: boolean;
        };
        /** @description A product that the company supports. */
        Product: {
            /** @description Id of the product. */
            id: string;
            /** @description Name of the product. */
            name: string;
            /** @description What it is, "" if not described. */
            description: string;
            /** @description Whether it is out of use. */
            archived: boolean;
            /** @description Since when it is out of use; null while it is active. */
            archivedAt: string | null;
            /** @description When the product was created. */
            createdAt: string;
            /** @description When the product last changed. */
            updatedAt: string;
        };
        /** @description A language of BCP 47, with a region if needed. */
        Language: string;
        /**
         * @description Whether an article can be read in public: `draft` if no text is published, `archived` if none can be read for now.
         * @enum {string}
         */
        ArticleState: "draft" | "published" | "archived";
        /** @description The working text of an article in a language. */
        ArticleText: {
            /** @description Id of the article. */
            articleId: string;
            /** @description The language. */
            language: components["schemas"]["Language"];
            /** @description What the article is about. */
            title: string;
            /** @description What the article answers, in one sentence. */
            description: string;
            /** @description Number of the working text. It increases with each change. */
            version: number;
            /** @description The version that customers read; null if the text is not published. */
            publishedVersion: number | null;
            /** @description When the working text last changed. */
            updatedAt: string;
            /** @description When the published version was published; null if there is none. */
            publishedAt: string | null;
            /** @description Words and phrases that customers use and the text does not. */
            keywords: string[];
            /** @description The text, in Markdown. */
            body: string;
        };
        /** @description A version of the text of an article. */
        ArticleVersion: {
            /** @description Id of the article. */
            articleId: string;
            /** @description The language. */
            language: components["schemas"]["Language"];
            /** @description Number of the version. Numbers have gaps. */
            version: number;
            /** @description What the article is about. */
            title: string;
            /** @description What the article answers, in one sentence. */
            description: string;
            /** @description Words and phrases that customers use and the text does not. */
            keywords: string[];
            /** @description The text, in Markdown. */
            body: string;
            /** @description Who wrote it. Without `conversations:read`, `name` is empty. */
            author: components["schemas"]["Actor"];
            /** @description When the author began it. */
            createdAt: string;
            /** @description When it was last published; null if it never was. */
            publishedAt: string | null;
        };
        /** @description An article to create, with its first text. */
        NewArticle: {
            /** @description The product; null for all products. */
            productId?: string | null;
            /** @description The category, of the same product or of all products; null for none. */
            categoryId?: string | null;
            /** @description The name of the article in addresses: a-z and 0-9 with single hyphens between them. */
            slug?: string;
            /** @description The language of the text. */
            language: components["schemas"]["Language"];
            /** @description What the article is about. */
            title: string;
            /** @description What the article answers, in one sentence. */
            description?: string;
            /** @description Words and phrases that customers use and the text does not. */
            keywords?: string[];
            /** @description The text, in Markdown, of at most 262144 bytes and 1000 headings. */
            body?: string;
        };
        /** @description Changes of an article. Absent members stay unchanged. */
        ArticleChange: {
            /** @description The product; null for all products. */
            productId?: string | null;
            /** @description The category, of the same product or of all products; null for none. */
            categoryId?: string | null;
            /** @description The name of the article in addresses: a-z and 0-9 with single hyphens between them. */
            slug?: string;
            /** @description Whether customers can read it. */
            state?: components["schemas"]["ArticleState"];
        };
        /** @description What to publish. */
        ArticlePublication: {
            /** @description The languages to publish; absent for all that the article has. */
            languages?: components["schemas"]["Language"][];
        };
        /** @description Changes of a text. Absent members stay unchanged. */
        ArticleTextChange: {
            /** @description The version that the change is based on, 0 for a text in a new language. Another one is a conflict. Absent: whatever it is. */
            version?: number;
            /** @description What the article is about. */
            title?: string;
            /** @description What the article answers, in one sentence. */
            description?: string;
            /** @description Words and phrases that customers use and the text does not. */
            keywords?: string[];
            /** @description The text, in Markdown, of at most 262144 bytes and 1000 headings. */
            body?: string;
        };
        /** @description A category to create. */
        NewArticleCategory: {
            /** @description The product of its articles, which never changes; null for all products. */
            productId?: string | null;
            /** @description The name of the category in each language, of at most 100 characters. */
            names: {
                [key: string]: string;
            };
            /** @description Categories are shown by ascending position. */
            position?: number;
        };
        /** @description Changes of a category. Absent members stay unchanged. */
        ArticleCategoryChange: {
            /** @description The name of the category in each language, of at most 100 characters. */
            names?: {
                [key: string]: string;
            };
            /** @description Categories are shown by ascending position. */
            position?: number;
        };
        /** @description Changes of a help center. Absent members stay unchanged, and have their defaults in a new one. */
        HelpCenterChange: {
            /** @description The name of the help center in addresses: a-z, 0-9 and hyphens. */
            slug?: string;
            /** @description The title of the pages. */
            title?: string;
            /** @description The languages of the pages. The first is the default. At first English. */
            languages?: components["schemas"]["Language"][];
            /** @description Whether customers can read the pages. At first they can. */
            enabled?: boolean;
            /** @description The color of the pages, as six hexadecimal digits in lower case. */
            color?: string;
        };
        /** @description A channel through which conversations come in. */
        Inbox: {
            /** @description Id of the inbox. */
            id: string;
            /** @description Name of the inbox. */
            name: string;
            /** @description How it reaches customers. */
            channelType: components["schemas"]["ChannelType"];
            /** @description Product of the conversations that start here; null for none. */
            productId: string | null;
            /** @description When the inbox was created. */
            createdAt: string;
            /** @description When the inbox last changed. */
            updatedAt: string;
        };
        /**
         * @description `all` sees every conversation; owners and admins do. `own` sees those of the member's `inboxIds`, of the teams that the member is in, and those assigned to the member.
         * @enum {string}
         */
        Access: "all" | "own";
        /** @description A person who works in the workspace. */
        Member: {
            /** @description Id of the member: an opaque string. */
            id: string;
            /** @description Name of the member. */
            name: string;
            /** @description E-mail address of the member. */
            email: string;
            /** @description Address of a picture, "" for none. */
            image: string;
            /** @description The permissions of the member in the dashboard. */
            role: components["schemas"]["Role"];
            /** @description Which conversations the member sees. */
            access: components["schemas"]["Access"];
            /** @description The inboxes of a member with the access `own`; empty for others. */
            inboxIds: string[];
            /** @description When the member joined. */
            createdAt: string;
            /** @description When the member last changed. */
            updatedAt: string;
        };
        /** @description An entry of the label catalogue. Conversations may have labels that are not in it. */
        Label: {
            /** @description Name of the label. */
            name: string;
            /** @description Its colour. */
            color: components["schemas"]["LabelColor"];
            /** @description When the label was added. */
            createdAt: string;
            /** @description When it last changed. */
            updatedAt: string;
        };
        /** @description A text that members put into their answers. */
        CannedAnswer: {
            /** @description Id of the canned answer. */
            id: string;
            /** @description The shortcut that inserts it. */
            shortcut: string;
            /** @description The text. */
            content: string;
            /** @description When it was added. */
            createdAt: string;
            /** @description When it last changed. */
            updatedAt: string;
        };
        /** @description A record that was deleted. */
        DeletedRecord: {
            /** @description Id of the record; of a member, an opaque string. */
            id: string;
        };
        /** @description A conversation that was deleted. */
        DeletedConversation: {
            /** @description Id of the conversation. */
            id: string;
            /** @description Id of the contact whose conversation it was. */
            contactId: string;
        };
        /** @description A label that was removed from the catalogue. */
        DeletedLabel: {
            /** @description Name of the label. */
            name: string;
        };
        /** @description A contact that became part of another one. */
        ContactMerge: {
            /** @description The contact that was merged. Its id leads to the other. */
            id: string;
            /** @description The surviving contact. */
            intoId: string;
        };
        /** @description Two contacts that may be one person. */
        ContactDuplicate: {
            /** @description Id of the pair. */
            id: string;
            /** @description The contact whose identity had the e-mail address or phone number and did not get it. */
            contact: {
                /** @description Id of the contact. */
                id: string;
                /** @description Name of the contact. */
                name: string;
            };
            /** @description Who has it. */
            other: {
                /** @description Id of the contact. */
                id: string;
                /** @description Name of the contact. */
                name: string;
                /** @description E-mail address of the contact now. */
                email: string;
            };
            /** @description The e-mail address that both go by. Empty where it is the phone number. */
            email: string;
            /** @description The phone number that both go by. Null where it is the e-mail address. */
            phoneNumber: string | null;
            /** @description When it was noted. */
            createdAt: string;
        };
        /** @description An article of the knowledge base, with the titles of its texts. A text has its body at an address of its own. */
        Article: {
            /** @description Id of the article. */
            id: string;
            /** @description Its name in addresses, one for all languages. It stays when a title changes; addresses with a former slug still lead here. */
            slug: string;
            /** @description The product that it is about; null for all products. */
            productId: string | null;
            /** @description Its category; null for none. */
            categoryId: string | null;
            /** @description Whether it can be read in public. */
            state: components["schemas"]["ArticleState"];
            /** @description Its texts, one for each language, sorted by language. */
            texts: components["schemas"]["ArticleHead"][];
            /** @description When it was created. */
            createdAt: string;
            /** @description When it or one of its texts last changed. */
            updatedAt: string;
            /** @description When a text was last published; null for never. */
            publishedAt: string | null;
        };
        /** @description What is shown of an article's text beside others. Title and description are those of the working text. */
        ArticleHead: {
            /** @description Language, with a region where needed (BCP 47). */
            language: string;
            /** @description Title. */
            title: string;
            /** @description What the article answers, in one sentence; "" for none. */
            description: string;
            /** @description Version of the working text. It grows with each change. */
            version: number;
            /** @description The version that the public reads; null for none. */
            publishedVersion: number | null;
            /** @description When the working text last changed. */
            updatedAt: string;
            /** @description When that version was published; null for none. */
            publishedAt: string | null;
        };
        /** @description A category of articles. */
        ArticleCategory: {
            /** @description Id of the category. */
            id: string;
            /** @description The product whose articles it is for; null for all products. It never changes. */
            productId: string | null;
            /** @description Its name by language. */
            names: {
                [key: string]: string;
            };
            /** @description Categories are shown by ascending position. */
            position: number;
            /** @description When it was created. */
            createdAt: string;
            /** @description When it last changed. */
            updatedAt: string;
        };
        /** @description The public pages of a product's articles, and of the articles for all products. */
        HelpCenter: {
            /** @description The product. */
            productId: string;
            /** @description Its name in addresses, unique on the server. */
            slug: string;
            /** @description Title of the pages. */
            title: string;
            /** @description Languages of the pages; the first is the default. */
            languages: string[];
            /** @description Whether the pages can be read. */
            enabled: boolean;
            /** @description Colour of the pages. */
            color: string;
            /** @description When it was created. */
            createdAt: string;
            /** @description When it last changed. */
            updatedAt: string;
        };
        /** @description The product whose help center was deleted. */
        DeletedHelpCenter: {
            /** @description The product. */
            productId: string;
        };
        /** @description A conversation whose messages another one shows. */
        MergedConversation: {
            /** @description The conversation that was merged. */
            id: string;
            /** @description The conversation that shows its messages now. */
            intoId: string;
        };
        /** @description A conversation that was merged into another one, and is one of its own again. */
        UnmergedConversation: {
            /** @description The conversation that had been merged. */
            id: string;
            /** @description The conversation that showed its messages. */
            intoId: string;
        };
        /** @description A conversation that began with messages of another one. */
        SplitConversation: {
            /** @description The new conversation. */
            id: string;
            /** @description The conversation that its first messages came from. */
            fromId: string;
            /** @description The first of them. All that followed it came along. */
            messageId: string;
        };
        /** @description A group of members, to which inboxes and products can lead. */
        Team: {
            /** @description Id of the team. */
            id: string;
            /** @description Name of the team. */
            name: string;
            /** @description Its colour. */
            color: components["schemas"]["LabelColor"];
            /** @description Its members. */
            memberIds: string[];
            /** @description The inboxes whose new conversations it gets. */
            inboxIds: string[];
            /** @description The products whose new conversations it gets if their inbox leads to no team. */
            productIds: string[];
            /** @description When it was created. */
            createdAt: string;
            /** @description When it last changed. */
            updatedAt: string;
        };
        /** @description A shared view of the list of conversations. */
        View: {
            /** @description Id of the view. */
            id: string;
            /** @description Name of the view. */
            name: string;
            /**
             * @description Who has it.
             * @enum {string}
             */
            scope: "own" | "team" | "all";
            /** @description The team that has it; null for other scopes. */
            teamId: string | null;
            /** @description The member who made it. */
            ownerId: string;
            /** @description The query of listConversations. */
            query: string;
            /** @description Its place among the views of its scope. */
            position: number;
            /** @description Whether its count is shown. */
            pinned: boolean;
        };
        /** @description Actions on a conversation under one name. */
        Macro: {
            /** @description Id of the macro. */
            id: string;
            /** @description Name of the macro. */
            name: string;
            /**
             * @description Who has it.
             * @enum {string}
             */
            scope: "own" | "team" | "all";
            /** @description What to type for it; "" for none. */
            shortcut: string;
            /** @description What it does. */
            actions: {
                [key: string]: unknown;
            };
            /** @description Counts its changes. */
            version: number;
        };
        /** @description A message that is to be sent later. */
        ScheduledMessage: {
            /** @description Id of the scheduled message. */
            id: string;
            /** @description The conversation. */
            conversationId: string;
            /** @description The member who wrote it. */
            author: components["schemas"]["AssigneeRef"];
            /** @description The text. It is never HTML. */
            content: string;
            /** @description How to read the content. */
            contentType: components["schemas"]["ContentType"];
            /** @description Whether it is a note between members. */
            isPrivate: boolean;
            /** @description Ids of the members whom the note will name. */
            mentions: string[];
            /** @description Files. */
            attachments: components["schemas"]["Attachment"][];
            /** @description When it is to be sent. */
            sendAt: string;
            /** @description Whether it is held if the customer writes before. */
            ifQuiet: boolean;
            /**
             * @description `held` waits for its author.
             * @enum {string}
             */
            state: "waiting" | "held";
            /**
             * @description Why it is held, "" if it is not.
             * @enum {string}
             */
            heldReason: "" | "customer_wrote" | "author_left" | "unreachable" | "file_gone" | "restored";
            /** @description Counts its changes. */
            version: number;
        };
        /** @description One change in the workspace. `type` tells the kinds apart. `withheld` stands in the place of one that the key may not read, and `erased` of one about a record that was deleted; `reset` comes on the stream alone. */
        Event: components["schemas"]["ConversationCreatedEvent"] | components["schemas"]["ConversationUpdatedEvent"] | components["schemas"]["MessageCreatedEvent"] | components["schemas"]["MessageUpdatedEvent"] | components["schemas"]["ContactCreatedEvent"] | components["schemas"]["ContactUpdatedEvent"] | components["schemas"]["ContactMergedEvent"] | components["schemas"]["CompanyCreatedEvent"] | components["schemas"]["CompanyUpdatedEvent"] | components["schemas"]["ProductCreatedEvent"] | components["schemas"]["ProductUpdatedEvent"] | components["schemas"]["InboxCreatedEvent"] | components["schemas"]["InboxUpdatedEvent"] | components["schemas"]["MemberCreatedEvent"] | components["schemas"]["MemberUpdatedEvent"] | components["schemas"]["MemberRemovedEvent"] | components["schemas"]["NumberCreatedEvent"] | components["schemas"]["NumberUpdatedEvent"] | components["schemas"]["LabelCreatedEvent"] | components["schemas"]["LabelUpdatedEvent"] | components["schemas"]["LabelDeletedEvent"] | components["schemas"]["CannedAnswerCreatedEvent"] | components["schemas"]["CannedAnswerUpdatedEvent"] | components["schemas"]["CannedAnswerDeletedEvent"] | components["schemas"]["WorkspaceUpdatedEvent"] | components["schemas"]["ContactDuplicateCreatedEvent"] | components["schemas"]["ContactDuplicateDeletedEvent"] | components["schemas"]["ConversationDeletedEvent"] | components["schemas"]["MessageDeletedEvent"] | components["schemas"]["ContactDeletedEvent"] | components["schemas"]["ArticleCreatedEvent"] | components["schemas"]["ArticleUpdatedEvent"] | components["schemas"]["ArticleDeletedEvent"] | components["schemas"]["ArticleCategoryCreatedEvent"] | components["schemas"]["ArticleCategoryUpdatedEvent"] | components["schemas"]["ArticleCategoryDeletedEvent"] | components["schemas"]["HelpCenterCreatedEvent"] | components["schemas"]["HelpCenterUpdatedEvent"] | components["schemas"]["HelpCenterDeletedEvent"] | components["schemas"]["ConversationMergedEvent"] | components["schemas"]["ConversationUnmergedEvent"] | components["schemas"]["ConversationSplitEvent"] | components["schemas"]["TeamCreatedEvent"] | components["schemas"]["TeamUpdatedEvent"] | components["schemas"]["TeamDeletedEvent"] | components["schemas"]["ViewCreatedEvent"] | components["schemas"]["ViewUpdatedEvent"] | components["schemas"]["ViewDeletedEvent"] | components["schemas"]["MacroCreatedEvent"] | components["schemas"]["MacroUpdatedEvent"] | components["schemas"]["MacroDeletedEvent"] | components["schemas"]["ScheduledMessageCreatedEvent"] | components["schemas"]["ScheduledMessageUpdatedEvent"] | components["schemas"]["ScheduledMessageDeletedEvent"] | components["schemas"]["ErasedEvent"] | components["schemas"]["WithheldEvent"] | components["schemas"]["ConversationHiddenEvent"] | components["schemas"]["ResetEvent"];
        /** @description A conversation began. */
        ConversationCreatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "conversation.created";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description The conversation concerned. */
            conversationId: string;
            /** @description Empty. */
            changed: string[];
            /** @description The record. */
            data: components["schemas"]["Conversation"];
        };
        /** @description A conversation changed. */
        ConversationUpdatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "conversation.updated";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description The conversation concerned. */
            conversationId: string;
            /** @description Names of the members that changed. `customerSeen` says that the customer read the conversation in the chat; no member of it shows that. */
            changed: string[];
            /** @description The record after the change. */
            data: components["schemas"]["Conversation"];
        };
        /** @description A message was added. */
        MessageCreatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "message.created";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description The conversation concerned. */
            conversationId: string;
            /** @description Empty. */
            changed: string[];
            /** @description The record. */
            data: components["schemas"]["Message"];
            /** @description What the message moved in its conversation and its contact. */
            moved?: components["schemas"]["Moved"];
        };
        /** @description A message changed, such as its status. */
        MessageUpdatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "message.updated";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description The conversation concerned. */
            conversationId: string;
            /** @description Names of the members that changed. */
            changed: string[];
            /** @description The record after the change. */
            data: components["schemas"]["Message"];
        };
        /** @description A contact was created. */
        ContactCreatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "contact.created";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description The record. */
            data: components["schemas"]["Contact"];
        };
        /** @description A contact changed. */
        ContactUpdatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "contact.updated";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Names of the members that changed. */
            changed: string[];
            /** @description The record after the change. */
            data: components["schemas"]["Contact"];
        };
        /** @description A contact was merged into another one. */
        ContactMergedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "contact.merged";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description Which contact became part of which. */
            data: components["schemas"]["ContactMerge"];
        };
        /** @description A company was created. */
        CompanyCreatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "company.created";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description The record. */
            data: components["schemas"]["Company"];
        };
        /** @description A company changed. */
        CompanyUpdatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "company.updated";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Names of the members that changed. */
            changed: string[];
            /** @description The record after the change. */
            data: components["schemas"]["Company"];
        };
        /** @description A product was created. */
        ProductCreatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "product.created";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description The record. */
            data: components["schemas"]["Product"];
        };
        /** @description A product changed. */
        ProductUpdatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "product.updated";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Names of the members that changed. */
            changed: string[];
            /** @description The record after the change. */
            data: components["schemas"]["Product"];
        };
        /** @description An inbox was created. */
        InboxCreatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "inbox.created";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description The record. */
            data: components["schemas"]["Inbox"];
        };
        /** @description An inbox changed. */
        InboxUpdatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "inbox.updated";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Names of the members that changed. */
            changed: string[];
            /** @description The record after the change. */
            data: components["schemas"]["Inbox"];
        };
        /** @description Somebody became a member. */
        MemberCreatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "member.created";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description The record. */
            data: components["schemas"]["Member"];
        };
        /** @description A member changed. */
        MemberUpdatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "member.updated";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Names of the members that changed. */
            changed: string[];
            /** @description The record after the change. */
            data: components["schemas"]["Member"];
        };
        /** @description A member was removed. */
        MemberRemovedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "member.removed";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description The record. */
            data: components["schemas"]["Member"];
        };
        /** @description A number was connected. */
        NumberCreatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "number.created";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description The record. */
            data: components["schemas"]["Number"];
        };
        /** @description A number changed. */
        NumberUpdatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "number.updated";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Names of the members that changed. */
            changed: string[];
            /** @description The record after the change. */
            data: components["schemas"]["Number"];
        };
        /** @description A label was added to the catalogue. */
        LabelCreatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "label.created";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description The record. */
            data: components["schemas"]["Label"];
        };
        /** @description A label of the catalogue changed. */
        LabelUpdatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "label.updated";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Names of the members that changed. */
            changed: string[];
            /** @description The record after the change. */
            data: components["schemas"]["Label"];
        };
        /** @description A label was removed from the catalogue. */
        LabelDeletedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "label.deleted";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description The label. */
            data: components["schemas"]["DeletedLabel"];
        };
        /** @description A canned answer was created. */
        CannedAnswerCreatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "canned_answer.created";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description The record. */
            data: components["schemas"]["CannedAnswer"];
        };
        /** @description A canned answer changed. */
        CannedAnswerUpdatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "canned_answer.updated";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Names of the members that changed. */
            changed: string[];
            /** @description The record after the change. */
            data: components["schemas"]["CannedAnswer"];
        };
        /** @description A canned answer was deleted. */
        CannedAnswerDeletedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "canned_answer.deleted";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description Which one. */
            data: components["schemas"]["DeletedRecord"];
        };
        /** @description The workspace changed. */
        WorkspaceUpdatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "workspace.updated";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Names of the members that changed. */
            changed: string[];
            /** @description The record after the change. */
            data: components["schemas"]["WorkspaceRef"];
        };
        /** @description Two contacts may be one person. */
        ContactDuplicateCreatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "contact_duplicate.created";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description The record. */
            data: components["schemas"]["ContactDuplicate"];
        };
        /** @description Two contacts are no longer possible duplicates. */
        ContactDuplicateDeletedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "contact_duplicate.deleted";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description Which one. */
            data: components["schemas"]["DeletedRecord"];
        };
        /** @description A conversation and its messages were permanently deleted. Delete your copies. */
        ConversationDeletedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "conversation.deleted";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that it follows from; null where somebody brought it about directly. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it tells of the past, as a backfill does. */
            imported: boolean;
            /** @description The conversation concerned. */
            conversationId: string;
            /** @description Empty. */
            changed: string[];
            /** @description Which one. */
            data: components["schemas"]["DeletedConversation"];
        };
        /** @description A message was permanently deleted; its conversation stays. Delete your copy. */
        MessageDeletedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "message.deleted";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that it follows from; null where somebody brought it about directly. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it tells of the past, as a backfill does. */
            imported: boolean;
            /** @description The conversation concerned. */
            conversationId: string;
            /** @description Empty. */
            changed: string[];
            /** @description Which one. */
            data: components["schemas"]["DeletedRecord"];
        };
        /** @description A contact was erased. Delete what you store about the person. */
        ContactDeletedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "contact.deleted";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that it follows from; null where somebody brought it about directly. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it tells of the past, as a backfill does. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description Which one. */
            data: components["schemas"]["DeletedRecord"];
        };
        /** @description An article was created. Its texts are shown without bodies and keywords. */
        ArticleCreatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "article.created";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description The record. */
            data: components["schemas"]["Article"];
        };
        /** @description An article changed, or one of its texts did (`texts`). They are shown without bodies and keywords. */
        ArticleUpdatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "article.updated";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Names of the members that changed. */
            changed: string[];
            /** @description The record after the change. */
            data: components["schemas"]["Article"];
        };
        /** @description An article was deleted. */
        ArticleDeletedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "article.deleted";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description The record. */
            data: components["schemas"]["DeletedRecord"];
        };
        /** @description A category of articles was created. */
        ArticleCategoryCreatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "article_category.created";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description The record. */
            data: components["schemas"]["ArticleCategory"];
        };
        /** @description A category of articles changed. */
        ArticleCategoryUpdatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "article_category.updated";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Names of the members that changed. */
            changed: string[];
            /** @description The record after the change. */
            data: components["schemas"]["ArticleCategory"];
        };
        /** @description A category of articles was deleted. The articles in it have no category from then on. */
        ArticleCategoryDeletedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "article_category.deleted";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description The record. */
            data: components["schemas"]["DeletedRecord"];
        };
        /** @description The help center of a product was created. */
        HelpCenterCreatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "help_center.created";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description The record. */
            data: components["schemas"]["HelpCenter"];
        };
        /** @description The help center of a product changed. */
        HelpCenterUpdatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "help_center.updated";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Names of the members that changed. */
            changed: string[];
            /** @description The record after the change. */
            data: components["schemas"]["HelpCenter"];
        };
        /** @description The help center of a product was deleted. */
        HelpCenterDeletedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "help_center.deleted";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description The id of the product whose help center it was. */
            data: components["schemas"]["DeletedHelpCenter"];
        };
        /** @description The messages of a conversation are shown in another one from now on. */
        ConversationMergedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "conversation.merged";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description The conversation concerned. */
            conversationId: string;
            /** @description Empty. */
            changed: string[];
            /** @description Which conversation, and which one shows its messages. */
            data: components["schemas"]["MergedConversation"];
        };
        /** @description The merge of two conversations was undone. */
        ConversationUnmergedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "conversation.unmerged";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description The conversation concerned. */
            conversationId: string;
            /** @description Empty. */
            changed: string[];
            /** @description Which conversation, and which one had its messages. */
            data: components["schemas"]["UnmergedConversation"];
        };
        /** @description A conversation began with messages of another one. */
        ConversationSplitEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "conversation.split";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description The conversation concerned. */
            conversationId: string;
            /** @description Empty. */
            changed: string[];
            /** @description Which conversation, and where its messages came from. */
            data: components["schemas"]["SplitConversation"];
        };
        /** @description A team was created. */
        TeamCreatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "team.created";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description The record. */
            data: components["schemas"]["Team"];
        };
        /** @description A team changed. */
        TeamUpdatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "team.updated";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Names of the members that changed. */
            changed: string[];
            /** @description The record after the change. */
            data: components["schemas"]["Team"];
        };
        /** @description A team was deleted. */
        TeamDeletedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "team.deleted";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description Which one. */
            data: components["schemas"]["DeletedRecord"];
        };
        /** @description A shared view was created. */
        ViewCreatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "view.created";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description The record. */
            data: components["schemas"]["View"];
        };
        /** @description A shared view changed. */
        ViewUpdatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "view.updated";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Names of the members that changed. */
            changed: string[];
            /** @description The record after the change. */
            data: components["schemas"]["View"];
        };
        /** @description A shared view was deleted. */
        ViewDeletedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "view.deleted";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description Which one. */
            data: components["schemas"]["DeletedRecord"];
        };
        /** @description A macro was created. */
        MacroCreatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "macro.created";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description The record. */
            data: components["schemas"]["Macro"];
        };
        /** @description A macro changed. */
        MacroUpdatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "macro.updated";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Names of the members that changed. */
            changed: string[];
            /** @description The record after the change. */
            data: components["schemas"]["Macro"];
        };
        /** @description A macro was deleted. */
        MacroDeletedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "macro.deleted";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description Null; no conversation is concerned. */
            conversationId: string | null;
            /** @description Empty. */
            changed: string[];
            /** @description Which one. */
            data: components["schemas"]["DeletedRecord"];
        };
        /** @description A message to be sent later was created. */
        ScheduledMessageCreatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "scheduled_message.created";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description The conversation concerned. */
            conversationId: string;
            /** @description Empty. */
            changed: string[];
            /** @description The record. */
            data: components["schemas"]["ScheduledMessage"];
        };
        /** @description A message to be sent later changed. */
        ScheduledMessageUpdatedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "scheduled_message.updated";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description The conversation concerned. */
            conversationId: string;
            /** @description Names of the members that changed. */
            changed: string[];
            /** @description The record after the change. */
            data: components["schemas"]["ScheduledMessage"];
        };
        /** @description A message to be sent later was sent or deleted. */
        ScheduledMessageDeletedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description What happened.
             * @constant
             */
            type: "scheduled_message.deleted";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it is about the past, such as a backfill. */
            imported: boolean;
            /** @description The conversation concerned. */
            conversationId: string;
            /** @description Empty. */
            changed: string[];
            /** @description Which one. */
            data: components["schemas"]["DeletedRecord"];
        };
        /** @description An event about a record that was deleted since. It keeps its place, so that nothing seems to be missing, and says nothing else. */
        ErasedEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description Always `erased`.
             * @constant
             */
            type: "erased";
            /** @description When it happened. */
            createdAt: string;
        };
        /** @description Only for signed-in members who do not see every conversation, never for keys: from this event on the member does not see a conversation. It stands in the place of the event that moved or deleted the conversation. */
        ConversationHiddenEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description Always `conversation.hidden`.
             * @constant
             */
            type: "conversation.hidden";
            /** @description When it happened. */
            createdAt: string;
            /** @description The conversation. */
            conversationId: string;
        };
        /** @description An event that the key may not read, or about a conversation that the member may not see. It keeps its number, so that nothing seems to be missing. */
        WithheldEvent: {
            /** @description Number of the event. It counts up by one per workspace. */
            seq: number;
            /**
             * @description Always `withheld`.
             * @constant
             */
            type: "withheld";
            /** @description When it happened. */
            createdAt: string;
            /**
             * @description What a key needs to read it. `unknown` occurs while a server is being updated: the event has a type that only the later version knows.
             * @enum {string}
             */
            scope: "conversations:read" | "contacts:read" | "companies:read" | "products:read" | "knowledge:read" | "unknown";
        };
        /** @description Only on streams: the requested position is not, or no longer, in the log. Reload your state; the stream continues after `position`. */
        ResetEvent: {
            /** @description Number of the newest event. */
            seq: number;
            /**
             * @description Always `reset`.
             * @constant
             */
            type: "reset";
            /** @description When it was told. */
            createdAt: string;
            /** @description The newest position of the log, which is the `id` too. */
            position: string;
        };
        /** @description One change of a conversation. */
        HistoryEntry: {
            /** @description Id of the entry. */
            id: string;
            /** @description The conversation. */
            conversationId: string;
            /**
             * @description What happened.
             * @enum {string}
             */
            type: "conversation.created" | "conversation.updated";
            /** @description When it happened. */
            createdAt: string;
            /** @description Who brought it about. */
            actor: components["schemas"]["Actor"];
            /** @description The event that caused this one; null for a direct change. */
            cause: components["schemas"]["Cause"] | null;
            /** @description Whether it tells of the past, as an import does. */
            imported: boolean;
            /** @description What members became. */
            changes: components["schemas"]["HistoryChanges"];
        };
        /** @description The new values of a conversation's members. Unchanged ones are absent; a new conversation has all. */
        HistoryChanges: {
            /** @description Its status. */
            status?: components["schemas"]["Status"];
            /** @description When it opens again by itself; null if it does not. */
            snoozedUntil?: string | null;
            /** @description Its priority; null for none. */
            priority?: components["schemas"]["Priority"] | null;
            /** @description Whether it is marked as spam. */
            spam?: boolean;
            /** @description All its labels. */
            labels?: string[];
            /** @description The assigned member; null for nobody. */
            assignee?: components["schemas"]["AssigneeRef"] | null;
            /** @description Its team; null for none. */
            team?: components["schemas"]["TeamRef"] | null;
            /** @description Its product; null for none. */
            product?: components["schemas"]["ProductRef"] | null;
            /** @description Its inbox. */
            inbox?: components["schemas"]["InboxRef"];
            /** @description Id of its contact. */
            contactId?: string;
            /** @description Id of the conversation that it was merged into; null for none. */
            mergedInto?: string | null;
            /** @description Id of a conversation that was merged into this one. */
            mergedFrom?: string;
            /** @description Id of a conversation whose merge into this one was undone. */
            unmergedFrom?: string;
            /** @description Id of a conversation that was split from this one. */
            splitInto?: string;
            /** @description Id of the conversation that it was split from; null for none. */
            splitFrom?: string | null;
        };
        /** @description A page of a conversation's history. */
        HistoryPage: {
            /** @description The entries, oldest first. */
            data: components["schemas"]["HistoryEntry"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description Cursor of the next page; "" on the last one. Opaque. */
            next_cursor: string;
        };
        /**
         * @description What kind of actor. `customer` is a contact, by the chat or the messaging application; `bot` and `rule` answer and act automatically in the workspace; `import` fills a workspace with records of the past; `system` is Parley itself, its command line, or a network.
         * @enum {string}
         */
        ActorType: "member" | "key" | "customer" | "bot" | "rule" | "import" | "system";
        /** @description Who made a change. */
        Actor: {
            /** @description What kind of actor. */
            type: components["schemas"]["ActorType"];
            /** @description Id of the member, the API key or the contact; "" if there is none. */
            id: string;
            /** @description Name of the member or the API key when it happened; "" for others. */
            name: string;
        };
        /** @description The event that caused a change. */
        Cause: {
            /** @description Its type. */
            type: components["schemas"]["EventType"];
            /** @description Id of its record. */
            id: string;
        };
        /** @description What else a new message changed. */
        Moved: {
            /** @description That of the conversation after the message. */
            unreadCount: number;
            /** @description That of the conversation after the message. */
            lastActivityAt: string;
            /** @description That of the conversation after the message. */
            updatedAt: string;
            /** @description That of the conversation after the message. */
            waitingSince: string | null;
            /** @description That of the conversation after the message. */
            wokeAt: string | null;
            /** @description That of the contact after the message; null if it did not change. */
            contactLastActivityAt: string | null;
        };
        /** @description The workspace. */
        WorkspaceRef: {
            /** @description Id of the workspace. */
            id: string;
            /** @description Its name. */
            name: string;
        };
        /** @description A page of conversations. */
        ConversationPage: {
            /** @description The conversations. */
            data: components["schemas"]["ListedConversation"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description Cursor of the next page; "" on the last one. Opaque. */
            next_cursor: string;
        };
        /** @description A page of messages. */
        MessagePage: {
            /** @description The messages. */
            data: components["schemas"]["Message"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description Cursor of the next page; "" on the last one. Opaque. */
            next_cursor: string;
        };
        /** @description A page of contacts. */
        ContactPage: {
            /** @description The contacts. */
            data: components["schemas"]["Contact"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description Cursor of the next page; "" on the last one. Opaque. */
            next_cursor: string;
        };
        /** @description A page of companies. */
        CompanyPage: {
            /** @description The companies. */
            data: components["schemas"]["Company"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description Cursor of the next page; "" on the last one. Opaque. */
            next_cursor: string;
        };
        /** @description A page of articles. */
        ArticlePage: {
            /** @description The articles. */
            data: components["schemas"]["Article"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description Cursor of the next page; "" on the last one. Opaque. */
            next_cursor: string;
        };
        /** @description The articles that fit a question. */
        ArticleHits: {
            /** @description The articles, the best first. */
            data: components["schemas"]["ArticleHit"][];
        };
        /** @description A published article that fits a question. */
        ArticleHit: {
            /** @description Id of the article. */
            id: string;
            /** @description Its name in addresses, in all languages. */
            slug: string;
            /** @description Its product; null for all products. */
            productId: string | null;
            /** @description Language of the text that was found. */
            language: string;
            /** @description Title of the published text. */
            title: string;
            /** @description What the article answers, in one sentence; "" for none. */
            description: string;
            /** @description Orders the articles of one answer. It compares with no other answer. */
            score: number;
            /** @description Whether the article probably answers the question. */
            likely: boolean;
        };
        /** @description A page of versions. */
        ArticleVersionPage: {
            /** @description The versions. */
            data: components["schemas"]["ArticleVersion"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description Cursor of the next page; "" on the last one. Opaque. */
            next_cursor: string;
        };
        /** @description A page of categories. */
        ArticleCategoryPage: {
            /** @description The categories. */
            data: components["schemas"]["ArticleCategory"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description Cursor of the next page; "" on the last one. Opaque. */
            next_cursor: string;
        };
        /** @description A page of teams. */
        TeamPage: {
            /** @description The teams. */
            data: components["schemas"]["Team"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description Cursor of the next page; "" on the last one. Opaque. */
            next_cursor: string;
        };
        /** @description A page of help centers. */
        HelpCenterPage: {
            /** @description The help centers. */
            data: components["schemas"]["HelpCenter"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description Cursor of the next page; "" on the last one. Opaque. */
            next_cursor: string;
        };
        /** @description A page of products. */
        ProductPage: {
            /** @description The products. */
            data: components["schemas"]["Product"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description Cursor of the next page; "" on the last one. Opaque. */
            next_cursor: string;
        };
        /** @description A page of inboxes. */
        InboxPage: {
            /** @description The inboxes. */
            data: components["schemas"]["Inbox"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description Cursor of the next page; "" on the last one. Opaque. */
            next_cursor: string;
        };
        /** @description A page of members. */
        MemberPage: {
            /** @description The members. */
            data: components["schemas"]["Member"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description Cursor of the next page; "" on the last one. Opaque. */
            next_cursor: string;
        };
        /** @description A page of numbers. */
        NumberPage: {
            /** @description The numbers. */
            data: components["schemas"]["Number"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description Cursor of the next page; "" on the last one. Opaque. */
            next_cursor: string;
        };
        /** @description A list without pages. */
        ContactList: {
            /** @description The contacts. */
            data: components["schemas"]["Contact"][];
        };
        /** @description A page of the event log. */
        EventPage: {
            /** @description The events, oldest first. */
            data: components["schemas"]["Event"][];
            /** @description Whether there are more events now. */
            has_more: boolean;
            /** @description The position after the last event, for the parameter `after`. Never empty. */
            next_cursor: string;
            /** @description Whether the requested position is not, or no longer, in the log. If so, reload your state. */
            reset: boolean;
        };
        /** @description The server is healthy. */
        Health: {
            /**
             * @description Always `ok`.
             * @constant
             */
            status: "ok";
        };
        /** @description An OpenAPI document. */
        Document: {
            /** @description Version of OpenAPI. */
            openapi: string;
            /** @description About the API. */
            info: {
                [key: string]: unknown;
            };
            /** @description The operations. */
            paths: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description The workspaces to choose from when signing in. */
        WorkspaceChoice: {
            workspaces: components["schemas"]["WorkspaceRef"][];
        };
        /** @description The signed-in member, and the workspace. */
        Me: {
            member: components["schemas"]["Member"];
            workspace: components["schemas"]["WorkspaceRef"];
            session: components["schemas"]["Session"];
            /** @description When somebody else last created a password link for the member, or set the password on the command line; null for never. It is never cleared, so that nobody does this unnoticed. */
            passwordReset: {
                at: string;
                by: components["schemas"]["Actor"];
            } | null;
        };
        /** @description A session on one browser. */
        Session: {
            id: string;
            /** @description What the browser calls itself, 300 characters at most. */
            userAgent: string;
            /** @description The network address from which the member signed in; empty if it is unknown. */
            address: string;
            createdAt: string;
            seenAt: string;
            expiresAt: string;
            /** @description Whether it is the session of the request. */
            current: boolean;
        };
        /** @description How many sessions ended. */
        EndedSessions: {
            ended: number;
        };
        /** @description The credentials for signing in. */
        SignIn: {
            email: string;
            password: string;
            workspaceId?: string;
        };
        /** @description What a member whose password was right must do before a session starts. */
        SignInStep: {
            /**
             * @description `code`: give a code of the second factor; `setUp`: set up a second factor, which the workspace requires; `provider`: sign in with the provider, which the workspace requires, and for which there is no cookie.
             * @enum {string}
             */
            step: "code" | "setUp" | "provider";
            workspace: components["schemas"]["WorkspaceRef"];
        };
        /** @description The provider with which members may sign in. */
        OfferedProvider: {
            provider: {
                workspaceId: string;
                issuer: string;
            } | null;
        };
        /** @description A sign-in to begin. */
        ProviderSignIn: {
            workspaceId: string;
            /** @description The page of this server to open afterwards. */
            next?: string;
            /** @description Whether the provider must ask a person whom it knows as well, so that the new session is confirmed. Otherwise it is confirmed since the provider last asked, if the provider says when that was. */
            confirm?: boolean;
        };
        /** @description Where the browser goes to sign in. */
        ProviderAddress: {
            /** @description An address of the provider. */
            address: string;
        };
        /** @description What a provider sends to end sessions. */
        ProviderLogout: {
            logout_token: string;
        };
        /** @description Whether the signed-in member is a person of the workspace's provider. */
        ProviderAccount: {
            /** @description Null if the workspace has no provider. */
            issuer: string | null;
            /** @description Null if the account is not connected. */
            connectedAt: string | null;
        };
        /** @description The role of a group of the provider. */
        GroupRole: {
            name: string;
            /** @enum {string} */
            role: "admin" | "agent";
        };
        /** @description The OpenID Connect provider of a workspace. */
        SignInProvider: {
            provider: {
                /** @description The address of the provider, exactly as it names itself. */
                issuer: string;
                clientId: string;
                /** @description The claim with a person's groups; empty for none. */
                groupsClaim: string;
                /** @description The roles of groups. If there are any, a person of none of them does not get in. They change nothing of owners. */
                groups: components["schemas"]["GroupRole"][];
                /**
                 * @description The role of persons who become members by signing in; null: nobody does.
                 * @enum {string|null}
                 */
                joinRole: "admin" | "agent" | null;
                /** @description The domains of their verified e-mail addresses. */
                joinDomains: string[];
                /** @description Whether members sign in with the provider alone, but for the exempt owners. */
                required: boolean;
                /** @description Whether the provider's second factor counts as the workspace's. */
                trustsFactor: boolean;
                /** @description The owners who may sign in with a password in any case. */
                exempt: string[];
                createdAt: string;
                updatedAt: string;
            } | null;
            /** @description The address, of this workspace alone, to which the provider sends browsers back; empty if this server does not know its own address. */
            redirectUrl: string;
            /** @description The address to which the provider sends logout tokens; empty as above. */
            logoutUrl: string;
            /** @description The members who are persons of a provider. */
            persons: {
                memberId: string;
                issuer: string;
                connectedAt: string;
            }[];
        };
        /** @description Changes of the provider. Absent fields stay as they are. */
        SignInProviderChange: {
            issuer?: string;
            clientId?: string;
            /** @description Never shown again. */
            clientSecret?: string;
            groupsClaim?: string;
            groups?: components["schemas"]["GroupRole"][];
            /** @enum {string|null} */
            joinRole?: "admin" | "agent" | null;
            joinDomains?: string[];
            required?: boolean;
            trustsFactor?: boolean;
            exempt?: string[];
        };
        /** @description A code of the second factor. */
        SecondStep: {
            /** @description Six digits, or a recovery code. */
            code: string;
        };
        /** @description A second factor to set up. The secret is shown only this once. */
        SecondFactorSetUp: {
            /** @description The secret as a person types it into an app. */
            secret: string;
            /** @description The address that an app reads from the QR code. */
            address: string;
            /** @description The rows of the QR code, 1 for a dark module, without a margin. */
            qr: string[];
            /** @description What to send back with the first code. */
            setUp: string;
        };
        /** @description The first code of a second factor that is set up. */
        SecondFactorChange: {
            setUp: string;
            code: string;
        };
        /** @description Codes that open a session once each, in place of a code of the app. */
        RecoveryCodes: {
            recoveryCodes: string[];
        };
        /** @description The second factor of the signed-in member. */
        SecondFactor: {
            /** @description Null if there is none. */
            since: string | null;
            /** @description How many recovery codes are left. */
            recoveryCodes: number;
            /** @description Whether every member of the workspace needs one. */
            required: boolean;
        };
        /** @description The password of the signed-in member. */
        OwnPassword: {
            current: string;
        };
        /** @description Whether a session is confirmed, and what confirms it. */
        Confirmation: {
            /** @description Null if the session must be confirmed first. */
            confirmedUntil: string | null;
            /** @description Whether the member has a password to give; not one that opens nothing because the provider is required. */
            password: boolean;
            /** @description Whether the member gives a code of the second factor as well. */
            code: boolean;
            /** @description Whether the provider opened the session. Its member may confirm by signing in there again, begun with `confirm`. */
            byProvider: boolean;
        };
        /** @description What shows that the signed-in member is still there. */
        ConfirmationProof: {
            current: string;
            /** @description Six digits, or a recovery code; needed with a second factor. */
            code?: string;
        };
        /** @description The members with a second factor. */
        SecondFactors: {
            /** @description Whether every member needs one. */
            requireSecondFactor: boolean;
            memberIds: string[];
        };
        /** @description Whether every member needs a second factor. */
        SecondFactorsChange: {
            requireSecondFactor: boolean;
        };
        /** @description A new password. */
        PasswordChange: {
            current: string;
            next: string;
        };
        /** @description The token of a link. */
        InvitationToken: {
            token: string;
        };
        /** @description Read an invitation. */
        OpenInvitation: {
            workspace: {
                name: string;
            };
            email: string;
            role: components["schemas"]["Role"];
            /** @description The member who sets a new password; null for a new member. */
            memberId: string | null;
            expiresAt: string;
        };
        /** @description The request that accepts a link. */
        Acceptance: {
            token: string;
            /** @description The name of a new member. */
            name?: string;
            password: string;
        };
        /** @description A link for a new member or, if it names a member, for that member's new password. */
        Invitation: {
            id: string;
            email: string;
            role: components["schemas"]["Role"];
            access: components["schemas"]["Access"];
            /** @description The inboxes of the access `own`. */
            inboxIds: string[];
            /** @description The member whose password is reset; null for a new member. */
            memberId: string | null;
            invitedBy: {
                id: string;
                name: string;
            } | null;
            createdAt: string;
            expiresAt: string;
        };
        /** @description An invitation with its link. */
        NewInvitation: {
            id: string;
            email: string;
            role: components["schemas"]["Role"];
            access: components["schemas"]["Access"];
            /** @description The inboxes of the access `own`. */
            inboxIds: string[];
            /** @description The member whose password is reset; null for a new member. */
            memberId: string | null;
            invitedBy: {
                id: string;
                name: string;
            } | null;
            createdAt: string;
            expiresAt: string;
            /** @description Path and fragment, behind the address of the server. */
            link: string;
        };
        /** @description Whom to invite. */
        InvitationRequest: {
            /** @description E-mail address, with letters of any language; quoted names and domains in brackets are not allowed. */
            email: string;
            role: components["schemas"]["Role"];
            access?: components["schemas"]["Access"];
            /** @description All inboxes of the access `own`. Without any, the member sees the conversations of the teams and those assigned. */
            inboxIds?: string[];
            /** @description Whether the link goes to the address by mail as well; false if it is absent. */
            mail?: boolean;
        };
        /** @description Changes of a member. Absent members stay unchanged. */
        MemberChange: {
            name?: string;
            image?: string;
            role?: components["schemas"]["Role"];
            access?: components["schemas"]["Access"];
            /** @description All inboxes of the access `own`. Without any, the member sees the conversations of the teams and those assigned. */
            inboxIds?: string[];
        };
        /** @description Changes of the workspace. */
        WorkspaceChange: {
            name: string;
        };
        /** @description The state that a dashboard loads first. */
        State: {
            /** @description The position of the event log in the snapshot. */
            position: string;
            /** @description The workspace. */
            workspace: components["schemas"]["WorkspaceRef"];
            /** @description The signed-in member. */
            member: components["schemas"]["Member"];
            /** @description Members. */
            members: components["schemas"]["Member"][];
            /** @description Members who were removed. */
            formerMembers: components["schemas"]["Member"][];
            /** @description Inboxes. */
            inboxes: components["schemas"]["Inbox"][];
            /** @description Products, archived ones too. */
            products: components["schemas"]["Product"][];
            /** @description Labels. */
            labels: components["schemas"]["Label"][];
            /** @description Canned answers. */
            cannedAnswers: components["schemas"]["CannedAnswer"][];
            /** @description Numbers. */
            numbers: components["schemas"]["Number"][];
            /** @description Teams. */
            teams: components["schemas"]["Team"][];
        };
        /** @description Counts of conversations. */
        Counts: {
            /** @description Open conversations. */
            open: number;
            /** @description Pending conversations. */
            pending: number;
            /** @description Open conversations assigned to the signed-in member. */
            mine: number;
            /** @description Unassigned open conversations. */
            unassigned: number;
            /** @description Open conversations with unread messages. */
            unread: number;
            /** @description Open conversations whose customer waits for an answer. */
            waiting: number;
            /** @description Open conversations, unassigned or assigned to the signed-in member, that they have not read. */
            toRead: number;
            /** @description Pending conversations that sleep until a time. */
            snoozed: number;
            /** @description Open conversations that have woken, and were not answered since. */
            back: number;
        };
        /** @description The conversations that the signed-in member has not read. */
        Unread: {
            /** @description Open and pending ones with a customer's message that this member has not seen and nobody has answered. If there are more than 1000 open ones, only the 1000 that have waited longest and the 1000 that were active last are checked; of the pending ones, those that were active last. */
            new: string[];
            /** @description Those that this member marked as unread, of any status. */
            marked: string[];
        };
        /** @description What a member has written in a conversation and not sent. Only its author reads it. */
        Draft: {
            conversationId: string;
            /** @description Empty if only files are attached. */
            content: string;
            /** @description It is a note among members. */
            isPrivate: boolean;
            /** @description Uploaded files. An unattached file is deleted after 24 hours. */
            attachmentIds: string[];
            /** @description The newest message when the draft was begun; null if unknown. */
            begunId: string | null;
            /** @description Grows with each change; 0: there is no draft. */
            version: number;
            /** @description null if there is no draft. */
            createdAt: string | null;
            /** @description null if there is no draft. */
            updatedAt: string | null;
        };
        PutDraft: {
            /** @description At most 65,536 bytes of UTF-8. What is blank counts as empty. */
            content: string;
            /** @description It is a note among members. Without it, false. */
            isPrivate?: boolean;
            /** @description Uploaded files that the message is to have. */
            attachmentIds?: string[];
            /** @description The newest message when the draft was begun; null if unknown. */
            begunId?: string | null;
            /** @description The version of the draft that this one replaces, 0 for none. */
            version: number;
        };
        /** @description That a member has a draft in a conversation. */
        DraftMark: {
            conversationId: string;
            memberId: string;
            /** @description Grows with each change. */
            version: number;
            /** @description When it was begun. */
            createdAt: string;
        };
        /** @description A draft of the signed-in member. */
        OwnDraftMark: {
            conversationId: string;
            memberId: string;
            /** @description Grows with each change. */
            version: number;
            /** @description When it was begun. */
            createdAt: string;
            /** @description The beginning of the text. */
            preview: string;
        };
        /** @description Which drafts there are. */
        DraftMarks: {
            /** @description Those of the signed-in member. */
            own: components["schemas"]["OwnDraftMark"][];
            /** @description Those of the other members. */
            others: components["schemas"]["DraftMark"][];
        };
        /**
         * @description What a member is told. `mentioned`: a note names them; `assigned`: the conversation was assigned to them; `answered`, `note` and `woke`: in a conversation that they have or follow the customer or another member wrote, a member wrote a note, or a snooze is over.
         * @enum {string}
         */
        NoticeKind: "mentioned" | "assigned" | "answered" | "note" | "woke";
        /** @description What concerns a member in a conversation. */
        Notice: {
            /** @description Id of the notice. */
            id: string;
            /** @description What happened. */
            kind: components["schemas"]["NoticeKind"];
            /** @description Id of the conversation. */
            conversationId: string;
            /** @description Id of its contact; null for none. */
            contactId: string | null;
            /** @description Name of its contact; "" for none. */
            contactName: string;
            /** @description Who caused the last one. The name of a customer is that of the contact. */
            actor: components["schemas"]["Actor"];
            /** @description Id of the last message; null if it was none. */
            messageId: string | null;
            /** @description The beginning of that message, at most 200 characters. */
            text: string;
            /** @description How often it has happened since the member read of it. */
            count: number;
            /** @description When it happened first. */
            createdAt: string;
            /** @description When it happened last. */
            updatedAt: string;
            /** @description When the member read it; null while it is unread. */
            readAt: string | null;
        };
        /** @description What a member is told. */
        Notices: {
            /** @description Ids of the conversations that the member follows, those followed last first. */
            following: string[];
            /** @description The notices. */
            data: components["schemas"]["Notice"][];
            /** @description How many are unread, at most 1,000. */
            unread: number;
        };
        /** @description Which notices were read. Either `ids` or `all` must be given. */
        ReadNotices: {
            /** @description Ids of notices. */
            ids?: string[];
            /** @description Whether all were. Without it, false. */
            all?: boolean;
        };
        /** @description How many notices are unread. */
        UnreadNotices: {
            /** @description At most 1,000. */
            unread: number;
        };
        /** @description By which channels a kind of notice leaves the dashboard. `desktop`: the browser's notification and a sound, by a page that is open; `push`: the browser or phone, also without a page; `mail`: in a digest. */
        NoticeChannels: ("desktop" | "push" | "mail")[];
        /** @description A time that recurs on some days. It ends on the day after unless `to` is later than `from`; so equal times are a whole day. */
        QuietPeriod: {
            /** @description On which days it begins. */
            days: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
            /** @description Time at which it begins. */
            from: string;
            /** @description Time at which it ends. */
            to: string;
        };
        /** @description What a member has chosen about notices. */
        NoticePreferences: {
            /** @description The channels of each kind. */
            kinds: {
                mentioned: components["schemas"]["NoticeChannels"];
                assigned: components["schemas"]["NoticeChannels"];
                answered: components["schemas"]["NoticeChannels"];
                note: components["schemas"]["NoticeChannels"];
                woke: components["schemas"]["NoticeChannels"];
                /** @description A customer wrote in a conversation that nobody has. Only open pages show it; no notice is stored. */
                unassigned: "desktop"[];
            };
            /** @description Name of the time zone in the IANA database. */
            zone: string;
            /** @description Recurring times in which nothing leaves the dashboard. */
            quietHours: components["schemas"]["QuietPeriod"][];
            /** @description Until when nothing leaves the dashboard; null for none. */
            awayUntil: string | null;
            /**
             * @description When a digest of unread notices is mailed to a member who is not there: after a quarter of an hour, one hour or four, or daily.
             * @enum {string}
             */
            mailDelay: "15m" | "1h" | "4h" | "daily";
            /** @description Time of the day of a daily digest. */
            mailAt: string;
            /**
             * @description Language of the digests.
             * @enum {string}
             */
            language: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "tr" | "sv" | "da" | "cs" | "ar" | "he";
            /** @description Whether the member's address gets no digests: by the link in one, or because a mail server said that there is no such mailbox. */
            mailStopped: boolean;
            /** @description Whether the server sends mails. */
            mailWorks: boolean;
            /** @description When nothing leaves the dashboard in the coming eight days, by all of this. */
            silences: {
                /** @description When it begins. */
                begin: string;
                /** @description When it ends. */
                end: string;
            }[];
        };
        /** @description Changes of the choices about notices. Absent members stay unchanged. */
        NoticePreferencesChange: {
            /** @description The channels of each kind. */
            kinds?: {
                mentioned?: components["schemas"]["NoticeChannels"];
                assigned?: components["schemas"]["NoticeChannels"];
                answered?: components["schemas"]["NoticeChannels"];
                note?: components["schemas"]["NoticeChannels"];
                woke?: components["schemas"]["NoticeChannels"];
                /** @description A customer wrote in a conversation that nobody has. Only open pages show it; no notice is stored. */
                unassigned?: "desktop"[];
            };
            /** @description Name of the time zone in the IANA database. */
            zone?: string;
            /** @description Recurring times in which nothing leaves the dashboard. */
            quietHours?: components["schemas"]["QuietPeriod"][];
            /** @description Until when nothing leaves the dashboard; null for none. At most 400 days ahead. */
            awayUntil?: string | null;
            /**
             * @description When a digest of unread notices is mailed to a member who is not there: after a quarter of an hour, one hour or four, or daily.
             * @enum {string}
             */
            mailDelay?: "15m" | "1h" | "4h" | "daily";
            /** @description Time of the day of a daily digest. */
            mailAt?: string;
            /**
             * @description Language of the digests.
             * @enum {string}
             */
            language?: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "tr" | "sv" | "da" | "cs" | "ar" | "he";
            /** @description False, so that the address gets digests again. */
            mailStopped?: boolean;
        };
        /** @description A browser that gets notices by its push service. */
        PushDevice: {
            /** @description Id of the device. */
            id: string;
            /** @description What the browser says of itself. */
            userAgent: string;
            /** @description When it was added. */
            createdAt: string;
            /** @description When its push service accepted the last notice; null for never. */
            usedAt: string | null;
            /** @description Whether it is the browser that asks. */
            current: boolean;
        };
        /** @description The devices of a member. */
        PushDevices: {
            /** @description The key with which browsers subscribe, in base64url; null if the server pushes no notices. */
            publicKey: string | null;
            /** @description The devices, those added last first. */
            data: components["schemas"]["PushDevice"][];
        };
        /** @description A subscription of a browser (Push API). */
        NewPushDevice: {
            /** @description The https address at the push service. */
            endpoint: string;
            /** @description The public key of the browser, in base64url. */
            p256dh: string;
            /** @description The secret of the browser in base64url. */
            auth: string;
        };
        /** @description What became of a notice at a push service. */
        PushTest: {
            /**
             * @description `later` if the service does not answer or wants it later, `refused` if it does not take it, `gone` if the device is not there any more.
             * @enum {string}
             */
            outcome: "accepted" | "later" | "refused" | "gone";
        };
        /** @description Who follows a conversation. */
        Followers: {
            /** @description Ids of the members, those who have followed it longest first. */
            memberIds: string[];
        };
        /** @description Where a member is. */
        Presence: {
            /** @description The conversation that is open; null for none. */
            conversationId?: string | null;
            /** @description Whether one types in it. Without it, false. */
            typing?: boolean;
            /** @description Whether it is a private note that one types. Without it, false. */
            isPrivate?: boolean;
        };
        /** @description Done. */
        Told: Record<string, never>;
        /**
         * @description The results of a search.
         * @enum {string}
         */
        SearchKind: "message" | "contact" | "company";
        /** @description A page of hits. */
        SearchPage: {
            /** @description The hits. */
            data: components["schemas"]["SearchHit"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description The cursor of the next page; empty on the last one. */
            next_cursor: string;
        };
        /** @description A record that contains the words. */
        SearchHit: {
            kind: components["schemas"]["SearchKind"];
            /** @description The id of the message, contact or company. */
            id: string;
            /** @description The conversation of a message, else null. */
            conversationId: string | null;
            /** @description The name of the contact or company; of a message, that of its contact. */
            title: string;
            /** @description A part of the text, at most 160 characters, cut into segments; of a contact or company its other details. Empty if there are none. */
            snippet: components["schemas"]["SearchSegment"][];
            /** @description The contact of a message; else null. */
            contact: components["schemas"]["SearchContact"] | null;
            /** @description When the message was written, or the record last changed. */
            at: string;
        };
        /** @description A part of a snippet. It is text, never markup. */
        SearchSegment: {
            /** @description The text. */
            text: string;
            /** @description Whether it is a word of the search. */
            match: boolean;
        };
        /** @description A contact, by its id and name. */
        SearchContact: {
            /** @description The id. */
            id: string;
            /** @description The name. */
            name: string;
        };
        Report: {
            from: components["schemas"]["Day"];
            to: components["schemas"]["Day"];
            by: components["schemas"]["ReportBy"];
            /** @description By day one row for each day, in order; otherwise one for each item with activity, those with the most opened conversations first. */
            rows: components["schemas"]["ReportRow"][];
            total: components["schemas"]["ReportRow"];
        };
        ReportRow: {
            /** @description The day or the id; empty for none, and in the total. */
            key: string;
            /** @description The day or the name. */
            label: string;
            /** @description Conversations that began or were opened again. */
            opened: number;
            /** @description How often conversations were resolved. */
            resolved: number;
            /** @description From the beginning of a conversation to the first message of a member that the customer sees, on the day of that message. */
            firstResponse: components["schemas"]["Distribution"];
            /** @description From the beginning of a conversation, or from its last reopening, until it was resolved. */
            resolution: components["schemas"]["Distribution"];
        };
        /** @description Times in seconds, at most 4.8 % off; below a second they are 0. */
        Distribution: {
            count: number;
            medianSeconds: number | null;
            /** @description Nine of ten were not longer. */
            p90Seconds: number | null;
        };
        /** @description What the automated agent did, and what it cost. */
        AgentReport: {
            from: components["schemas"]["Day"];
            to: components["schemas"]["Day"];
            /** @description The products with the agent or with figures, those with most conversations first. */
            products: components["schemas"]["AgentReportProduct"][];
            /** @description The days with figures, in order. */
            days: components["schemas"]["AgentReportDay"][];
            total: components["schemas"]["AgentFigures"];
        };
        /** @description Counts of conversations by what became of them, and what models used. */
        AgentFigures: {
            /** @description Conversations that the agent met; the sum of all results. */
            met: number;
            /** @description Those that needed nobody else: `confirmed` and `answered`. */
            resolved: number;
            /** @description The customer said that an answer or an article helped, and asked nothing more. */
            confirmed: number;
            /** @description An answer of the agent was the last word, so far. */
            answered: number;
            /** @description The agent last showed articles, and nobody said that they helped. */
            cards: number;
            /** @description The agent last asked what the customer means, and nobody replied. */
            askedBack: number;
            /** @description The agent handed over to a person; the sum of `handOvers`. */
            handedOver: number;
            /** @description Those of them that no article was likely to answer. */
            unanswered: number;
            /** @description The hand-overs by reason, the most first. */
            handOvers: components["schemas"]["AgentHandOvers"][];
            /** @description Somebody took the conversation without a hand-over, or the agent was switched off meanwhile. */
            taken: number;
            /** @description The agent has not said anything yet. */
            unfinished: number;
            /** @description What language models used, by the currency of their prices; null for agents. */
            spend: components["schemas"]["AgentSpend"][] | null;
        };
        /** @description The figures of a day. */
        AgentReportDay: {
            day: components["schemas"]["Day"];
            figures: components["schemas"]["AgentFigures"];
        };
        /** @description The figures of a product, and its budget of today. */
        AgentReportProduct: {
            /** @description Id of the product. */
            productId: string;
            /**
             * @description What the agent does there now; off if the product is archived.
             * @enum {string}
             */
            mode: "off" | "cards" | "answer";
            figures: components["schemas"]["AgentFigures"];
            /** @description What the product may use, and what is left of it today (UTC); null for agents. */
            budget: components["schemas"]["AgentBudget"] | null;
        };
        /** @description Hand-overs for a reason. */
        AgentHandOvers: {
            /** @description Why, such as no_article, asked, budget or model_down. */
            reason: string;
            /** @description How many. */
            count: number;
        };
        /** @description What language models used, at the prices of their time. Costs are in millionths of the currency. Reserved is what calls that never reported their end had taken from the budget. */
        AgentSpend: {
            /** @description The currency of the prices. */
            currency: string;
            /** @description Calls of models. */
            calls: number;
            /** @description Tokens for answers to customers. */
            agentTokens: number;
            /** @description Tokens for drafts, summaries, other words and translations for members. */
            memberTokens: number;
            /** @description Tokens of calls without an end. */
            reservedTokens: number;
            /** @description The cost of answers to customers. */
            agentCost: number;
            /** @description The cost of help for members. */
            memberCost: number;
            /** @description What calls without an end cost at most. */
            reservedCost: number;
        };
        /** @description What a product may use on a day (UTC), and what is left of it today. */
        AgentBudget: {
            /** @description Tokens that the product may use on a day. */
            dailyTokens: number;
            /** @description Tokens that are left today. */
            tokensLeft: number;
            /** @description Of the prices of the product's provider; null if there is none. */
            currency: string | null;
            /** @description What the product may cost on a day, in millionths of the currency; null without a limit. */
            dailyCost: number | null;
            /** @description What is left of it today; null without a limit. */
            costLeft: number | null;
        };
        /** @enum {string} */
        ReportBy: "day" | "product" | "inbox" | "member" | "company";
        Day: string;
        /** @description An API key. */
        Key: {
            /** @description Id of the key. */
            id: string;
            /** @description Name of the key. */
            name: string;
            /** @description The permissions of the key. */
            scopes: ("conversations:read" | "conversations:write" | "contacts:read" | "contacts:write" | "companies:read" | "companies:write" | "products:read" | "knowledge:read" | "knowledge:write")[];
            /** @description The first and the last characters of its secret. */
            display: string;
            /** @description When the key was created. */
            createdAt: string;
            /** @description When it expires; null for never. */
            expiresAt: string | null;
            /** @description When it was revoked; null if it was not. */
            revokedAt: string | null;
            /** @description When it was last used, to the minute; null for never. */
            lastUsedAt: string | null;
            /** @description Who created it: a member, possibly removed since; the system, for the command line, the first start, and keys created before creators were recorded. */
            createdBy: components["schemas"]["Actor"];
        };
        /** @description An API key with its plain text, which is shown only this once. */
        NewKey: {
            /** @description Id of the key. */
            id: string;
            /** @description Name of the key. */
            name: string;
            /** @description The permissions of the key. */
            scopes: ("conversations:read" | "conversations:write" | "contacts:read" | "contacts:write" | "companies:read" | "companies:write" | "products:read" | "knowledge:read" | "knowledge:write")[];
            /** @description The first and the last characters of its secret. */
            display: string;
            /** @description When the key was created. */
            createdAt: string;
            /** @description When it expires; null for never. */
            expiresAt: string | null;
            /** @description When it was revoked; null if it was not. */
            revokedAt: string | null;
            /** @description When it was last used, to the minute; null for never. */
            lastUsedAt: string | null;
            /** @description Who created it: a member, possibly removed since; the system, for the command line, the first start, and keys created before creators were recorded. */
            createdBy: components["schemas"]["Actor"];
            /** @description The key in plain text. */
            key: string;
        };
        /** @description A list without pages. */
        KeyList: {
            /** @description The keys. */
            data: components["schemas"]["Key"][];
        };
        /** @description A key to create. */
        KeyFields: {
            /** @description Name of the key. */
            name: string;
            /** @description The permissions of the key. */
            scopes: ("conversations:read" | "conversations:write" | "contacts:read" | "contacts:write" | "companies:read" | "companies:write" | "products:read" | "knowledge:read" | "knowledge:write")[];
            /** @description When it expires, in the future; null for never. */
            expiresAt?: string | null;
        };
        /** @description Changes of a key. Absent members stay unchanged. */
        KeyChange: {
            /** @description Name of the key. */
            name?: string;
            /** @description The permissions of the key. */
            scopes?: ("conversations:read" | "conversations:write" | "contacts:read" | "contacts:write" | "companies:read" | "companies:write" | "products:read" | "knowledge:read" | "knowledge:write")[];
        };
        /** @description Keys that still call routes under /v1/public/stores. */
        StoresUse: {
            /** @description When these routes stop working. */
            sunset: string;
            /** @description Days until then, rounded up; 0 from then on. */
            daysLeft: number;
            /** @description The keys. */
            data: components["schemas"]["KeyStoresUse"][];
        };
        /** @description Calls of a key under /v1/public/stores. */
        KeyStoresUse: {
            /** @description The key. */
            key: components["schemas"]["KeyRef"];
            /** @description How many calls there were. */
            calls: number;
            /** @description Day of the first call, in UTC. */
            firstDay: string;
            /** @description When it last called. */
            lastAt: string;
            /** @description The days with calls, oldest first. */
            days: components["schemas"]["DayCalls"][];
        };
        /** @description The key that called. */
        KeyRef: {
            /** @description Id of the key. */
            id: string;
            /** @description Name of the key. */
            name: string;
            /** @description The first and the last characters of its secret. */
            display: string;
        };
        /** @description Calls of a day. */
        DayCalls: {
            /** @description The day, in UTC. */
            day: string;
            /** @description How many calls there were. */
            calls: number;
        };
        /** @description A product to add. */
        NewProduct: {
            /** @description Name of the product. */
            name: string;
            /** @description What it is. */
            description?: string;
        };
        /** @description Changes of a product. Absent members stay unchanged. */
        ProductChange: {
            /** @description Name of the product. */
            name?: string;
            /** @description What it is. */
            description?: string;
            /** @description Whether it is out of use. */
            archived?: boolean;
        };
        /** @description An inbox to add. */
        NewInbox: {
            /** @description Name of the inbox. */
            name: string;
            /**
             * @description How it reaches customers.
             * @enum {string}
             */
            channelType: "api" | "web";
            /** @description Active product of the conversations that start here; null for none. */
            productId?: string | null;
        };
        /** @description Changes of an inbox. Absent members stay unchanged. */
        InboxChange: {
            /** @description Name of the inbox. */
            name?: string;
            /** @description Active product of the conversations that start here; null for none. */
            productId?: string | null;
        };
        /** @description A list without pages. */
        CannedAnswerList: {
            /** @description The canned answers. */
            data: components["schemas"]["CannedAnswer"][];
        };
        ArticleDraft: {
            /** @description The customer's first question; empty if there is none. */
            title: string;
            /** @description The answers in Markdown; empty if there are none. */
            body: string;
            /** @description The product of the conversation; null for none. */
            productId: string | null;
        };
        /** @description A question that no article answered, as it was asked in one week. */
        KnowledgeGap: {
            /** @description The start of the week, a Monday in UTC. */
            week: string;
            /** @description The product that it is about; null for none. */
            productId: string | null;
            /** @description Its language; empty if unknown. */
            language: string;
            /**
             * @description Where it was asked.
             * @enum {string}
             */
            source: "help_center" | "widget" | "bot" | "agent";
            /** @description Its words in their basic form, by which equal questions are counted together. */
            words: string;
            /** @description The first such question, without addresses and numbers. */
            sample: string;
            /** @description How often it was asked. */
            questions: number;
            /** @description When it was asked last. */
            lastAt: string;
        };
        KnowledgeGapList: {
            /** @description The questions. */
            data: components["schemas"]["KnowledgeGap"][];
        };
        DismissedQuestion: {
            /** @description The product that it is about; null for none. */
            productId?: string | null;
            /** @description Its language. */
            language?: string;
            /** @description Its words. */
            words: string;
        };
        DismissedGaps: {
            /** @description How many entries were deleted. */
            dismissed: number;
        };
        /** @description What a list shows of an article besides the article. */
        ArticleFigures: {
            /** @description Id of the article. */
            articleId: string;
            /** @description Who wrote the text that was changed last. */
            updatedBy: components["schemas"]["Actor"];
            /** @description How often it was shown in the last 90 days, in all languages. */
            shown: number;
            /** @description How many readers said that it helped. */
            helped: number;
            /** @description How many readers said that it did not help. */
            notHelped: number;
        };
        /** @description A page of figures. */
        ArticleFiguresPage: {
            data: components["schemas"]["ArticleFigures"][];
            /** @description Whether there is a next page. */
            has_more: boolean;
            /** @description The cursor of the next page. */
            next_cursor: string;
        };
        /** @description A body to render. */
        ArticlePreviewRequest: {
            /** @description Markdown, of at most 262,144 bytes. */
            body: string;
        };
        /** @description A rendered body. */
        ArticlePreview: {
            /** @description HTML that can be shown without further cleaning. */
            html: string;
        };
        /** @description The articles that fit a question. */
        FoundArticles: {
            /** @description The articles, the best first. */
            data: components["schemas"]["ArticleHit"][];
            /** @description The language that was searched; null if the product has no published articles. */
            language: string | null;
            /** @description Articles that were drafted from the conversation, whatever became of them; empty with `q`. */
            drafted: components["schemas"]["DraftedArticle"][];
        };
        /** @description An article that was drafted from a conversation. */
        DraftedArticle: {
            /** @description Id of the article. */
            id: string;
            /** @description The language of its first text. */
            language: string;
            /** @description The title of its first text. */
            title: string;
        };
        ArticleOrigin: {
            /** @description The conversation from which the article was drafted; null for none. */
            conversationId: string | null;
        };
        NewArticleOrigin: {
            /** @description The conversation from which the article was drafted. */
            conversationId: string;
        };
        /** @description A text of an article that the public reads. */
        PublishedArticle: {
            /** @description Id of the article. */
            id: string;
            /** @description Its name in addresses, in all languages. */
            slug: string;
            /** @description Its product; null for all products. */
            productId: string | null;
            /** @description Language of the text. */
            language: string;
            /** @description Title of the text. */
            title: string;
            /** @description What the article answers, in one sentence; "" for none. */
            description: string;
            /** @description The text in Markdown. */
            body: string;
            /** @description When this version was published. */
            publishedAt: string;
        };
        /** @description A picture of an article. */
        ArticlePicture: {
            /** @description Id of the picture. */
            id: string;
            /** @description Id of the article. */
            articleId: string;
            /** @description Where everybody can read it on this server. */
            path: string;
            /**
             * @description Its media type, by its content.
             * @enum {string}
             */
            contentType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
            /** @description Its size, in bytes. */
            size: number;
            /** @description Its width in pixels; 0 if it is unknown. */
            width: number;
            /** @description Its height in pixels; 0 if it is unknown. */
            height: number;
            createdAt: string;
        };
        /** @description A canned answer to add. */
        NewCannedAnswer: {
            /** @description The shortcut that inserts it. */
            shortcut: string;
            /** @description The text, of at most 65,536 bytes. */
            content: string;
        };
        /** @description The scheduled messages of a conversation. */
        ScheduledMessageList: {
            /** @description The next one first. */
            data: components["schemas"]["ScheduledMessage"][];
        };
        /** @description A message that is to be sent later. */
        NewScheduledMessage: {
            /** @description The text, of at most 65,536 bytes, not blank unless there are files. It is never HTML. */
            content?: string;
            /**
             * @description How to read the content. Without it, text, or what the first file is.
             * @enum {string}
             */
            contentType?: "text" | "markdown";
            /** @description Whether it is a note between members. Without it, false. */
            isPrivate?: boolean;
            /** @description Only with `isPrivate`: ids of the members whom the note names. Who has left until then is named no more. */
            mentions?: string[];
            /** @description Uploaded files that no message has. */
            attachmentIds?: string[];
            /** @description When to send it, 1 minute to 90 days ahead. */
            sendAt: string;
            /** @description Whether to hold it if the customer writes before. Without it, true. */
            ifQuiet?: boolean;
        };
        /** @description Changes of a scheduled message. Absent members stay unchanged. */
        ScheduledMessageChange: {
            /** @description The text, of at most 65,536 bytes, not blank unless there are files. */
            content?: string;
            /** @description When to send it, 1 minute to 90 days ahead. */
            sendAt?: string;
            /** @description Whether to hold it if the customer writes before. */
            ifQuiet?: boolean;
            /** @description If it is given, the version that the message must have. */
            version?: number;
        };
        /** @description Changes of a canned answer. Absent members stay unchanged. */
        CannedAnswerChange: {
            /** @description The shortcut that inserts it. */
            shortcut?: string;
            /** @description The text, of at most 65,536 bytes. */
            content?: string;
        };
        /** @description The backups that the server makes on a schedule. */
        Backups: {
            /** @description The interval between two backups. `null` if there is no schedule. */
            everySeconds: number | null;
            /** @description When the last backup began. `null` if there was none. */
            lastAt: string | null;
            /** @description Whether there was no backup for two intervals. */
            late: boolean;
        };
        /** @description A list without pages. */
        LabelList: {
            /** @description The labels. */
            data: components["schemas"]["Label"][];
        };
        /** @description A label to add. */
        NewLabel: {
            /** @description Name of the label. It is part of URLs, so it cannot be `.` or `..`; a slash in it is escaped there. */
            name: string;
            /** @description Its colour. */
            color: components["schemas"]["LabelColor"];
        };
        /** @description Changes of a label. Absent members stay unchanged. */
        LabelChange: {
            /** @description Its colour. */
            color?: components["schemas"]["LabelColor"];
        };
        /** @description A number to connect. */
        NewNumber: {
            /** @description The number, country code first. Punctuation is ignored. */
            phone: string;
            /**
             * @description Its driver.
             * @enum {string}
             */
            driver: "sandbox" | "whatsapp";
        };
        /** @description How to pair a number. */
        NewPairing: {
            /**
             * @description A QR code that the phone scans, or a code that is typed on the phone. Without it, `qr`.
             * @enum {string}
             */
            by?: "qr" | "code";
        };
        /** @description The newest step of a number's pairing. */
        Pairing: {
            /** @description The number. */
            numberId: string;
            /**
             * @description How it is paired.
             * @enum {string}
             */
            by: "qr" | "code";
            /**
             * @description The kind of step. `starting` has no code yet; `paired`, `expired` and `refused` end the pairing.
             * @enum {string}
             */
            kind: "starting" | "qr_code" | "phone_code" | "paired" | "expired" | "refused";
            /** @description The text of the QR code, or the code to type on the phone. A secret. */
            code: string;
            /** @description The QR code's rows of modules, "1" for dark, without a margin; empty if there is none. */
            matrix: string[];
            /** @description Until when the code is valid. */
            until: string | null;
            /** @description Why it was refused, for people. */
            reason: string;
            /** @description Time of the step. */
            updatedAt: string;
        };
        /** @description How much a number may do in a period. */
        Budget: {
            /**
             * @description The counted action and its period.
             * @enum {string}
             */
            budget: "groupsPerHour" | "groupsPerDay" | "addsPerHour" | "invitesPerHour" | "sendsPerMinute";
            /** @description How much is allowed; null for no limit. */
            limit: number | null;
            /** @description The default limit; null for none. */
            default: number | null;
            /** @description How much is used now. */
            used: number;
        };
        /** @description Read the budgets of a number. */
        BudgetList: {
            /** @description The budgets. */
            data: components["schemas"]["Budget"][];
        };
        /** @description Limits of a number. Absent members stay unchanged; null is the default limit. */
        BudgetChange: {
            /** @description Groups created in an hour. */
            groupsPerHour?: number | null;
            /** @description Groups created in a day. */
            groupsPerDay?: number | null;
            /** @description Numbers added to groups in an hour. */
            addsPerHour?: number | null;
            /** @description Invite links sent to people in an hour. */
            invitesPerHour?: number | null;
            /** @description Messages sent in a minute; more of them wait. */
            sendsPerMinute?: number | null;
        };
        /**
         * @description A signature algorithm (RFC 7518, RFC 8037).
         * @enum {string}
         */
        IdentityAlgorithm: "HS256" | "RS256" | "PS256" | "ES256" | "EdDSA";
        /**
         * @description The kind of a key: a secret that both sides know, the public half of a key pair of the company, or a set of public keys at an address.
         * @enum {string}
         */
        IdentityKeyKind: "secret" | "public" | "jwks";
        /** @description A key that signs the identities of customers. */
        IdentityKey: {
            /** @description Id of the key in the header of a token. */
            kid: string;
            /** @description The signature algorithm of its tokens. */
            algorithm: components["schemas"]["IdentityAlgorithm"];
            /** @description The kind of key. */
            kind: components["schemas"]["IdentityKeyKind"];
            /** @description The address of a set of keys; null for the other kinds. */
            jwksUrl: string | null;
            /** @description The required `iss` of a token; empty for any. */
            issuer: string;
            /** @description The required `aud` of a token; empty for the id of the workspace, if there is an `aud`. */
            audience: string;
            /**
             * @description Whether its tokens are accepted. A retiring key is revoked at the end of its time.
             * @enum {string}
             */
            state: "active" | "retiring" | "revoked";
            /** @description Until when it verifies; null for no limit. */
            retireAt: string | null;
            /** @description When the key was created. */
            createdAt: string;
            /** @description When it last verified an accepted identity, to the minute; null for never. */
            lastUsedAt: string | null;
        };
        /** @description An identity key, with its generated secret, which is shown only this once. */
        NewIdentityKey: {
            /** @description Id of the key in the header of a token. */
            kid: string;
            /** @description The signature algorithm of its tokens. */
            algorithm: components["schemas"]["IdentityAlgorithm"];
            /** @description The kind of key. */
            kind: components["schemas"]["IdentityKeyKind"];
            /** @description The address of a set of keys; null for the other kinds. */
            jwksUrl: string | null;
            /** @description The required `iss` of a token; empty for any. */
            issuer: string;
            /** @description The required `aud` of a token; empty for the id of the workspace, if there is an `aud`. */
            audience: string;
            /**
             * @description Whether its tokens are accepted. A retiring key is revoked at the end of its time.
             * @enum {string}
             */
            state: "active" | "retiring" | "revoked";
            /** @description Until when it verifies; null for no limit. */
            retireAt: string | null;
            /** @description When the key was created. */
            createdAt: string;
            /** @description When it last verified an accepted identity, to the minute; null for never. */
            lastUsedAt: string | null;
            /** @description The secret: 32 bytes as base64url, whose text signs the tokens. Null if the server did not generate one. */
            secret: string | null;
        };
        /** @description An identity key to create. Members for another kind of key must be absent or null. */
        IdentityKeyFields: {
            /** @description The kind of key. */
            kind?: components["schemas"]["IdentityKeyKind"];
            /**
             * @description The signature algorithm; without it HS256 for a secret, RS256 for a set of keys, and the one that fits a public key.
             * @enum {string|null}
             */
            algorithm?: "HS256" | "RS256" | "PS256" | "ES256" | "EdDSA" | null;
            /** @description An existing secret of the company, without spaces; without it the server generates one. */
            secret?: string | null;
            /** @description The public key, as PEM (also of a certificate) or as a JWK. */
            publicKey?: string | null;
            /** @description The address of the set of keys. It must be public. */
            jwksUrl?: string | null;
            /** @description The required `iss` of a token. A set of keys needs it. */
            issuer?: string | null;
            /** @description The required `aud` of a token. A set of keys needs it. */
            audience?: string | null;
        };
        /** @description For how long a key still verifies. */
        IdentityKeyRetirement: {
            /** @description Days from now; 0 ends it at once. */
            days: number;
        };
        /** @description A list without pages. */
        IdentityKeyList: {
            /** @description The keys. */
            data: components["schemas"]["IdentityKey"][];
        };
        /** @description What a test found that a server can. Requests use nothing else. */
        ModelCapabilities: {
            /**
             * @description The name of the limit of an answer; null if the server takes none.
             * @enum {string|null}
             */
            maxTokensName: "max_tokens" | "max_completion_tokens" | null;
            /** @description It accepts a temperature of 0. */
            temperature: boolean;
            /** @description It answers in pieces. */
            streaming: boolean;
            /** @description It tells what an answer cost; otherwise the tokens are estimated. */
            usage: boolean;
            /** @description It tells that also for streamed answers. */
            streamUsage: boolean;
            /** @description Its answers follow a schema. */
            jsonSchema: boolean;
            /** @description Its answers are an object on request. */
            jsonObject: boolean;
            /** @description It calls tools. */
            tools: boolean;
            /** @description The dimension of its embeddings; null if it has none. */
            dimension: number | null;
        };
        /** @description A server of language models, with one of its models. */
        ModelProvider: {
            /** @description Id of the provider. */
            id: string;
            /** @description Its name in the workspace. */
            name: string;
            /** @description The address of the interface, `http` or `https`, without a query. */
            baseUrl: string;
            /** @description Whether a key is stored. */
            hasKey: boolean;
            /** @description The model for chats, as the server names it. */
            model: string;
            /** @description The model for embeddings; null for none. If the last test got vectors from it, the automated agent and drafts put the articles that are likely to answer in order by meaning as well as by words. */
            embeddingModel: string | null;
            /** @description What the last test found; nothing before the first one. */
            capabilities: components["schemas"]["ModelCapabilities"];
            /** @description Why the last test failed, a sentence for people; null if it did not. */
            problem: string | null;
            /** @description When it was tested last; null if never since the address, the key or the model changed. */
            testedAt: string | null;
            /** @description The currency of the prices, three capital letters. */
            currency: string;
            /** @description The price of a million tokens that are sent, in millionths of the currency; 0 if unknown. */
            inputPrice: number;
            /** @description The price of a million tokens that are received, in millionths of the currency. */
            outputPrice: number;
            /** @description Whether products without a provider of their own use it. */
            main: boolean;
            /** @description Whether it is the toy model of a demo, which understands nothing and quotes articles. */
            toy: boolean;
            /** @description When it was added. */
            createdAt: string;
            /** @description When it was changed last. */
            updatedAt: string;
        };
        /** @description A list without pages. */
        ModelProviderList: {
            /** @description The providers. */
            data: components["schemas"]["ModelProvider"][];
        };
        /** @description A new model provider. */
        ModelProviderFields: {
            /** @description Its name in the workspace. */
            name: string;
            /** @description The address of the interface, `http` or `https`, without a query. */
            baseUrl: string;
            /** @description The key; null for none. It is stored encrypted and never shown. */
            key?: string | null;
            /** @description The model for chats, as the server names it. */
            model: string;
            /** @description The model for embeddings; null for none. */
            embeddingModel?: string | null;
            /** @description The currency of the prices, three capital letters. */
            currency?: string;
            /** @description The price of a million tokens that are sent, in millionths of the currency; 0 if unknown. */
            inputPrice?: number;
            /** @description The price of a million tokens that are received, in millionths of the currency. */
            outputPrice?: number;
        };
        /** @description An update of a model provider. Absent fields stay unchanged. */
        ModelProviderChange: {
            /** @description Its name in the workspace. */
            name?: string;
            /** @description The address of the interface, `http` or `https`, without a query. */
            baseUrl?: string;
            /** @description The key; null for none. It is stored encrypted and never shown. */
            key?: string | null;
            /** @description The model for chats, as the server names it. */
            model?: string;
            /** @description The model for embeddings; null for none. */
            embeddingModel?: string | null;
            /** @description The currency of the prices, three capital letters. */
            currency?: string;
            /** @description The price of a million tokens that are sent, in millionths of the currency; 0 if unknown. */
            inputPrice?: number;
            /** @description The price of a million tokens that are received, in millionths of the currency. */
            outputPrice?: number;
            /** @description True makes it the main one, instead of another. False has no effect. */
            main?: boolean;
        };
        /** @description What the automated agent is told for a product, and its limits. */
        ProductAgent: {
            /** @description Id of the product. */
            productId: string;
            /**
             * @description What the agent does in the product's conversations: nothing, show articles (`cards`, no model is asked), or answer from them.
             * @enum {string}
             */
            mode: "off" | "cards" | "answer";
            /** @description The provider of the product's own choice; null for the workspace's main one. */
            providerId: string | null;
            /** @description What the agent is told in words. */
            instructions: string;
            /** @description Its tone, in a few words. */
            tone: string;
            /** @description The languages in which it answers; none for every one. */
            languages: string[];
            /** @description The hosts to which links of its answers may lead, `*.` and a name for all below it; none for those to which the articles link. */
            hosts: string[];
            /** @description How many tokens it may use on a day (UTC). */
            dailyTokens: number;
            /** @description How much may be spent on a day (UTC), in millionths of the provider's currency; null for as much as the tokens allow. Without prices of the provider, nothing costs anything. */
            dailyCost: number | null;
            /** @description How many answers it may give in a row. */
            maxTurns: number;
            /** @description When it was changed last; null if nobody has. */
            updatedAt: string | null;
        };
        /** @description An update of the agent of a product. Absent fields stay unchanged. */
        ProductAgentChange: {
            /**
             * @description What the agent does in the product's conversations: nothing, show articles (`cards`, no model is asked), or answer from them.
             * @enum {string}
             */
            mode?: "off" | "cards" | "answer";
            /** @description The provider of the product's own choice; null for the workspace's main one. */
            providerId?: string | null;
            /** @description What the agent is told in words. */
            instructions?: string;
            /** @description Its tone, in a few words. */
            tone?: string;
            /** @description The languages in which it answers; none for every one. */
            languages?: string[];
            /** @description The hosts to which links of its answers may lead, `*.` and a name for all below it; none for those to which the articles link. */
            hosts?: string[];
            /** @description How many tokens it may use on a day (UTC). */
            dailyTokens?: number;
            /** @description How much may be spent on a day (UTC), in millionths of the provider's currency; null for as much as the tokens allow. Without prices of the provider, nothing costs anything. */
            dailyCost?: number | null;
            /** @description How many answers it may give in a row. */
            maxTurns?: number;
        };
        /** @description Whether a language model helps members. */
        AssistAvailable: {
            /** @description Whether the workspace has one. */
            available: boolean;
        };
        /** @description What a member asks a language model for. */
        AssistRequest: {
            /**
             * @description What to do.
             * @enum {string}
             */
            task: "draft" | "summarize" | "rewrite" | "translate";
            /**
             * @description How to rewrite; `spelling` corrects only mistakes.
             * @enum {string}
             */
            style?: "shorter" | "friendlier" | "formal" | "spelling";
            /**
             * @description For whom to translate; the customer's language is that of the customer's messages.
             * @enum {string}
             */
            reader?: "customer" | "member";
            /** @description The text to rewrite or translate. Without one, what the customer wrote last is translated for the member. */
            text?: string;
            /** @description The language of the member, for summaries and translations. */
            language?: string;
            /** @description Whether a summary may rest on private notes too; not if absent. */
            notes?: boolean;
        };
        /** @description A piece of a text that is being written. */
        AssistPiece: {
            /** @description The piece, to be put behind those before it. */
            text: string;
        };
        /** @description A text for a member, who decides what to do with it. */
        AssistResult: {
            /** @description The whole text, empty if there is a problem. */
            text: string;
            /** @description Its language, null if unknown. */
            language: string | null;
            /** @description The articles that a draft rests on. */
            sources: components["schemas"]["AssistSource"][];
            /** @description What the text claims beyond its sources or the text that it was made from. */
            unchecked: components["schemas"]["AssistClaim"][];
            /** @description Why there is no text, in words; null if there is one. */
            problem: string | null;
        };
        /** @description An article that a draft rests on. */
        AssistSource: {
            /** @description Id of the article. */
            articleId: string;
            /** @description Its language. */
            language: string;
            /** @description Its title. */
            title: string;
        };
        /** @description A part of a text that the member should check. */
        AssistClaim: {
            /** @description What it is, such as number, price, date, link, promise, or overlong for the whole text. */
            kind: string;
            /** @description The part, empty for the whole text. */
            text: string;
        };
        /** @description What a feature used for a product on a day. */
        ModelSpend: {
            /** @description Id of the product. */
            productId: string;
            /** @description The day in UTC. */
            day: string;
            /** @description The currency of the prices, three capital letters. */
            currency: string;
            /**
             * @description What the model was used for. All but `agent` help members.
             * @enum {string}
             */
            feature: "agent" | "draft" | "summary" | "rewrite" | "translate";
            /** @description Tokens of calls that have not ended, or whose end is unknown. They count against the budget. */
            reserved: number;
            /** @description What those cost at most, in millionths of the currency. */
            reservedCost: number;
            /** @description Tokens that were sent. */
            tokensIn: number;
            /** @description Tokens that were received. */
            tokensOut: number;
            /** @description Calls of models. */
            calls: number;
            /** @description The cost at the prices of that time, in millionths of the currency. */
            cost: number;
        };
        /** @description A list without pages. */
        ModelSpendList: {
            /** @description The days of products. */
            data: components["schemas"]["ModelSpend"][];
        };
        /** @description What a step of a simulation reads, and what it may use. */
        SimulationStep: {
            /** @description The earliest time of a first question. */
            since: string;
            /** @description Whether to search for articles only; false if absent. */
            noModel?: boolean;
            /** @description The most tokens that the model may use in this step; 0, which is meant if it is absent, is as noModel. */
            maxTokens?: number;
            /** @description The most conversations of this step; 50 if absent. */
            limit?: number;
        };
        /** @description An article that an answer would rest on. */
        SimulatedSource: {
            /** @description The article. */
            articleId: string;
            /** @description The language of the text. */
            language: string;
            /** @description Its title. */
            title: string;
            /** @description Its name in addresses. */
            slug: string;
            /** @description Whether what members wrote has a link to it. */
            linked: boolean;
        };
        /** @description What the automated agent would do about the first question of a conversation. */
        SimulatedAnswer: {
            /** @description The conversation. */
            conversationId: string;
            /** @description When it was asked. */
            askedAt: string;
            /** @description The customer's first messages, at most 1,000 characters. */
            question: string;
            /** @description The first answer of members, at most 1,000 characters; null if there is none. */
            human: string | null;
            /**
             * @description What the agent would do: answer, show articles (`cards`), ask back (`clarify`), hand over, or hand over with an answer that members should check (`suggestion`).
             * @enum {string}
             */
            kind: "answer" | "cards" | "clarify" | "hand_over" | "suggestion";
            /** @description Why it would do something else than answer; null for an answer. */
            reason: string | null;
            /** @description What the customer would read. */
            text: string;
            /** @description An answer with claims that no article supports; null if there is none. */
            draft: string | null;
            /** @description The articles, the most important first. */
            sources: components["schemas"]["SimulatedSource"][];
            /** @description What the model used for it. */
            tokens: number;
        };
        /** @description A step of a simulation. */
        SimulatedAnswerPage: {
            /** @description The answers. */
            data: components["schemas"]["SimulatedAnswer"][];
            /** @description Whether another step follows. */
            has_more: boolean;
            /** @description The cursor of the next step; empty on the last one. */
            next_cursor: string;
        };
        /** @description An identity that was refused. */
        RejectedIdentity: {
            /** @description When it was used. */
            at: string;
            /** @description The inbox of its widget; null if unknown. */
            inboxId: string | null;
            /** @description The key in its header, shortened; empty for none. */
            kid: string;
            /** @description Why it was refused, and what must change. */
            reason: string;
            /** @description Its claims about the customer, shortened; empty for none. */
            subject: string;
            /** @description The origin of the page, as the browser reports it; empty if unknown. */
            origin: string;
        };
        /** @description A list without pages. */
        RejectedIdentityList: {
            /** @description The refused identities. */
            data: components["schemas"]["RejectedIdentity"][];
        };
        /** @description The conversation to merge into. */
        ConversationMerge: {
            /** @description The conversation that shows both from then on. */
            intoId: string;
        };
        /** @description Where to split a conversation. */
        ConversationSplit: {
            /** @description The first message to take out; not the first one of the conversation. */
            messageId: string;
        };
        /** @description The contact to merge into. */
        Merge: {
            /** @description The surviving contact. */
            intoId: string;
        };
        /** @description The hours in which somebody answers in an inbox. */
        OfficeHours: {
            inboxId: string;
            /** @description Name of the time zone in the IANA database. */
            zone: string;
            /** @description Weekdays and times, at most four a day. The end may be 24:00. */
            hours: string[];
            /** @description Days without hours. */
            holidays: string[];
            /** @description Whether the chat widget says when somebody is back. */
            shown: boolean;
        };
        /** @description Changes of office hours. Absent members stay unchanged. */
        OfficeHoursChange: {
            /** @description Name of the time zone in the IANA database. */
            zone?: string;
            /** @description Weekdays and times, at most four a day. The end may be 24:00. */
            hours?: string[];
            /** @description Days without hours. */
            holidays?: string[];
            /** @description Whether the chat widget says when somebody is back. */
            shown?: boolean;
        };
        /** @description How far the guided start of a workspace is, beyond what the state shows. */
        Welcome: {
            /** @description When it was finished or skipped; null while it is not. */
            finishedAt: string | null;
            /** @description The websites that have shown a chat widget, the latest first. */
            views: components["schemas"]["WidgetView"][];
        };
        /** @description What a company says in its own words in the chat of an inbox. */
        WidgetTexts: {
            inboxId: string;
            /** @description The languages that have such texts. */
            languages: {
                /** @description The language. */
                language: string;
                /** @description The texts by their keys. */
                texts: {
                    [key: string]: string;
                };
            }[];
        };
        /** @description What a company says in its own words in one language. */
        WidgetTextsChange: {
            /**
             * @description The language.
             * @enum {string}
             */
            language: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "tr" | "sv" | "da" | "cs" | "ar" | "he";
            /** @description The texts by their keys, at most 8,192 bytes together. */
            texts: {
                [key: string]: string;
            };
        };
        /** @description A website that has shown the chat widget of an inbox. */
        WidgetView: {
            inboxId: string;
            /** @description The website, or null if the browser did not name it. */
            origin: string | null;
            /** @description When it was shown there for the first time. */
            firstAt: string;
        };
        /** @description The design of an inbox's chat widget, and who may use it. */
        WidgetSettings: {
            /** @description The inbox. */
            inboxId: string;
            origins: components["schemas"]["WidgetOrigins"];
            identity: components["schemas"]["IdentityMode"];
            /** @description Title of the widget. */
            title: string;
            /** @description What the widget says first; empty for nothing. */
            greeting: string;
            /** @description How soon the team answers; empty if it does not say. */
            replyTime: string;
            /** @description Colour of the widget. */
            color: string;
            position: components["schemas"]["WidgetCorner"];
            showTeam: components["schemas"]["ShowTeam"];
            ask: components["schemas"]["AskTime"];
            askFields: components["schemas"]["AskFields"];
            askRequired: components["schemas"]["AskRequired"];
            continueAfter: components["schemas"]["ContinueAfter"];
        };
        /** @description Changes of the settings of a widget. Absent members stay unchanged. */
        WidgetChange: {
            origins?: components["schemas"]["WidgetOrigins"];
            identity?: components["schemas"]["IdentityMode"];
            /** @description Title of the widget, not blank. */
            title?: string;
            /** @description The greeting of the widget. */
            greeting?: string;
            /** @description How soon the team answers. */
            replyTime?: string;
            /** @description Colour of the widget. */
            color?: string;
            position?: components["schemas"]["WidgetCorner"];
            showTeam?: components["schemas"]["ShowTeam"];
            ask?: components["schemas"]["AskTime"];
            askFields?: components["schemas"]["AskFields"];
            askRequired?: components["schemas"]["AskRequired"];
            continueAfter?: components["schemas"]["ContinueAfter"];
        };
        /** @description After how many minutes without a message of the team a customer who has left gets by mail what they missed; 0 for never. */
        ContinueAfter: number;
        /**
         * @description When the widget asks visitors for name or address; customers with an identity are never asked.
         * @enum {string}
         */
        AskTime: "off" | "before" | "after";
        /** @description What the widget asks for; not empty unless it never asks. */
        AskFields: ("name" | "email")[];
        /** @description Whether visitors must say all of it. If the widget asks before the first message, a visitor who did not cannot start a conversation. */
        AskRequired: boolean;
        /** @description Whether the widget shows names and pictures of the three members who joined first, to everybody who sees it. */
        ShowTeam: boolean;
        /** @description The origins of the pages that may show the widget; if empty, every page may. */
        WidgetOrigins: string[];
        /**
         * @description Whether customers need a signed identity: `off`, everybody is a visitor; `optional`, customers without one are visitors; `required`, everybody needs one.
         * @enum {string}
         */
        IdentityMode: "off" | "optional" | "required";
        /**
         * @description The corner of the page that shows the widget.
         * @enum {string}
         */
        WidgetCorner: "right" | "left";
        /** @description What the erasure of a person would delete now. */
        ErasurePreview: {
            /** @description Id of the contact. */
            contactId: string;
            /** @description Contacts that were merged into this one. */
            mergedContacts: number;
            /** @description Conversations of the person. */
            conversations: number;
            /** @description Messages in these conversations, by anybody. */
            messages: number;
            /** @description Groups in which the person wrote, is a member, or is named in a note about who joined and left. They stay. */
            groups: number;
            /** @description Messages in these groups: of the person, and notes about who joined and left. */
            groupMessages: number;
            /** @description Files of all these messages, and those that the person has not sent yet. */
            files: number;
            /** @description Sessions of the person in the widget. */
            sessions: number;
            /** @description Scheduled backups that contain the person. */
            backups: components["schemas"]["OlderBackups"];
        };
        /** @description Those scheduled backups that contain what an erasure deletes. A restore of one repeats the erasure. Backups that were made by hand are not known to the server; they contain it until somebody deletes them. */
        OlderBackups: {
            /** @description Whether the server makes backups by itself. */
            scheduled: boolean;
            /** @description Whether some may contain it of which the server knows nothing: those of an earlier schedule, or of the server whose backup was restored here. If so, `newestAt` and `endAt` are null. */
            unknown: boolean;
            /** @description When the newest of them was made; once there are newer backups without it, when the erasure ended. Null if there is none, or none any more. */
            newestAt: string | null;
            /** @description About when the last of them is deleted, if the schedule goes on as it is. Null if there is none, if this node makes no backups and cannot say, or if the backup that would delete it is late. */
            endAt: string | null;
        };
        /**
         * @description What became of a mail. `sent`: the mail server took it. `unknown`: nobody knows whether it did. `superseded`: it was not needed any more.
         * @enum {string}
         */
        MailState: "waiting" | "sending" | "sent" | "failed" | "unknown" | "superseded";
        /** @description A mail of the server, without its contents and its address. */
        Mail: {
            /** @description Id of the mail. */
            id: string;
            /**
             * @description What it is about.
             * @enum {string}
             */
            kind: "invitation" | "reset" | "digest" | "missed" | "confirm" | "test" | "account";
            state: components["schemas"]["MailState"];
            /** @description Id of the member whom it is for; null for nobody. */
            memberId: string | null;
            /** @description Id of the contact whom it is for; null for nobody. */
            contactId: string | null;
            /** @description Id of the invitation whose link it has; null for none. */
            invitationId: string | null;
            /** @description How often it was tried to hand it over. */
            attempts: number;
            /** @description What went wrong the last time; empty if nothing did. */
            problem: string;
            /** @description Whether it can be sent again. */
            resendable: boolean;
            /** @description When it was queued. */
            createdAt: string;
            /** @description When it ended; null before. */
            endedAt: string | null;
        };
        /** @description A page of mails. */
        MailPage: {
            /** @description The sender that mails show; null if the server sends no mail. */
            sender: string | null;
            /** @description The mails, newest first. */
            data: components["schemas"]["Mail"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Cursor of the next page; empty on the last one. */
            next_cursor: string;
        };
        /** @description What became of a mail that tests the mail server. */
        MailTrial: {
            /** @description Whether the mail server took the mail. */
            sent: boolean;
            /** @description The steps of the exchange, in order. */
            steps: string[];
        };
        /** @description Who asks for a new password. */
        ForgotPassword: {
            /** @description E-mail address of the member. */
            email: string;
        };
        /** @description How a link reaches the member. */
        ByMail: {
            /** @description Whether the link goes to the member by mail as well; false if it is absent. */
            mail?: boolean;
        };
        /** @description Nothing. */
        Nothing: Record<string, never>;
        /**
         * @description What was done. `session.refused` counts refused sign-ins, and `confirmation.refused` wrong passwords and codes of a signed-in member; attempts for addresses that no member has count together. `number.updated` is a number that somebody connected, disconnected or logged out. Later versions may have more.
         * @enum {string}
         */
        AuditAction: "session.started" | "session.refused" | "session.ended" | "sessions.ended" | "session.confirmed" | "confirmation.refused" | "password.changed" | "password.reset" | "password_link.created" | "second_factor.set" | "second_factor.turned_off" | "second_factor.reset" | "recovery_codes.renewed" | "invitation.created" | "invitation.deleted" | "invitation.accepted" | "member.created" | "member.updated" | "member.removed" | "key.created" | "key.updated" | "key.revoked" | "identity_key.created" | "identity_key.retired" | "identity_key.revoked" | "sign_in_provider.updated" | "sign_in_provider.deleted" | "provider_person.bound" | "provider_person.removed" | "workspace.created" | "workspace.updated" | "inbox.created" | "inbox.updated" | "retention.updated" | "widget.updated" | "widget_texts.updated" | "office_hours.updated" | "product.created" | "product.updated" | "product_agent.updated" | "team.created" | "team.updated" | "team.deleted" | "help_center.created" | "help_center.updated" | "help_center.deleted" | "model_provider.created" | "model_provider.updated" | "model_provider.deleted" | "number.created" | "number.updated" | "number.paired" | "number_budget.updated" | "contact.erased" | "contact.exported" | "conversation.deleted" | "audit.exported" | "backup.created" | "backup.failed" | "backup.restored" | "master_key.rotated" | "article.deleted" | "contact.signed_out";
        /** @description An entry of the audit log. */
        AuditEntry: {
            /** @description Id of the entry. */
            id: string;
            /** @description When it happened; for refused sign-ins when it was written. */
            at: string;
            action: components["schemas"]["AuditAction"];
            actor: components["schemas"]["AuditActor"];
            /** @description What it is about; null for nothing in particular. */
            subject: components["schemas"]["AuditSubject"] | null;
            /** @description The fields that were changed, by their names in the API. */
            changes: components["schemas"]["AuditChange"][];
            /** @description How often it happened: 1, or a number of refused sign-ins. */
            count: number;
            /** @description Network address of the client; empty if it is unknown. */
            address: string;
            /** @description Beginning of the client's User-Agent, at most 200 characters. */
            userAgent: string;
        };
        /** @description Who did it. */
        AuditActor: {
            /**
             * @description A member, an API key, the command line of the server (`operator`), or the server itself and those it does not know (`server`).
             * @enum {string}
             */
            type: "member" | "key" | "operator" | "server";
            /** @description Id of the member or key; empty for the others. */
            id: string;
            /** @description Present name of the member or key; empty if there is none. */
            name: string;
        };
        /** @description A member or an API key whose entries can be asked for. */
        AuditKnownActor: {
            /**
             * @description Which of both.
             * @enum {string}
             */
            type: "member" | "key";
            /** @description Id of the member or key. */
            id: string;
            /** @description Present name of the member or key. */
            name: string;
            /** @description Whether the member was removed or the key revoked. */
            former: boolean;
        };
        /** @description The record that an entry is about. */
        AuditSubject: {
            /**
             * @description Kind of the record.
             * @enum {string}
             */
            type: "member" | "invitation" | "key" | "identity_key" | "workspace" | "inbox" | "product" | "team" | "help_center" | "model_provider" | "number" | "contact" | "conversation" | "article";
            /** @description Id of the record. Help centers have that of their product. */
            id: string;
            /** @description Present name of the record; empty if it has none, and for contacts, conversations and articles. */
            name: string;
        };
        /** @description A changed field. Only harmless values are recorded. */
        AuditChange: {
            /** @description Name of the field. */
            field: string;
            /** @description The value before; null if it is not recorded. */
            from: string | null;
            /** @description The value after; null if it is not recorded. */
            to: string | null;
        };
        /** @description A page of the audit log. */
        AuditPage: {
            /** @description The entries, newest first. */
            data: components["schemas"]["AuditEntry"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Cursor of the next page; empty on the last one. */
            next_cursor: string;
        };
        /** @description The permanent deletion of a person or a conversation. */
        Erasure: {
            /** @description Id of the erasure. */
            id: string;
            /**
             * @description What it deletes. A `rule` deletes conversations whose retention has ended.
             * @enum {string}
             */
            kind: "contact" | "conversation" | "rule";
            /** @description Id of the contact or conversation; null for a rule. */
            subjectId: string | null;
            /** @description Id of the member who asked for it. Empty for the command line and rules. */
            askedBy: string;
            /** @description What it has deleted so far. */
            counts: components["schemas"]["ErasureCounts"];
            /** @description When it was asked for. */
            createdAt: string;
            /** @description When it ended; null while it runs. */
            finishedAt: string | null;
            /** @description Scheduled backups that contain what it deletes. */
            backups: components["schemas"]["OlderBackups"];
        };
        /** @description What an erasure has deleted. */
        ErasureCounts: {
            /** @description Conversations. */
            conversations: number;
            /** @description Messages, those in groups included. */
            messages: number;
            /** @description Messages in groups that stay. */
            groupMessages: number;
            /** @description Files. */
            files: number;
            /** @description Events of the log that became `erased`. */
            events: number;
        };
        /** @description A page of erasures. */
        ErasurePage: {
            /** @description The erasures, newest first. */
            data: components["schemas"]["Erasure"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Cursor of the next page; empty on the last one. */
            next_cursor: string;
        };
        /** @description How long an inbox keeps conversations. */
        Retention: {
            /** @description Id of the inbox. */
            inboxId: string;
            /** @description Days since a resolved conversation last changed; null if all are kept. */
            days: number | null;
            /** @description Conversations that a rule would delete now. */
            due: number;
        };
        /** @description How long an inbox keeps conversations from now on. */
        RetentionRequest: {
            /** @description Days since a resolved conversation last changed; null to keep all. */
            days: number | null;
        };
        /** @description The inboxes for writing to a contact first. */
        WayList: {
            /** @description The ways. */
            data: components["schemas"]["Way"][];
        };
        /** @description An inbox through which the team can write to a contact first. */
        Way: {
            /** @description The inbox. */
            inbox: components["schemas"]["InboxRef"];
            /** @description The phone that it leads to; null elsewhere than in the messaging application. */
            phoneNumber: string | null;
        };
        /** @description Moves of a contact between companies. */
        CompanyMoveList: {
            /** @description The moves. */
            data: components["schemas"]["CompanyMove"][];
        };
        /** @description A signed identity moved a contact from one company to another. */
        CompanyMove: {
            /** @description Id of the move. */
            id: string;
            /** @description The previous company; null for none. */
            from: components["schemas"]["MoveCompany"] | null;
            /** @description The new company; null for none. */
            to: components["schemas"]["MoveCompany"] | null;
            /** @description When the identity came. */
            movedAt: string;
        };
        /** @description A company. */
        MoveCompany: {
            /** @description Id of the company. */
            id: string;
            /** @description Name of the company now. */
            name: string;
        };
        /** @description Pairs of contacts that may be one person. */
        ContactDuplicateList: {
            /** @description The pairs. */
            data: components["schemas"]["ContactDuplicate"][];
        };
        /** @description Conversations that are linked to one. */
        LinkedConversations: {
            /** @description The conversations, the youngest first. */
            data: components["schemas"]["Conversation"][];
        };
        /** @description Saved views. */
        ViewList: {
            /** @description The views. */
            data: components["schemas"]["View"][];
        };
        /** @description A view to save. */
        NewView: {
            /** @description Name of the view. */
            name: string;
            /**
             * @description Who has it: its author, a team, or everybody.
             * @enum {string}
             */
            scope?: "own" | "team" | "all";
            /** @description The team that has it. Required with the scope `team`, and without effect with others. */
            teamId?: string;
            /** @description The query of listConversations. */
            query: string;
            /** @description Whether its count is shown. */
            pinned?: boolean;
        };
        /** @description A change of a view. Absent members stay. */
        ViewChange: {
            /** @description Name of the view. */
            name?: string;
            /** @description The query of listConversations. */
            query?: string;
            /** @description Its place among the views of its scope. */
            position?: number;
            /** @description Whether its count is shown. */
            pinned?: boolean;
        };
        /** @description How many conversations views have. */
        ViewCounts: {
            /** @description The counts. */
            data: components["schemas"]["ViewCount"][];
        };
        /** @description How many conversations a view has. */
        ViewCount: {
            /** @description Id of the view. */
            id: string;
            /** @description How many there are. */
            count: number;
            /** @description Whether there are more. */
            more: boolean;
        };
        /** @description A team to add. */
        NewTeam: {
            /** @description Name of the team. */
            name: string;
            /** @description Its colour. */
            color: components["schemas"]["LabelColor"];
            /** @description All of its members. */
            memberIds?: string[];
            /** @description All inboxes whose new conversations it gets. They are taken from other teams. */
            inboxIds?: string[];
            /** @description All products whose new conversations it gets if their inbox leads to no team. They are taken from other teams. */
            productIds?: string[];
        };
        /** @description A change of a team. Absent members stay. */
        TeamChange: {
            /** @description Name of the team. */
            name?: string;
            /** @description Its colour. */
            color?: components["schemas"]["LabelColor"];
            /** @description All of its members. */
            memberIds?: string[];
            /** @description All inboxes whose new conversations it gets. They are taken from other teams. */
            inboxIds?: string[];
            /** @description All products whose new conversations it gets if their inbox leads to no team. They are taken from other teams. */
            productIds?: string[];
        };
        /** @description Jobs that change many conversations. */
        BulkJobList: {
            /** @description The jobs. */
            data: components["schemas"]["BulkJob"][];
        };
        /** @description What to do with which conversations. */
        NewBulkJob: {
            /** @description The conversations, if there is no `filter`. */
            ids?: string[];
            /** @description The query of listConversations, without the parameters for programs (`updatedSince`, `merged`); `assigneeId=me` is the signed-in member. At most 10,000 conversations may match it. */
            filter?: string;
            /** @description Conversations that match the filter and stay as they are. */
            except?: string[];
            /** @description Settings that the conversations get. */
            change?: components["schemas"]["BulkChange"];
            /** @description A label that they get. */
            label?: string;
            /** @description A label that they lose. */
            unlabel?: string;
            /** @description Whether they are marked as read. */
            read?: boolean;
        };
        /** @description Settings of conversations, as in updateConversation. Absent members stay unchanged. */
        BulkChange: {
            /** @description The new status. */
            status?: components["schemas"]["Status"];
            /** @description Until when they sleep, at most 400 days ahead; null wakes them. */
            snoozedUntil?: string | null;
            /** @description How urgent they are; null for no priority. */
            priority?: components["schemas"]["Priority"] | null;
            /** @description The member to assign; null for nobody. */
            assigneeId?: string | null;
            /** @description The team that they wait for; null for none. */
            teamId?: string | null;
            /** @description An active product; null for none. */
            productId?: string | null;
            /** @description Whether they are spam. */
            spam?: boolean;
        };
        /** @description A job that does one thing with many conversations. It is stored for 7 days. */
        BulkJob: {
            /** @description Id of the job. */
            id: string;
            /** @description Who started it. */
            memberId: string;
            /**
             * @description What it does.
             * @enum {string}
             */
            action: "change" | "label" | "unlabel" | "read" | "undo";
            /** @description The job that it undoes, or null. */
            undoes: string | null;
            /**
             * @description `running`; `done`, if it has reached each conversation; `cancelled`, by a member or because its member left; `failed`, after repeated faults of the server.
             * @enum {string}
             */
            state: "running" | "done" | "cancelled" | "failed";
            /** @description Conversations that it began with. */
            total: number;
            /** @description Those that it has changed so far. */
            changed: number;
            /** @description Those that it has skipped so far. */
            skipped: number;
            /** @description Those whose change was refused so far. */
            failed: number;
            /** @description Why it did not change some. */
            reasons: components["schemas"]["BulkReasons"];
            /** @description When it started. */
            createdAt: string;
            /** @description When it ended; null while it runs. */
            endedAt: string | null;
        };
        /** @description How many conversations a job did not change, by reason. */
        BulkReasons: {
            /** @description They were deleted. */
            gone: number;
            /** @description They were merged into others. */
            merged: number;
            /** @description They no longer match the filter, or are not as the job left them that is undone. */
            moved: number;
            /** @description Their customers wrote after the start. */
            wrote: number;
            /** @description They were so already. */
            unchanged: number;
            /** @description The change breaks a rule there, such as the number of labels. */
            refused: number;
        };
        /** @description Macros. */
        MacroList: {
            /** @description The macros. */
            data: components["schemas"]["Macro"][];
        };
        /** @description A macro to add. */
        NewMacro: {
            /** @description Name of the macro. */
            name: string;
            /**
             * @description Who has it: its author, or everybody.
             * @enum {string}
             */
            scope?: "own" | "all";
            /** @description What to type for it: 1 to 32 of a-z, 0-9, _ and -, or "" for none. */
            shortcut?: string;
            /** @description What it does. */
            actions: {
                [key: string]: unknown;
            };
        };
        /** @description A change of a macro. Absent members stay. */
        MacroChange: {
            /** @description Name of the macro. */
            name?: string;
            /**
             * @description Who has it: its author, or everybody.
             * @enum {string}
             */
            scope?: "own" | "all";
            /** @description What to type for it: 1 to 32 of a-z, 0-9, _ and -, or "" for none. */
            shortcut?: string;
            /** @description What it does. */
            actions?: {
                [key: string]: unknown;
            };
            /** @description The version that is changed. */
            version: number;
        };
        /** @description How to run a macro. */
        MacroRun: {
            /** @description The last message of the conversation. */
            ifLastMessageId?: string;
        };
        /** @description What is known of a contact in front of a widget. */
        ContactVisit: {
            /** @description What the website said last; null if it said nothing. */
            visit: components["schemas"]["Visit"] | null;
            /** @description What the visitor typed into the widget, which nobody has confirmed; null if nothing. */
            typed: components["schemas"]["Typed"] | null;
        };
        /** @description What a visitor typed about themselves. Nothing in it is proven. */
        Typed: {
            /** @description The name; empty for none. */
            name: string;
            /** @description The e-mail address; empty for none. */
            email: string;
            /** @description When the visitor typed it. */
            updatedAt: string;
        };
        /** @description What a website says about its visitor. Nothing in it is proven. */
        Visit: {
            /** @description Address of the page that was open last; empty if unknown. */
            page: string;
            /** @description Title of the page; may be empty. */
            title: string;
            /** @description Address of the page from which the visitor came; empty if unknown. */
            referrer: string;
            /** @description Language of the browser; may be empty. */
            language: string;
            /** @description Time zone of the browser; may be empty. */
            zone: string;
            /** @description Browser and system; empty if unknown. */
            device: string;
            /** @description What else the website says. */
            facts: {
                [key: string]: string | number | boolean;
            };
            /** @description When the website last said something. */
            updatedAt: string;
        };
        WidgetConfig: {
            /** @description The inbox that conversations come into. */
            inboxId: string;
            /** @description Name of the company. */
            name: string;
            /** @description Title of the widget. */
            title: string;
            /** @description What the widget says first; empty for nothing. */
            greeting: string;
            /** @description How soon the team answers; empty if it does not say. */
            replyTime: string;
            /** @description Colour of the widget. */
            color: string;
            /**
             * @description The corner of the page.
             * @enum {string}
             */
            position: "right" | "left";
            /**
             * @description Whether customers come with a signed identity.
             * @enum {string}
             */
            identity: "off" | "optional" | "required";
            /** @description Some of the members who answer. */
            team: {
                /** @description Name of the member. */
                name: string;
                /** @description URL of a picture; empty for none. */
                image: string;
            }[];
            /** @description Whether there are articles to read. */
            articles: boolean;
            /** @description What the widget asks visitors for; null if nothing. */
            ask: {
                /**
                 * @description Whether it asks before or after the first message.
                 * @enum {string}
                 */
                when: "before" | "after";
                /** @description What it asks for. */
                fields: ("name" | "email")[];
                /** @description Whether all of it must be given; if it asks before the first message, a visitor who did not cannot start a conversation. */
                required: boolean;
            } | null;
            /** @description What the company says in its own words in the chat in the given language, by the keys of the chat's texts; empty without a language. */
            texts: {
                [key: string]: string;
            };
            /** @description The times of the next 14 days in which somebody answers, in order; null if the widget does not show office hours. */
            upcoming: {
                /** @description When it begins; for the first one, perhaps in the past. */
                begin: string;
                /** @description When it ends. */
                end: string;
            }[] | null;
        };
        WidgetArticle: {
            /** @description Id of the article. */
            id: string;
            /** @description Its name in addresses. */
            slug: string;
            /** @description Language of the text. */
            language: string;
            /** @description Title. */
            title: string;
            /** @description What the article answers, in one sentence; may be empty. */
            description: string;
        };
        WidgetArticleList: {
            /** @description The articles. */
            data: components["schemas"]["WidgetArticle"][];
        };
        WidgetArticleText: {
            /** @description Id of the article. */
            id: string;
            /** @description Its present name in addresses. */
            slug: string;
            /** @description Language of the text. */
            language: string;
            /** @description Title. */
            title: string;
            /** @description What the article answers, in one sentence; may be empty. */
            description: string;
            /** @description The text, without scripts and styles. */
            html: string;
            /** @description When this version was published. */
            publishedAt: string;
        };
        WidgetArticleRating: {
            /** @description Whether the article helped. */
            helped: boolean;
            /** @description Language of the text that was read, such as `de` or `pt-BR`. */
            language?: string;
        };
        WidgetTypedText: {
            /** @description What is typed so far. */
            text: string;
            /** @description The customer's language, such as `de` or `pt-BR`. */
            language?: string;
        };
        NewCustomerSession: {
            /** @description The inbox of the widget. */
            inboxId: string;
            /** @description The signed identity of the customer. Absent for a visitor; an empty one is refused. */
            identity?: string;
            /** @description The token of the visitor's session before. */
            visitor?: string;
            /** @description Address of the page around the widget. Of a refused identity, its origin is shown to the developers. */
            page?: string;
        };
        Customer: {
            /** @description Id of the contact, which a visitor becomes with the first message. */
            id: string;
            /** @description Name; empty if unknown, and for visitors. */
            name: string;
            /** @description E-mail address; empty if unknown, and for visitors. */
            email: string;
            /** @description Whether the customer came with a signed identity. */
            identified: boolean;
        };
        CustomerSession: {
            customer: components["schemas"]["Customer"];
            /** @description The only conversation that the session sees, because a link in a mail began it; null for all of the customer. */
            conversationId: string | null;
            /** @description When the session ends. That of a visitor ends a day after its last use as long as the visitor has written nothing, and 30 days after it from the first message on. */
            expiresAt: string;
        };
        NewlyStartedCustomerSession: {
            /** @description The token of the session. */
            token: string;
            customer: components["schemas"]["Customer"];
            /** @description The only conversation that the session sees, because a link in a mail began it; null for all of the customer. */
            conversationId: string | null;
            /** @description When the session ends. */
            expiresAt: string;
        };
        EndedCustomerSessions: {
            /** @description How many sessions ended. */
            ended: number;
        };
        CustomerConversation: {
            /** @description Id of the conversation. */
            id: string;
            status: components["schemas"]["Status"];
            /** @description How many messages of the team the customer has not read, 100 at most. */
            unreadCount: number;
            /**
             * @description What the automated agent does: `answering` and `waiting` while it has the conversation, `handed_over` while a person is to go on, `off` otherwise.
             * @enum {string}
             */
            agent: "off" | "answering" | "waiting" | "handed_over";
            /** @description The newest message; null if there is none. */
            lastMessage: components["schemas"]["CustomerMessage"] | null;
            /** @description When the newest message was written, or the conversation began. */
            lastActivityAt: string;
            /** @description When the conversation began. */
            createdAt: string;
        };
        CustomerConversationPage: {
            /** @description The conversations. */
            data: components["schemas"]["CustomerConversation"][];
            /** @description Whether more follow. */
            has_more: boolean;
            /** @description Where the next page begins; empty on the last one. */
            next_cursor: string;
        };
        CustomerMessage: {
            /** @description Id of the message. */
            id: string;
            /** @description The conversation. */
            conversationId: string;
            /** @description The text. */
            content: string;
            contentType: components["schemas"]["ContentType"];
            /**
             * @description Who wrote it.
             * @enum {string}
             */
            from: "customer" | "team" | "system";
            /** @description Who wrote it, by the name that the team uses. */
            sender: {
                /** @description Name. */
                name: string;
                /** @description URL of a picture; empty for none. */
                image: string;
            };
            status: components["schemas"]["MessageStatus"];
            /** @description The attachments. */
            attachments: components["schemas"]["Attachment"][];
            /** @description What the automated agent says about its own message; null for all others. */
            agent: components["schemas"]["AgentAnswer"] | null;
            /** @description When it was written. */
            createdAt: string;
        };
        CustomerThread: {
            /** @description Id of the conversation. */
            id: string;
            status: components["schemas"]["Status"];
            /** @description How many messages of the team the customer has not read. */
            unreadCount: number;
            /**
             * @description What the automated agent does: `answering` and `waiting` while it has the conversation, `handed_over` while a person is to go on, `off` otherwise.
             * @enum {string}
             */
            agent: "off" | "answering" | "waiting" | "handed_over";
            /** @description The newest message; null if there is none. */
            lastMessage: components["schemas"]["CustomerMessage"] | null;
            /** @description When the newest message was written, or the conversation began. */
            lastActivityAt: string;
            /** @description When the conversation began. */
            createdAt: string;
            /** @description A page of the messages, oldest first; the next page holds older ones. */
            messages: {
                /** @description The messages. */
                data: components["schemas"]["CustomerMessage"][];
                /** @description Whether there are older ones. */
                has_more: boolean;
                /** @description Where they begin; empty on the last page. */
                next_cursor: string;
            };
        };
        NewCustomerMessage: {
            /** @description The text, 1 to 65536 bytes, not blank. It may be empty or absent where something is attached. */
            content?: string;
            /** @description The files that the customer uploaded for this message. */
            attachmentIds?: string[];
        };
        StartedCustomerConversation: {
            conversation: components["schemas"]["CustomerConversation"];
            message: components["schemas"]["CustomerMessage"];
        };
        CustomerTyping: {
            /** @description Whether the customer types. */
            typing: boolean;
        };
        /** @description What a visitor types about themselves; at least one of the two. */
        NewAddress: {
            /** @description The visitor's name. */
            name?: string;
            /** @description An e-mail address. */
            email?: string;
        };
        NewVisit: {
            /** @description Address of the page that is open. */
            page: string;
            /** @description Title of the page. */
            title?: string;
            /** @description Address of the page from which the visitor came. */
            referrer?: string;
            /** @description Language of the browser. */
            language?: string;
            /** @description Time zone of the browser. */
            zone?: string;
            /** @description What the website says about its visitor, at most 4,096 bytes as JSON. */
            facts?: {
                [key: string]: string | number | boolean | null;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Error = components['schemas']['Error'];
export type Status = components['schemas']['Status'];
export type Priority = components['schemas']['Priority'];
export type ChannelType = components['schemas']['ChannelType'];
export type ContentType = components['schemas']['ContentType'];
export type SenderType = components['schemas']['SenderType'];
export type MessageType = components['schemas']['MessageType'];
export type MessageStatus = components['schemas']['MessageStatus'];
export type Role = components['schemas']['Role'];
export type Driver = components['schemas']['Driver'];
export type NumberStatus = components['schemas']['NumberStatus'];
export type EventType = components['schemas']['EventType'];
export type LabelColor = components['schemas']['LabelColor'];
export type ContactRef = components['schemas']['ContactRef'];
export type InboxRef = components['schemas']['InboxRef'];
export type ProductRef = components['schemas']['ProductRef'];
export type AssigneeRef = components['schemas']['AssigneeRef'];
export type TeamRef = components['schemas']['TeamRef'];
export type Conversation = components['schemas']['Conversation'];
export type ListedConversation = components['schemas']['ListedConversation'];
export type MessagePreview = components['schemas']['MessagePreview'];
export type Thread = components['schemas']['Thread'];
export type Sender = components['schemas']['Sender'];
export type Attachment = components['schemas']['Attachment'];
export type Message = components['schemas']['Message'];
export type AgentAnswer = components['schemas']['AgentAnswer'];
export type AgentSource = components['schemas']['AgentSource'];
export type AgentPart = components['schemas']['AgentPart'];
export type NewConversation = components['schemas']['NewConversation'];
export type ConversationChange = components['schemas']['ConversationChange'];
export type ConversationValues = components['schemas']['ConversationValues'];
export type NewAttachment = components['schemas']['NewAttachment'];
export type NewMessage = components['schemas']['NewMessage'];
export type CompanyRef = components['schemas']['CompanyRef'];
export type Contact = components['schemas']['Contact'];
export type ContactFields = components['schemas']['ContactFields'];
export type Company = components['schemas']['Company'];
export type CompanyRecord = components['schemas']['CompanyRecord'];
export type NewCompany = components['schemas']['NewCompany'];
export type CompanyChange = components['schemas']['CompanyChange'];
export type GroupCreated = components['schemas']['GroupCreated'];
export type ParticipantsAdded = components['schemas']['ParticipantsAdded'];
export type GroupAdmin = components['schemas']['GroupAdmin'];
export type Number = components['schemas']['Number'];
export type NewGroup = components['schemas']['NewGroup'];
export type NewParticipants = components['schemas']['NewParticipants'];
export type AdminChange = components['schemas']['AdminChange'];
export type Product = components['schemas']['Product'];
export type Language = components['schemas']['Language'];
export type ArticleState = components['schemas']['ArticleState'];
export type ArticleText = components['schemas']['ArticleText'];
export type ArticleVersion = components['schemas']['ArticleVersion'];
export type NewArticle = components['schemas']['NewArticle'];
export type ArticleChange = components['schemas']['ArticleChange'];
export type ArticlePublication = components['schemas']['ArticlePublication'];
export type ArticleTextChange = components['schemas']['ArticleTextChange'];
export type NewArticleCategory = components['schemas']['NewArticleCategory'];
export type ArticleCategoryChange = components['schemas']['ArticleCategoryChange'];
export type HelpCenterChange = components['schemas']['HelpCenterChange'];
export type Inbox = components['schemas']['Inbox'];
export type Access = components['schemas']['Access'];
export type Member = components['schemas']['Member'];
export type Label = components['schemas']['Label'];
export type CannedAnswer = components['schemas']['CannedAnswer'];
export type DeletedRecord = components['schemas']['DeletedRecord'];
export type DeletedConversation = components['schemas']['DeletedConversation'];
export type DeletedLabel = components['schemas']['DeletedLabel'];
export type ContactMerge = components['schemas']['ContactMerge'];
export type ContactDuplicate = components['schemas']['ContactDuplicate'];
export type Article = components['schemas']['Article'];
export type ArticleHead = components['schemas']['ArticleHead'];
export type ArticleCategory = components['schemas']['ArticleCategory'];
export type HelpCenter = components['schemas']['HelpCenter'];
export type DeletedHelpCenter = components['schemas']['DeletedHelpCenter'];
export type MergedConversation = components['schemas']['MergedConversation'];
export type UnmergedConversation = components['schemas']['UnmergedConversation'];
export type SplitConversation = components['schemas']['SplitConversation'];
export type Team = components['schemas']['Team'];
export type View = components['schemas']['View'];
export type Macro = components['schemas']['Macro'];
export type ScheduledMessage = components['schemas']['ScheduledMessage'];
export type Event = components['schemas']['Event'];
export type ConversationCreatedEvent = components['schemas']['ConversationCreatedEvent'];
export type ConversationUpdatedEvent = components['schemas']['ConversationUpdatedEvent'];
export type MessageCreatedEvent = components['schemas']['MessageCreatedEvent'];
export type MessageUpdatedEvent = components['schemas']['MessageUpdatedEvent'];
export type ContactCreatedEvent = components['schemas']['ContactCreatedEvent'];
export type ContactUpdatedEvent = components['schemas']['ContactUpdatedEvent'];
export type ContactMergedEvent = components['schemas']['ContactMergedEvent'];
export type CompanyCreatedEvent = components['schemas']['CompanyCreatedEvent'];
export type CompanyUpdatedEvent = components['schemas']['CompanyUpdatedEvent'];
export type ProductCreatedEvent = components['schemas']['ProductCreatedEvent'];
export type ProductUpdatedEvent = components['schemas']['ProductUpdatedEvent'];
export type InboxCreatedEvent = components['schemas']['InboxCreatedEvent'];
export type InboxUpdatedEvent = components['schemas']['InboxUpdatedEvent'];
export type MemberCreatedEvent = components['schemas']['MemberCreatedEvent'];
export type MemberUpdatedEvent = components['schemas']['MemberUpdatedEvent'];
export type MemberRemovedEvent = components['schemas']['MemberRemovedEvent'];
export type NumberCreatedEvent = components['schemas']['NumberCreatedEvent'];
export type NumberUpdatedEvent = components['schemas']['NumberUpdatedEvent'];
export type LabelCreatedEvent = components['schemas']['LabelCreatedEvent'];
export type LabelUpdatedEvent = components['schemas']['LabelUpdatedEvent'];
export type LabelDeletedEvent = components['schemas']['LabelDeletedEvent'];
export type CannedAnswerCreatedEvent = components['schemas']['CannedAnswerCreatedEvent'];
export type CannedAnswerUpdatedEvent = components['schemas']['CannedAnswerUpdatedEvent'];
export type CannedAnswerDeletedEvent = components['schemas']['CannedAnswerDeletedEvent'];
export type WorkspaceUpdatedEvent = components['schemas']['WorkspaceUpdatedEvent'];
export type ContactDuplicateCreatedEvent = components['schemas']['ContactDuplicateCreatedEvent'];
export type ContactDuplicateDeletedEvent = components['schemas']['ContactDuplicateDeletedEvent'];
export type ConversationDeletedEvent = components['schemas']['ConversationDeletedEvent'];
export type MessageDeletedEvent = components['schemas']['MessageDeletedEvent'];
export type ContactDeletedEvent = components['schemas']['ContactDeletedEvent'];
export type ArticleCreatedEvent = components['schemas']['ArticleCreatedEvent'];
export type ArticleUpdatedEvent = components['schemas']['ArticleUpdatedEvent'];
export type ArticleDeletedEvent = components['schemas']['ArticleDeletedEvent'];
export type ArticleCategoryCreatedEvent = components['schemas']['ArticleCategoryCreatedEvent'];
export type ArticleCategoryUpdatedEvent = components['schemas']['ArticleCategoryUpdatedEvent'];
export type ArticleCategoryDeletedEvent = components['schemas']['ArticleCategoryDeletedEvent'];
export type HelpCenterCreatedEvent = components['schemas']['HelpCenterCreatedEvent'];
export type HelpCenterUpdatedEvent = components['schemas']['HelpCenterUpdatedEvent'];
export type HelpCenterDeletedEvent = components['schemas']['HelpCenterDeletedEvent'];
export type ConversationMergedEvent = components['schemas']['ConversationMergedEvent'];
export type ConversationUnmergedEvent = components['schemas']['ConversationUnmergedEvent'];
export type ConversationSplitEvent = components['schemas']['ConversationSplitEvent'];
export type TeamCreatedEvent = components['schemas']['TeamCreatedEvent'];
export type TeamUpdatedEvent = components['schemas']['TeamUpdatedEvent'];
export type TeamDeletedEvent = components['schemas']['TeamDeletedEvent'];
export type ViewCreatedEvent = components['schemas']['ViewCreatedEvent'];
export type ViewUpdatedEvent = components['schemas']['ViewUpdatedEvent'];
export type ViewDeletedEvent = components['schemas']['ViewDeletedEvent'];
export type MacroCreatedEvent = components['schemas']['MacroCreatedEvent'];
export type MacroUpdatedEvent = components['schemas']['MacroUpdatedEvent'];
export type MacroDeletedEvent = components['schemas']['MacroDeletedEvent'];
export type ScheduledMessageCreatedEvent = components['schemas']['ScheduledMessageCreatedEvent'];
export type ScheduledMessageUpdatedEvent = components['schemas']['ScheduledMessageUpdatedEvent'];
export type ScheduledMessageDeletedEvent = components['schemas']['ScheduledMessageDeletedEvent'];
export type ErasedEvent = components['schemas']['ErasedEvent'];
export type ConversationHiddenEvent = components['schemas']['ConversationHiddenEvent'];
export type WithheldEvent = components['schemas']['WithheldEvent'];
export type ResetEvent = components['schemas']['ResetEvent'];
export type HistoryEntry = components['schemas']['HistoryEntry'];
export type HistoryChanges = components['schemas']['HistoryChanges'];
export type HistoryPage = components['schemas']['HistoryPage'];
export type ActorType = components['schemas']['ActorType'];
export type Actor = components['schemas']['Actor'];
export type Cause = components['schemas']['Cause'];
export type Moved = components['schemas']['Moved'];
export type WorkspaceRef = components['schemas']['WorkspaceRef'];
export type ConversationPage = components['schemas']['ConversationPage'];
export type MessagePage = components['schemas']['MessagePage'];
export type ContactPage = components['schemas']['ContactPage'];
export type CompanyPage = components['schemas']['CompanyPage'];
export type ArticlePage = components['schemas']['ArticlePage'];
export type ArticleHits = components['schemas']['ArticleHits'];
export type ArticleHit = components['schemas']['ArticleHit'];
export type ArticleVersionPage = components['schemas']['ArticleVersionPage'];
export type ArticleCategoryPage = components['schemas']['ArticleCategoryPage'];
export type TeamPage = components['schemas']['TeamPage'];
export type HelpCenterPage = components['schemas']['HelpCenterPage'];
export type ProductPage = components['schemas']['ProductPage'];
export type InboxPage = components['schemas']['InboxPage'];
export type MemberPage = components['schemas']['MemberPage'];
export type NumberPage = components['schemas']['NumberPage'];
export type ContactList = components['schemas']['ContactList'];
export type EventPage = components['schemas']['EventPage'];
export type Health = components['schemas']['Health'];
export type Document = components['schemas']['Document'];
export type WorkspaceChoice = components['schemas']['WorkspaceChoice'];
export type Me = components['schemas']['Me'];
export type Session = components['schemas']['Session'];
export type EndedSessions = components['schemas']['EndedSessions'];
export type SignIn = components['schemas']['SignIn'];
export type SignInStep = components['schemas']['SignInStep'];
export type OfferedProvider = components['schemas']['OfferedProvider'];
export type ProviderSignIn = components['schemas']['ProviderSignIn'];
export type ProviderAddress = components['schemas']['ProviderAddress'];
export type ProviderLogout = components['schemas']['ProviderLogout'];
export type ProviderAccount = components['schemas']['ProviderAccount'];
export type GroupRole = components['schemas']['GroupRole'];
export type SignInProvider = components['schemas']['SignInProvider'];
export type SignInProviderChange = components['schemas']['SignInProviderChange'];
export type SecondStep = components['schemas']['SecondStep'];
export type SecondFactorSetUp = components['schemas']['SecondFactorSetUp'];
export type SecondFactorChange = components['schemas']['SecondFactorChange'];
export type RecoveryCodes = components['schemas']['RecoveryCodes'];
export type SecondFactor = components['schemas']['SecondFactor'];
export type OwnPassword = components['schemas']['OwnPassword'];
export type Confirmation = components['schemas']['Confirmation'];
export type ConfirmationProof = components['schemas']['ConfirmationProof'];
export type SecondFactors = components['schemas']['SecondFactors'];
export type SecondFactorsChange = components['schemas']['SecondFactorsChange'];
export type PasswordChange = components['schemas']['PasswordChange'];
export type InvitationToken = components['schemas']['InvitationToken'];
export type OpenInvitation = components['schemas']['OpenInvitation'];
export type Acceptance = components['schemas']['Acceptance'];
export type Invitation = components['schemas']['Invitation'];
export type NewInvitation = components['schemas']['NewInvitation'];
export type InvitationRequest = components['schemas']['InvitationRequest'];
export type MemberChange = components['schemas']['MemberChange'];
export type WorkspaceChange = components['schemas']['WorkspaceChange'];
export type State = components['schemas']['State'];
export type Counts = components['schemas']['Counts'];
export type Unread = components['schemas']['Unread'];
export type Draft = components['schemas']['Draft'];
export type PutDraft = components['schemas']['PutDraft'];
export type DraftMark = components['schemas']['DraftMark'];
export type OwnDraftMark = components['schemas']['OwnDraftMark'];
export type DraftMarks = components['schemas']['DraftMarks'];
export type NoticeKind = components['schemas']['NoticeKind'];
export type Notice = components['schemas']['Notice'];
export type Notices = components['schemas']['Notices'];
export type ReadNotices = components['schemas']['ReadNotices'];
export type UnreadNotices = components['schemas']['UnreadNotices'];
export type NoticeChannels = components['schemas']['NoticeChannels'];
export type QuietPeriod = components['schemas']['QuietPeriod'];
export type NoticePreferences = components['schemas']['NoticePreferences'];
export type NoticePreferencesChange = components['schemas']['NoticePreferencesChange'];
export type PushDevice = components['schemas']['PushDevice'];
export type PushDevices = components['schemas']['PushDevices'];
export type NewPushDevice = components['schemas']['NewPushDevice'];
export type PushTest = components['schemas']['PushTest'];
export type Followers = components['schemas']['Followers'];
export type Presence = components['schemas']['Presence'];
export type Told = components['schemas']['Told'];
export type SearchKind = components['schemas']['SearchKind'];
export type SearchPage = components['schemas']['SearchPage'];
export type SearchHit = components['schemas']['SearchHit'];
export type SearchSegment = components['schemas']['SearchSegment'];
export type SearchContact = components['schemas']['SearchContact'];
export type Report = components['schemas']['Report'];
export type ReportRow = components['schemas']['ReportRow'];
export type Distribution = components['schemas']['Distribution'];
export type AgentReport = components['schemas']['AgentReport'];
export type AgentFigures = components['schemas']['AgentFigures'];
export type AgentReportDay = components['schemas']['AgentReportDay'];
export type AgentReportProduct = components['schemas']['AgentReportProduct'];
export type AgentHandOvers = components['schemas']['AgentHandOvers'];
export type AgentSpend = components['schemas']['AgentSpend'];
export type AgentBudget = components['schemas']['AgentBudget'];
export type ReportBy = components['schemas']['ReportBy'];
export type Day = components['schemas']['Day'];
export type Key = components['schemas']['Key'];
export type NewKey = components['schemas']['NewKey'];
export type KeyList = components['schemas']['KeyList'];
export type KeyFields = components['schemas']['KeyFields'];
export type KeyChange = components['schemas']['KeyChange'];
export type StoresUse = components['schemas']['StoresUse'];
export type KeyStoresUse = components['schemas']['KeyStoresUse'];
export type KeyRef = components['schemas']['KeyRef'];
export type DayCalls = components['schemas']['DayCalls'];
export type NewProduct = components['schemas']['NewProduct'];
export type ProductChange = components['schemas']['ProductChange'];
export type NewInbox = components['schemas']['NewInbox'];
export type InboxChange = components['schemas']['InboxChange'];
export type CannedAnswerList = components['schemas']['CannedAnswerList'];
export type ArticleDraft = components['schemas']['ArticleDraft'];
export type KnowledgeGap = components['schemas']['KnowledgeGap'];
export type KnowledgeGapList = components['schemas']['KnowledgeGapList'];
export type DismissedQuestion = components['schemas']['DismissedQuestion'];
export type DismissedGaps = components['schemas']['DismissedGaps'];
export type ArticleFigures = components['schemas']['ArticleFigures'];
export type ArticleFiguresPage = components['schemas']['ArticleFiguresPage'];
export type ArticlePreviewRequest = components['schemas']['ArticlePreviewRequest'];
export type ArticlePreview = components['schemas']['ArticlePreview'];
export type FoundArticles = components['schemas']['FoundArticles'];
export type DraftedArticle = components['schemas']['DraftedArticle'];
export type ArticleOrigin = components['schemas']['ArticleOrigin'];
export type NewArticleOrigin = components['schemas']['NewArticleOrigin'];
export type PublishedArticle = components['schemas']['PublishedArticle'];
export type ArticlePicture = components['schemas']['ArticlePicture'];
export type NewCannedAnswer = components['schemas']['NewCannedAnswer'];
export type ScheduledMessageList = components['schemas']['ScheduledMessageList'];
export type NewScheduledMessage = components['schemas']['NewScheduledMessage'];
export type ScheduledMessageChange = components['schemas']['ScheduledMessageChange'];
export type CannedAnswerChange = components['schemas']['CannedAnswerChange'];
export type Backups = components['schemas']['Backups'];
export type LabelList = components['schemas']['LabelList'];
export type NewLabel = components['schemas']['NewLabel'];
export type LabelChange = components['schemas']['LabelChange'];
export type NewNumber = components['schemas']['NewNumber'];
export type NewPairing = components['schemas']['NewPairing'];
export type Pairing = components['schemas']['Pairing'];
export type Budget = components['schemas']['Budget'];
export type BudgetList = components['schemas']['BudgetList'];
export type BudgetChange = components['schemas']['BudgetChange'];
export type IdentityAlgorithm = components['schemas']['IdentityAlgorithm'];
export type IdentityKeyKind = components['schemas']['IdentityKeyKind'];
export type IdentityKey = components['schemas']['IdentityKey'];
export type NewIdentityKey = components['schemas']['NewIdentityKey'];
export type IdentityKeyFields = components['schemas']['IdentityKeyFields'];
export type IdentityKeyRetirement = components['schemas']['IdentityKeyRetirement'];
export type IdentityKeyList = components['schemas']['IdentityKeyList'];
export type ModelCapabilities = components['schemas']['ModelCapabilities'];
export type ModelProvider = components['schemas']['ModelProvider'];
export type ModelProviderList = components['schemas']['ModelProviderList'];
export type ModelProviderFields = components['schemas']['ModelProviderFields'];
export type ModelProviderChange = components['schemas']['ModelProviderChange'];
export type ProductAgent = components['schemas']['ProductAgent'];
export type ProductAgentChange = components['schemas']['ProductAgentChange'];
export type AssistAvailable = components['schemas']['AssistAvailable'];
export type AssistRequest = components['schemas']['AssistRequest'];
export type AssistPiece = components['schemas']['AssistPiece'];
export type AssistResult = components['schemas']['AssistResult'];
export type AssistSource = components['schemas']['AssistSource'];
export type AssistClaim = components['schemas']['AssistClaim'];
export type ModelSpend = components['schemas']['ModelSpend'];
export type ModelSpendList = components['schemas']['ModelSpendList'];
export type SimulationStep = components['schemas']['SimulationStep'];
export type SimulatedSource = components['schemas']['SimulatedSource'];
export type SimulatedAnswer = components['schemas']['SimulatedAnswer'];
export type SimulatedAnswerPage = components['schemas']['SimulatedAnswerPage'];
export type RejectedIdentity = components['schemas']['RejectedIdentity'];
export type RejectedIdentityList = components['schemas']['RejectedIdentityList'];
export type ConversationMerge = components['schemas']['ConversationMerge'];
export type ConversationSplit = components['schemas']['ConversationSplit'];
export type Merge = components['schemas']['Merge'];
export type OfficeHours = components['schemas']['OfficeHours'];
export type OfficeHoursChange = components['schemas']['OfficeHoursChange'];
export type Welcome = components['schemas']['Welcome'];
export type WidgetTexts = components['schemas']['WidgetTexts'];
export type WidgetTextsChange = components['schemas']['WidgetTextsChange'];
export type WidgetView = components['schemas']['WidgetView'];
export type WidgetSettings = components['schemas']['WidgetSettings'];
export type WidgetChange = components['schemas']['WidgetChange'];
export type ContinueAfter = components['schemas']['ContinueAfter'];
export type AskTime = components['schemas']['AskTime'];
export type AskFields = components['schemas']['AskFields'];
export type AskRequired = components['schemas']['AskRequired'];
export type ShowTeam = components['schemas']['ShowTeam'];
export type WidgetOrigins = components['schemas']['WidgetOrigins'];
export type IdentityMode = components['schemas']['IdentityMode'];
export type WidgetCorner = components['schemas']['WidgetCorner'];
export type ErasurePreview = components['schemas']['ErasurePreview'];
export type OlderBackups = components['schemas']['OlderBackups'];
export type MailState = components['schemas']['MailState'];
export type Mail = components['schemas']['Mail'];
export type MailPage = components['schemas']['MailPage'];
export type MailTrial = components['schemas']['MailTrial'];
export type ForgotPassword = components['schemas']['ForgotPassword'];
export type ByMail = components['schemas']['ByMail'];
export type Nothing = components['schemas']['Nothing'];
export type AuditAction = components['schemas']['AuditAction'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditActor = components['schemas']['AuditActor'];
export type AuditKnownActor = components['schemas']['AuditKnownActor'];
export type AuditSubject = components['schemas']['AuditSubject'];
export type AuditChange = components['schemas']['AuditChange'];
export type AuditPage = components['schemas']['AuditPage'];
export type Erasure = components['schemas']['Erasure'];
export type ErasureCounts = components['schemas']['ErasureCounts'];
export type ErasurePage = components['schemas']['ErasurePage'];
export type Retention = components['schemas']['Retention'];
export type RetentionRequest = components['schemas']['RetentionRequest'];
export type WayList = components['schemas']['WayList'];
export type Way = components['schemas']['Way'];
export type CompanyMoveList = components['schemas']['CompanyMoveList'];
export type CompanyMove = components['schemas']['CompanyMove'];
export type MoveCompany = components['schemas']['MoveCompany'];
export type ContactDuplicateList = components['schemas']['ContactDuplicateList'];
export type LinkedConversations = components['schemas']['LinkedConversations'];
export type ViewList = components['schemas']['ViewList'];
export type NewView = components['schemas']['NewView'];
export type ViewChange = components['schemas']['ViewChange'];
export type ViewCounts = components['schemas']['ViewCounts'];
export type ViewCount = components['schemas']['ViewCount'];
export type NewTeam = components['schemas']['NewTeam'];
export type TeamChange = components['schemas']['TeamChange'];
export type BulkJobList = components['schemas']['BulkJobList'];
export type NewBulkJob = components['schemas']['NewBulkJob'];
export type BulkChange = components['schemas']['BulkChange'];
export type BulkJob = components['schemas']['BulkJob'];
export type BulkReasons = components['schemas']['BulkReasons'];
export type MacroList = components['schemas']['MacroList'];
export type NewMacro = components['schemas']['NewMacro'];
export type MacroChange = components['schemas']['MacroChange'];
export type MacroRun = components['schemas']['MacroRun'];
export type ContactVisit = components['schemas']['ContactVisit'];
export type Typed = components['schemas']['Typed'];
export type Visit = components['schemas']['Visit'];
export type WidgetConfig = components['schemas']['WidgetConfig'];
export type WidgetArticle = components['schemas']['WidgetArticle'];
export type WidgetArticleList = components['schemas']['WidgetArticleList'];
export type WidgetArticleText = components['schemas']['WidgetArticleText'];
export type WidgetArticleRating = components['schemas']['WidgetArticleRating'];
export type WidgetTypedText = components['schemas']['WidgetTypedText'];
export type NewCustomerSession = components['schemas']['NewCustomerSession'];
export type Customer = components['schemas']['Customer'];
export type CustomerSession = components['schemas']['CustomerSession'];
export type NewlyStartedCustomerSession = components['schemas']['NewlyStartedCustomerSession'];
export type EndedCustomerSessions = components['schemas']['EndedCustomerSessions'];
export type CustomerConversation = components['schemas']['CustomerConversation'];
export type CustomerConversationPage = components['schemas']['CustomerConversationPage'];
export type CustomerMessage = components['schemas']['CustomerMessage'];
export type CustomerThread = components['schemas']['CustomerThread'];
export type NewCustomerMessage = components['schemas']['NewCustomerMessage'];
export type StartedCustomerConversation = components['schemas']['StartedCustomerConversation'];
export type CustomerTyping = components['schemas']['CustomerTyping'];
export type NewAddress = components['schemas']['NewAddress'];
export type NewVisit = components['schemas']['NewVisit'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
