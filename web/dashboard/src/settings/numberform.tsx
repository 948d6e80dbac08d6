// Connecting a WhatsApp number.
import { api } from "../api/client";
import type { ChatNumber } from "../api/numbers";
import { FormDialog, SelectField, TextField, useForm } from "../kit";
import { useLearn } from "../sync";
import css from "./settings.module.css";

const drivers = [
  { value: "whatsapp", label: "WhatsApp, paired with a phone" },
  { value: "sandbox", label: "Sandbox, without a phone" },
] as const;

/** onAdded gets the number, which may have been there before. */
export function NumberForm({ onAdded, onClose }: { onAdded: (number: ChatNumber) => void; onClose: () => void }) {
  const learn = useLearn();
  const form = useForm<{ phone: string; driver: ChatNumber["driver"] }>({ phone: "", driver: "whatsapp" }, async (values) => {
    const number = await api.post<ChatNumber>("/v1/dashboard/numbers", values);
    learn("number", number);
    onAdded(number);
  });
  const sandbox = form.values.driver === "sandbox";
  return (
    <FormDialog title="Connect a number" action={sandbox ? "Connect" : "Continue"} form={form} onClose={onClose}>
      <SelectField
        label="Connection"
        options={drivers}
        {...form.field("driver")}
        hint={sandbox ? "It needs no phone and sends nothing to anybody. It plays every outcome by rules." : "The phone stays yours; Parley becomes one of its linked devices."}
      />
      <TextField
        label="Phone number"
        type="tel"
        hint={sandbox ? "Country code first, such as +49 30 1234567. A number that ends in 09 plays a host who is no admin of its groups." : "Country code first, such as +49 30 1234567."}
        autoFocus
        autoComplete="off"
        {...form.field("phone")}
      />
      {!sandbox && (
        <p className={css.warning}>
          <strong>This WhatsApp client is unofficial.</strong> WhatsApp may ban the number, for a while or for good, above all when it creates many groups or writes to strangers. Do not use a number
          that you cannot do without.
        </p>
      )}
    </FormDialog>
  );
}
