// The products that the workspace supports.
import { Archive, Package, Pencil, Plus, Undo2 } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import type { Product } from "../api/types";
import { Badge, Button, ConfirmDialog, FormDialog, IconButton, Page, TextArea, TextField, useAction, useForm } from "../kit";
import { useLearn, useProducts } from "../sync";
import { RowActions, Rows, RowText } from "./parts";
import css from "./settings.module.css";
import { texts } from "./texts";
import { locale } from "../kit/texts";

export function ProductsPage() {
  const products = useProducts();
  const [editing, setEditing] = useState<Product | "new" | null>(null);
  const [archiving, setArchiving] = useState<Product | null>(null);
  const learn = useLearn();
  const { run } = useAction();
  const archive = (product: Product, archived: boolean) => api.patch<Product>(`/v1/dashboard/products/${product.id}`, { archived }).then((answer) => learn("product", answer));
  const sorted = [...products].sort((a, b) => Number(a.archived) - Number(b.archived) || a.createdAt.localeCompare(b.createdAt, locale));

  return (
    <Page
      title={texts.products.products}
      description={texts.products.whatYourCustomersAsk}
      actions={
        <Button variant="primary" icon={<Plus size={16} />} onClick={() => setEditing("new")}>
          {texts.products.newProduct}
        </Button>
      }
    >
      <Rows label={texts.products.products} rows={sorted} keyOf={(product) => product.id} empty={{ title: texts.products.noProductsYet, text: texts.products.whatFor }}>
        {(product) => (
          <>
            <Package size={18} aria-hidden />
            <RowText
              name={product.name}
              badges={product.archived && <Badge>{texts.products.archived}</Badge>}
              note={product.description && <span className={css.preview}>{product.description}</span>}
            />
            <RowActions>
              <IconButton label={texts.products.edit(product.name)} icon={<Pencil size={15} />} onClick={() => setEditing(product)} />
              {product.archived ? (
                <IconButton
                  label={texts.products.restore(product.name)}
                  icon={<Undo2 size={15} />}
                  onClick={() => void run(() => archive(product, false), texts.products.isActiveAgain(product.name))}
                />
              ) : (
                <IconButton label={texts.products.archive(product.name)} icon={<Archive size={15} />} onClick={() => setArchiving(product)} />
              )}
            </RowActions>
          </>
        )}
      </Rows>
      {editing && <ProductForm product={editing === "new" ? null : editing} onClose={() => setEditing(null)} />}
      <ConfirmDialog
        open={archiving !== null}
        onClose={() => setArchiving(null)}
        title={texts.products.archiveAction(archiving?.name ?? "")}
        action={texts.products.archive22}
        danger={false}
        onConfirm={() => archiving && archive(archiving, true)}
      >
        {texts.products.itsConversationsKeep}
      </ConfirmDialog>
    </Page>
  );
}

function ProductForm({ product, onClose }: { product: Product | null; onClose: () => void }) {
  const learn = useLearn();
  const form = useForm({ name: product?.name ?? "", description: product?.description ?? "" }, async (values) => {
    const path = "/v1/dashboard/products";
    learn("product", product ? await api.patch<Product>(`${path}/${product.id}`, values) : await api.post<Product>(path, values));
    onClose();
  });
  return (
    <FormDialog title={product ? texts.products.editTheProduct : texts.products.newProduct} action={product ? texts.products.save : texts.products.createProduct} form={form} onClose={onClose}>
      <TextField label={texts.products.name} autoFocus autoComplete="off" {...form.field("name")} />
      <TextArea label={texts.products.description} optional rows={3} hint={texts.products.oneSentenceAbout} {...form.field("description")} />
    </FormDialog>
  );
}
