// What the workspace supports.
import { Archive, Package, Pencil, Plus, Undo2 } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import type { Product } from "../api/types";
import { Badge, Button, ConfirmDialog, FormDialog, IconButton, Page, TextArea, TextField, useAction, useForm } from "../kit";
import { useLearn, useProducts } from "../sync";
import { RowActions, Rows, RowText } from "./parts";
import css from "./settings.module.css";

export function ProductsPage() {
  const products = useProducts();
  const [editing, setEditing] = useState<Product | "new" | null>(null);
  const [archiving, setArchiving] = useState<Product | null>(null);
  const learn = useLearn();
  const { run } = useAction();
  const archive = (product: Product, archived: boolean) => api.patch<Product>(`/v1/dashboard/products/${product.id}`, { archived }).then((answer) => learn("product", answer));
  const sorted = [...products].sort((a, b) => Number(a.archived) - Number(b.archived) || a.createdAt.localeCompare(b.createdAt));

  return (
    <Page
      title="Products"
      description="What your customers ask about: an app, a website, a device. Each conversation belongs to one product at most; reports and filters tell them apart."
      actions={
        <Button variant="primary" icon={<Plus size={16} />} onClick={() => setEditing("new")}>
          New product
        </Button>
      }
    >
      <Rows label="Products" rows={sorted} keyOf={(product) => product.id} empty={{ title: "No products yet", text: "Create one, then let an inbox route its conversations to it." }}>
        {(product) => (
          <>
            <Package size={18} aria-hidden />
            <RowText name={product.name} badges={product.archived && <Badge>Archived</Badge>} note={product.description && <span className={css.preview}>{product.description}</span>} />
            <RowActions>
              <IconButton label={`Edit ${product.name}`} icon={<Pencil size={15} />} onClick={() => setEditing(product)} />
              {product.archived ? (
                <IconButton label={`Restore ${product.name}`} icon={<Undo2 size={15} />} onClick={() => void run(() => archive(product, false), `${product.name} is active again`)} />
              ) : (
                <IconButton label={`Archive ${product.name}`} icon={<Archive size={15} />} onClick={() => setArchiving(product)} />
              )}
            </RowActions>
          </>
        )}
      </Rows>
      {editing && <ProductForm product={editing === "new" ? null : editing} onClose={() => setEditing(null)} />}
      <ConfirmDialog
        open={archiving !== null}
        onClose={() => setArchiving(null)}
        title={`Archive ${archiving?.name ?? ""}?`}
        action="Archive"
        danger={false}
        onConfirm={() => archiving && archive(archiving, true)}
      >
        Its conversations keep it and reports still count it, but new conversations cannot get it. You can restore it at any time.
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
    <FormDialog title={product ? "Edit the product" : "New product"} action={product ? "Save" : "Create product"} form={form} onClose={onClose}>
      <TextField label="Name" autoFocus autoComplete="off" {...form.field("name")} />
      <TextArea label="Description" optional rows={3} hint="One sentence about it." {...form.field("description")} />
    </FormDialog>
  );
}
