import type { ReactNode } from "react";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { FormError, type FormState } from "./Form";
import styles from "./Form.module.css";
import { texts } from "./texts";

interface FormDialogProps<V extends object> {
  title: string;
  description?: ReactNode;
  /** The verb of the button: "Create key", never "OK". */
  action: string;
  form: FormState<V>;
  onClose: () => void;
  wide?: boolean;
  children: ReactNode;
}

/** A form in a modal dialog. Mount it to open it: its state is new each time. */
export function FormDialog<V extends object>({ title, description, action, form, onClose, wide = false, children }: FormDialogProps<V>) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={description}
      wide={wide}
      onSubmit={() => void form.submit()}
      footer={
        <>
          <Button onClick={onClose}>{texts.formDialog.cancel}</Button>
          <Button type="submit" variant="primary" busy={form.busy}>
            {action}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {children}
        <FormError>{form.fault}</FormError>
      </div>
    </Dialog>
  );
}
