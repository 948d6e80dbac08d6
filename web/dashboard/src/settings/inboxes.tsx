// The inboxes, and the product that each routes to.
import { Code, Globe, Hourglass, Inbox as InboxIcon, Mail, MessageCircle, Pencil, Plus } from "lucide-react";
import { useState } from "react";
import { useRoute } from "wouter";
import { api } from "../api/client";
import type { ChannelType, Inbox } from "../api/types";
import { Badge, Button, ButtonLink, CopyButton, FormDialog, IconButton, Page, SelectField, TextField, useForm } from "../kit";
import { useInboxes, useLearn, useProducts } from "../sync";
import { HoursPage } from "./hourspage";
import { RowActions, Rows, RowText } from "./parts";
import { RetentionDialog } from "./retention";
import { texts } from "./texts";
import { WidgetPage } from "./widget";
import { WidgetTextsPage } from "./widgettextspage";

/** A newer server may have more of them. */
const channels: Partial<Record<ChannelType, { label: string; icon: typeof Globe }>> = {
  api: { label: texts.inboxes.api, icon: Code },
  web: { label: texts.inboxes.website, icon: Globe },
  chatapp: { label: texts.inboxes.whatsapp, icon: MessageCircle },
  email: { label: texts.inboxes.eMail, icon: Mail },
};

export function InboxesPage() {
  const [widget, found] = useRoute("/settings/inboxes/:id/widget");
  const [hours, of] = useRoute("/settings/inboxes/:id/hours");
  const [words, said] = useRoute("/settings/inboxes/:id/texts");
  if (words) return <WidgetTextsPage key={said.id} inboxId={said.id} />;
  if (hours) return <HoursPage key={of.id} inboxId={of.id} />;
  return widget ? <WidgetPage key={found.id} inboxId={found.id} /> : <InboxList />;
}

function InboxList() {
  const inboxes = useInboxes();
  const products = useProducts();
  const [editing, setEditing] = useState<Inbox | "new" | null>(null);
  const [keeping, setKeeping] = useState<Inbox | null>(null);
  const productName = (id: string | null) => products.find((product) => product.id === id)?.name;

  return (
    <Page
      title={texts.inboxes.inboxes}
      description={texts.inboxes.conversationsArrive}
      actions={
        <Button variant="primary" icon={<Plus size={16} />} onClick={() => setEditing("new")}>
          {texts.inboxes.newInbox}
        </Button>
      }
    >
      <Rows label={texts.inboxes.inboxes} rows={inboxes} keyOf={(inbox) => inbox.id} empty={{ title: texts.inboxes.noInboxesYet, text: texts.inboxes.whatFor }}>
        {(inbox) => {
          const Icon = channels[inbox.channelType]?.icon ?? InboxIcon;
          const product = productName(inbox.productId);
          return (
            <>
              <Icon size={18} aria-hidden />
              <RowText
                name={inbox.name}
                badges={<Badge>{channels[inbox.channelType]?.label ?? inbox.channelType}</Badge>}
                note={product ? texts.inboxes.routesTo(product) : texts.inboxes.routesToNoProduct}
              />
              <RowActions>
                {inbox.channelType === "web" && (
                  <ButtonLink size="sm" href={`/settings/inboxes/${inbox.id}/widget`}>
                    {texts.inboxes.widget}
                    <span className="visually-hidden"> {texts.inboxes.widgetOf(inbox.name)}</span>
                  </ButtonLink>
                )}
                <CopyButton label={texts.inboxes.copyTheId(inbox.name)} value={inbox.id} />
                <IconButton label={texts.inboxes.retentionOf(inbox.name)} icon={<Hourglass size={15} />} onClick={() => setKeeping(inbox)} />
                <IconButton label={texts.inboxes.edit(inbox.name)} icon={<Pencil size={15} />} onClick={() => setEditing(inbox)} />
              </RowActions>
            </>
          );
        }}
      </Rows>
      {editing && <InboxForm inbox={editing === "new" ? null : editing} onClose={() => setEditing(null)} />}
      {keeping && <RetentionDialog inbox={keeping} onClose={() => setKeeping(null)} />}
    </Page>
  );
}

interface InboxValues {
  name: string;
  channelType: "api" | "web";
  productId: string;
}

function InboxForm({ inbox, onClose }: { inbox: Inbox | null; onClose: () => void }) {
  const learn = useLearn();
  const products = useProducts().filter((product) => !product.archived || product.id === inbox?.productId);
  const first: InboxValues = { name: inbox?.name ?? "", channelType: "web", productId: inbox?.productId ?? "" };
  const form = useForm(first, async ({ name, channelType, productId }) => {
    // A product that was archived since may stay, but not be assigned again.
    const product = productId === first.productId ? {} : { productId: productId || null };
    const path = "/v1/dashboard/inboxes";
    learn("inbox", inbox ? await api.patch<Inbox>(`${path}/${inbox.id}`, { name, ...product }) : await api.post<Inbox>(path, { name, channelType, ...product }));
    onClose();
  });
  return (
    <FormDialog title={inbox ? texts.inboxes.editTheInbox : texts.inboxes.newInbox} action={inbox ? texts.inboxes.save : texts.inboxes.createInbox} form={form} onClose={onClose}>
      <TextField label={texts.inboxes.name} autoFocus autoComplete="off" {...form.field("name")} />
      {!inbox && (
        <SelectField
          label={texts.inboxes.channel}
          hint={form.values.channelType === "web" ? texts.inboxes.forTheWidget : texts.inboxes.forProgramsThatUse}
          options={[
            { value: "web", label: texts.inboxes.website },
            { value: "api", label: texts.inboxes.api },
          ]}
          {...form.field("channelType")}
        />
      )}
      <SelectField
        label={texts.inboxes.product}
        hint={texts.inboxes.newConversations}
        options={[
          { value: "", label: texts.inboxes.noProduct },
          ...products.map((product) => ({ value: product.id, label: product.archived ? texts.inboxes.archived(product.name) : product.name, disabled: product.archived })),
        ]}
        {...form.field("productId")}
      />
    </FormDialog>
  );
}
