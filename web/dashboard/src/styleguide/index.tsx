import { MoreHorizontal, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { LabelColor } from "../api/types";
import {
  Avatar,
  Badge,
  Button,
  Checkbox,
  Combobox,
  ConfirmDialog,
  CopyField,
  Dialog,
  EmptyState,
  ErrorState,
  Facts,
  Form,
  FormActions,
  FormError,
  IconButton,
  Kbd,
  LabelChip,
  Menu,
  Page,
  Picker,
  RelativeTime,
  SearchField,
  Section,
  SelectField,
  Skeleton,
  SkeletonRows,
  Switch,
  Table,
  Tabs,
  TextArea,
  TextField,
  Tooltip,
  useForm,
  useToast,
  VirtualList,
  type Choice,
} from "../kit";
import { setTheme, useTheme, type Theme } from "../shell/theme";
import styles from "./StyleGuide.module.css";

const colors = {
  Surfaces: ["sunken", "bg", "surface", "raised", "hover", "selected"],
  Lines: ["line", "line-strong", "control", "focus"],
  Text: ["text", "text-2", "text-3", "accent-text", "danger-text", "warn-text", "ok-text", "info-text"],
  Fills: ["accent", "accent-hover", "accent-soft", "danger", "danger-soft", "warn-soft", "ok-soft", "info-soft", "neutral-soft"],
  Messages: ["bubble-in", "bubble-out", "bubble-bot", "bubble-note"],
  Charts: ["chart-1", "chart-2", "chart-3", "chart-4"],
};
const labelColors: readonly LabelColor[] = ["gray", "red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"];
const fruits: readonly Choice[] = ["Apple", "Banana", "Cherry", "Elderberry", "Fig"].map((label) => ({ value: label.toLowerCase(), label }));

/** Explains the tokens and shows every component of the kit. It needs no session. */
export function StyleGuidePage() {
  const theme = useTheme();
  return (
    <main style={{ height: "100%" }}>
      <Page
        title="Style guide"
        description="The contract of the look: pages take colours, sizes and controls from here and bring none of their own."
        actions={
          <SelectField
            label="Theme"
            hideLabel
            value={theme}
            onChange={(value: Theme) => setTheme(value)}
            options={[
              { value: "system", label: "System" },
              { value: "light", label: "Light" },
              { value: "dark", label: "Dark" },
            ]}
          />
        }
      >
        <Colors />
        <Sizes />
        <Buttons />
        <Fields />
        <Choices />
        <Marks />
        <Layers />
        <States />
        <Lists />
      </Page>
    </main>
  );
}

function Colors() {
  return (
    <Section title="Colour" description="Every token has a light and a dark value. Text has 4.5:1 on each ground that it stands on, the edges of controls 3:1; a test holds them to it.">
      {Object.entries(colors).map(([group, names]) => (
        <div key={group}>
          <h3>{group}</h3>
          <div className={styles.colors}>
            {names.map((name) => (
              <div key={name} className={styles.color}>
                <div className={styles.swatch} style={{ background: `var(--c-${name})` }} />
                <code>--c-{name}</code>
              </div>
            ))}
          </div>
        </div>
      ))}
    </Section>
  );
}

function Sizes() {
  return (
    <Section title="Type and distance" description="Type is in rem, so it follows the reader's own size. Distances grow from 2 to 48 px.">
      <div className={styles.sizes}>
        {["2xl", "xl", "lg", "md", "sm", "xs"].map((size) => (
          <div key={size} style={{ display: "contents" }}>
            <code>--t-{size}</code>
            <span style={{ fontSize: `var(--t-${size})` }}>Two sides, one conversation</span>
          </div>
        ))}
        {[1, 2, 3, 4, 5, 6, 7].map((step) => (
          <div key={step} style={{ display: "contents" }}>
            <code>--s-{step}</code>
            <div className={styles.bar} style={{ width: `var(--s-${step})` }} />
          </div>
        ))}
      </div>
    </Section>
  );
}

function Buttons() {
  const [busy, setBusy] = useState(false);
  return (
    <Section title="Buttons" description="One primary button in view. The text is the verb of what happens. 32 px high, 44 where fingers point.">
      <div className={styles.row}>
        <Button variant="primary" icon={<Plus size={15} />}>
          Create key
        </Button>
        <Button>Cancel</Button>
        <Button variant="ghost">Show more</Button>
        <Button variant="danger" icon={<Trash2 size={15} />}>
          Remove
        </Button>
        <Button disabled>Not now</Button>
        <Button busy={busy} onClick={() => setBusy(true)}>
          Press to wait
        </Button>
        <Button size="sm">Small</Button>
        <IconButton label="More" shortcut="m" icon={<MoreHorizontal size={16} />} />
        <Tooltip text="A tooltip adds, it does not name">
          <Button>With a tooltip</Button>
        </Tooltip>
        <Kbd keys="Mod+k" />
        <Kbd keys="g i" />
      </div>
    </Section>
  );
}

function Fields() {
  const form = useForm(
    { name: "", email: "ann@", role: "agent", notes: "" },
    async () => {
      throw new Error("The example is never saved.");
    },
    (values) => (values.email.includes(".") ? {} : { email: "must be an e-mail address" }),
  );
  const [search, setSearch] = useState("");
  const [fruit, setFruit] = useState<Choice | null>(null);
  return (
    <Section title="Fields and forms" description="A label above, a hint below, a fault in its place. useForm takes the faults of the server to their fields.">
      <Form onSubmit={() => void form.submit()}>
        <div className={styles.grid}>
          <TextField label="Name" hint="As customers see it." {...form.field("name")} />
          <TextField label="E-mail" type="email" {...form.field("email")} />
          <SelectField
            label="Role"
            options={[
              { value: "agent", label: "Agent" },
              { value: "admin", label: "Admin" },
            ]}
            {...form.field("role")}
          />
          <Combobox label="Fruit" choices={fruits} value={fruit} onChange={setFruit} />
          <TextArea label="Notes" optional {...form.field("notes")} />
          <SearchField label="Search" placeholder="Search" value={search} onChange={setSearch} />
        </div>
        <FormError>{form.fault}</FormError>
        <FormActions>
          <Button type="submit" variant="primary" busy={form.busy}>
            Save
          </Button>
        </FormActions>
      </Form>
      <CopyField label="Secret" value="pk_4Xw0example" once />
    </Section>
  );
}

function Choices() {
  const [on, setOn] = useState(true);
  const [one, setOne] = useState("apple");
  const [many, setMany] = useState<readonly string[]>(["fig"]);
  const [tab, setTab] = useState<"first" | "second">("first");
  return (
    <Section title="Choices">
      <div className={styles.row}>
        <Checkbox label="Read conversations" hint="conversations:read" checked={on} onChange={setOn} />
        <Switch label="Send invite links" checked={on} onChange={setOn} />
        <Menu
          label="Example"
          button={<Button>Menu</Button>}
          entries={[{ label: "Rename", shortcut: "r", onSelect: () => {} }, "separator", { label: "Remove", danger: true, icon: <Trash2 size={15} />, onSelect: () => {} }]}
        />
        <Picker label="Fruit" choices={fruits} value={one} onChange={setOne} button={<Button>One: {one}</Button>} />
        <Picker
          label="Fruits"
          choices={fruits}
          values={many}
          onToggle={(value) => setMany(many.includes(value) ? many.filter((other) => other !== value) : [...many, value])}
          button={<Button>Several: {many.length}</Button>}
        />
      </div>
      <Tabs
        label="Example"
        tabs={[
          { id: "first", label: "First" },
          { id: "second", label: "Second" },
        ]}
        selected={tab}
        onSelect={setTab}
      >
        <p style={{ paddingTop: 8 }}>The {tab} panel.</p>
      </Tabs>
    </Section>
  );
}

function Marks() {
  return (
    <Section title="Badges, labels, people, times">
      <div className={styles.row}>
        {(["neutral", "accent", "ok", "warn", "danger", "info", "count"] as const).map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
      </div>
      <div className={styles.row}>
        {labelColors.map((color) => (
          <LabelChip key={color} name={color} color={color} />
        ))}
        <LabelChip name="with a button" color="blue" onRemove={() => {}} />
      </div>
      <div className={styles.row}>
        {["Ann Example", "Bo", "Chloé Dufour", "Dmitri Orlov"].map((name) => (
          <Avatar key={name} id={name} name={name} size={36} />
        ))}
        <RelativeTime at={new Date().toISOString()} />
      </div>
      <Facts
        items={[
          ["E-mail", "ann@acme.example"],
          ["Company", "Acme"],
        ]}
      />
    </Section>
  );
}

function Layers() {
  const toast = useToast();
  const [open, setOpen] = useState<"dialog" | "confirm" | null>(null);
  return (
    <Section title="Dialogs and notices" description="A dialog takes the focus and gives it back. What cannot be undone is asked for first; what can be undone is done and offered back.">
      <div className={styles.row}>
        <Button onClick={() => setOpen("dialog")}>Dialog</Button>
        <Button onClick={() => setOpen("confirm")}>Confirmation</Button>
        <Button onClick={() => toast.done("Contact saved", { label: "Undo", onSelect: () => {} })}>Notice</Button>
        <Button onClick={() => toast.failed(new Error("The server cannot be reached."))}>Failure</Button>
      </div>
      <Dialog open={open === "dialog"} onClose={() => setOpen(null)} title="A dialog" description="It says what it is for." footer={<Button onClick={() => setOpen(null)}>Done</Button>}>
        <Skeleton width="60%" />
      </Dialog>
      <ConfirmDialog open={open === "confirm"} onClose={() => setOpen(null)} title="Revoke the key?" action="Revoke key" onConfirm={() => {}}>
        Programs that use it stop working within a second. This cannot be undone.
      </ConfirmDialog>
    </Section>
  );
}

function States() {
  return (
    <Section title="Empty, loading, failed" description="Every list has all three.">
      <div className={styles.grid}>
        <EmptyState title="No keys yet" action={<Button variant="primary">Create key</Button>}>
          A program needs one to use the API.
        </EmptyState>
        <SkeletonRows count={3} />
        <ErrorState error={new Error("The server answered 503.")} onRetry={() => {}} />
      </div>
    </Section>
  );
}

interface Fruit {
  name: string;
  sold: number;
}

function Lists() {
  const rows: readonly Fruit[] = fruits.map((fruit, index) => ({ name: fruit.label, sold: index * 12 }));
  return (
    <Section title="Tables and lists" description="A table for few rows, a virtual list for many: this one has ten thousand.">
      <Table
        caption="Fruits"
        rows={rows}
        rowKey={(row) => row.name}
        columns={[
          { key: "name", title: "Name", cell: (row) => row.name },
          { key: "sold", title: "Sold", number: true, cell: (row) => row.sold },
        ]}
        footer={{ name: "Together", sold: 120 }}
      />
      <div style={{ height: 180 }}>
        <VirtualList
          label="Numbers"
          count={10_000}
          estimate={28}
          keyOf={String}
          row={(index) => (
            <Button size="sm" variant="ghost">
              Row {index + 1}
            </Button>
          )}
        />
      </div>
    </Section>
  );
}
