import { Printer } from "lucide-react";
import { useState } from "react";
import { useParams } from "wouter";
import { fileAddress, fileSize } from "../../../shared/files";
import type { Attachment, Message } from "../api/types";
import { inboxName } from "../inbox/channel";
import { pictureSize, shownAs } from "../inbox/files";
import { contactName } from "../inbox/Row";
import { inboxAddress } from "../inbox/views";
import { Words } from "../inbox/Words";
import { Button, ButtonLink, Checkbox, ErrorState, fullTime, OrPlain, plainText, shortDate, useTitle } from "../kit";
import styles from "./Print.module.css";
import { texts } from "./texts";
import { useWhole } from "./useWhole";

/** A whole conversation without the frame of the other pages, as it is printed. */
export function PrintPage() {
  const { id } = useParams<{ id: string }>();
  const { conversation, messages, loading, error, reload } = useWhole(id);
  const [notes, setNotes] = useState(false);
  const title = conversation ? texts.title(contactName(conversation.contact)) : "";
  useTitle(title);
  const shown = messages.filter((message) => notes || !message.isPrivate);
  const hasNotes = messages.some((message) => message.isPrivate);
  return (
    <main className={styles.page}>
      <div className={styles.tools}>
        <ButtonLink href={inboxAddress({ status: "open" }, id)}>{texts.back}</ButtonLink>
        {hasNotes && <Checkbox label={texts.notes} checked={notes} onChange={setNotes} />}
        <span role="status">{loading ? texts.loading(messages.length) : texts.count(shown.length)}</span>
        <Button variant="primary" icon={<Printer size={15} />} disabled={loading || Boolean(error)} onClick={() => window.print()}>
          {texts.print}
        </Button>
      </div>
      {Boolean(error) && <ErrorState error={error} onRetry={reload} />}
      {conversation && (
        <article className={styles.sheet}>
          <h1>{title}</h1>
          <p className={styles.about}>{texts.about(inboxName(conversation.inbox), shortDate(conversation.createdAt), shortDate(conversation.lastActivityAt))}</p>
          {shown.map((message) => (
            <OrPlain key={message.id} of={message} plain={<p>{plainText(message.content)}</p>}>
              <Printed message={message} contact={contactName(conversation.contact)} />
            </OrPlain>
          ))}
        </article>
      )}
    </main>
  );
}

function Printed({ message, contact }: { message: Message; contact: string }) {
  const out = message.messageType === "outgoing";
  return (
    <section className={message.isPrivate ? styles.note : styles.message}>
      <p className={styles.head}>
        <strong>{message.sender.name || (message.senderType === "contact" ? contact : "")}</strong>
        {message.isPrivate && <span>{texts.note}</span>}
        <time dateTime={message.createdAt}>{fullTime(message.createdAt)}</time>
      </p>
      <div className={styles.words} dir="auto">
        <Words content={message.content} marked={out && message.contentType === "markdown"} whole />
      </div>
      {message.attachments.map((attachment) => (
        <File key={attachment.id} attachment={attachment} />
      ))}
    </section>
  );
}

function File({ attachment }: { attachment: Attachment }) {
  const href = fileAddress(attachment.url);
  if (href && shownAs(attachment) === "picture") return <img className={styles.picture} src={href} alt={attachment.fileName} {...pictureSize(attachment)} />;
  return <p>{texts.file(attachment.fileName, fileSize(attachment.size))}</p>;
}
