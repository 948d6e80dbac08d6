import { Avatar, ButtonLink, Spinner } from "../kit";
import { inboxAddress } from "../inbox/views";
import { contactName } from "../people/names";
import { useConversation, usePreview } from "../sync";
import { texts } from "./texts";
import css from "./welcome.module.css";

/** The first message, live. */
export function MessageStep({ id }: { id: string | undefined }) {
  return (
    <>
      <p>{texts.message.how}</p>
      <div role="status" className={css.status}>
        {id === undefined ? (
          <>
            <Spinner />
            <strong>{texts.message.waiting}</strong>
          </>
        ) : (
          <First id={id} />
        )}
      </div>
    </>
  );
}

function First({ id }: { id: string }) {
  const conversation = useConversation(id);
  const preview = usePreview(id);
  if (!conversation) return <Spinner />;
  const name = contactName(conversation.contact);
  return (
    <>
      <Avatar id={conversation.contact.id} name={name} size={36} />
      <div className={css.message}>
        <strong>{texts.message.from(name)}</strong>
        <p dir="auto">{preview?.preview}</p>
      </div>
      <ButtonLink href={inboxAddress({ status: "open" }, id)}>{texts.message.answer}</ButtonLink>
    </>
  );
}
