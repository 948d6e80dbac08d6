// The kit: every control and state of the dashboard, on the tokens alone. The
// page /styleguide shows them.
export { Avatar, avatarColor, initials } from "./Avatar";
export { Badge, LabelChip, type Tone } from "./Badge";
export { Button, ButtonLink, buttonClass, IconButton, Spinner, type ButtonVariant } from "./Button";
export { Combobox } from "./Combobox";
export { CopyButton, CopyField } from "./CopyField";
export { cx } from "./cx";
export { ConfirmDialog, Dialog } from "./Dialog";
export { Field, inputClass, SearchField, SelectField, TextArea, TextField, type FieldProps, type Option } from "./Field";
export { fold } from "./fold";
export { Form, FormActions, FormError, sentence, useForm, type Bound, type FormState } from "./Form";
export { FormDialog } from "./FormDialog";
export { Kbd } from "./Kbd";
export { Menu, type MenuEntry } from "./Menu";
export { Facts, Page, Section, useTitle } from "./Page";
export { Picker, type Choice } from "./Picker";
export { RelativeTime } from "./RelativeTime";
export { Segmented } from "./Segmented";
export { EmptyState, ErrorState, Skeleton, SkeletonRows } from "./States";
export { Table, type Column } from "./Table";
export { Tabs, type Tab } from "./Tabs";
export { clockTime, dayName, duration, fullTime, shortAgo, shortDate, useNow } from "./time";
export { ToastProvider, useToast } from "./Toast";
export { Checkbox, Switch } from "./Toggle";
export { Tooltip } from "./Tooltip";
export { VirtualList } from "./VirtualList";
export { useAction } from "./useAction";
export { useNarrow } from "./useNarrow";
