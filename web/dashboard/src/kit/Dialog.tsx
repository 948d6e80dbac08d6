import * as Ariakit from "@ariakit/react";
import { X } from "lucide-react";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { errorText } from "../api/client";
import { Button, buttonClass } from "./Button";
import { cx } from "./cx";
import styles from "./Dialog.module.css";
import { FormError } from "./Form";
import { texts } from "./texts";

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  wide?: boolean;
  /** What it shows is not shown again, so that neither Escape nor a click beside it closes it. */
  once?: boolean;
  /** Buttons, the primary one last. */
  footer?: ReactNode;
  /** Makes the dialog a form, so that Enter submits it. */
  onSubmit?: () => void;
  children?: ReactNode;
}

/** A modal dialog. Its content is mounted while it is open, so the content's state is new each time. */
export function Dialog({ open, onClose, title, description, wide, once, footer, onSubmit, children }: DialogProps) {
  const inner = (
    <>
      <div className={styles.head}>
        <Ariakit.DialogHeading className={styles.title}>{title}</Ariakit.DialogHeading>
        {/* No tooltip: it would open with the dialog, and consume its Escape. */}
        <button type="button" aria-label={texts.dialog.close} className={cx(buttonClass("ghost"), styles.close)} onClick={onClose}>
          <X size={16} />
        </button>
      </div>
      <div className={styles.body}>
        {description && <Ariakit.DialogDescription className={styles.description}>{description}</Ariakit.DialogDescription>}
        {children}
      </div>
      {footer && <div className={styles.foot}>{footer}</div>}
    </>
  );
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.stopPropagation();
    onSubmit?.();
  };
  return (
    <Ariakit.Dialog
      open={open}
      onClose={onClose}
      unmountOnHide
      hideOnEscape={!once}
      hideOnInteractOutside={!once}
      backdrop={<div className={styles.backdrop} />}
      className={cx(styles.dialog, wide && styles.wide)}
    >
      {onSubmit ? (
        <form noValidate onSubmit={submit} className={styles.form}>
          {inner}
        </form>
      ) : (
        inner
      )}
    </Ariakit.Dialog>
  );
}

interface ConfirmProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** States what will happen and whether it can be undone. */
  children: ReactNode;
  /** The verb of the button: "Revoke key", never "OK". */
  action: string;
  danger?: boolean;
  /** A rejected promise keeps the dialog open and shows the reason. */
  onConfirm: () => unknown;
}

export function ConfirmDialog({ open, onClose, title, children, action, danger = true, onConfirm }: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState("");
  const close = () => {
    setFault("");
    onClose();
  };
  const confirm = async () => {
    setBusy(true);
    setFault("");
    try {
      await onConfirm();
      close();
    } catch (error) {
      setFault(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title={title}
      description={children}
      footer={
        <>
          <Button onClick={close}>{texts.dialog.cancel}</Button>
          <Button variant={danger ? "danger" : "primary"} busy={busy} onClick={() => void confirm()}>
            {action}
          </Button>
        </>
      }
    >
      <FormError>{fault}</FormError>
    </Dialog>
  );
}
