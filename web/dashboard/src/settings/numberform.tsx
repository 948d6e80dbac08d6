// Connecting a WhatsApp number.
import { api } from "../api/client";
import type { ChatNumber } from "../api/numbers";
import { FormDialog, SelectField, TextField, useForm } from "../kit";
import { useLearn } from "../sync";
import css from "./settings.module.css";
import { texts } from "./numbers.texts";

const drivers = [
  { value: "whatsapp", label: texts.numberform.whatsappPairedWithA },
  { value: "sandbox", label: texts.numberform.sandboxWithoutAPhone },
] as const;

/** onAdded gets the number, which may have existed before. */
export function NumberForm({ onAdded, onClose }: { onAdded: (number: ChatNumber) => void; onClose: () => void }) {
  const learn = useLearn();
  const form = useForm<{ phone: string; driver: ChatNumber["driver"] }>({ phone: "", driver: "whatsapp" }, async (values) => {
    const number = await api.post<ChatNumber>("/v1/dashboard/numbers", values);
    learn("number", number);
    onAdded(number);
  });
  const sandbox = form.values.driver === "sandbox";
  return (
    <FormDialog title={texts.numberform.connectANumber} action={sandbox ? texts.numberform.connect : texts.numberform.continue} form={form} onClose={onClose}>
      <SelectField label={texts.numberform.connection} options={drivers} {...form.field("driver")} hint={sandbox ? texts.numberform.itNeedsNoPhone : texts.numberform.thePhoneStaysYoursParley} />
      <TextField
        label={texts.numberform.phoneNumber}
        type="tel"
        hint={sandbox ? texts.numberform.sandboxPhoneHint : texts.numberform.phoneHint}
        autoFocus
        autoComplete="off"
        {...form.field("phone")}
      />
      {!sandbox && (
        <p className={css.warning}>
          <strong>{texts.numberform.thisWhatsappClient}</strong> {texts.numberform.whatsappMayBanTheNumber}
        </p>
      )}
    </FormDialog>
  );
}
