import { Component, type ReactNode } from "react";

interface Props {
  /** What stands in place of children that cannot be drawn. It must not fail itself: text, a link. */
  plain: ReactNode;
  /** What is drawn. When it changes, drawing is tried again. */
  of: unknown;
  children: ReactNode;
}

interface State {
  failed: boolean;
  of: unknown;
}

/** Shows one item plainly where drawing it fails, so that what a stranger wrote takes no page down. */
export class OrPlain extends Component<Props, State> {
  override state: State = { failed: false, of: this.props.of };

  static getDerivedStateFromError(): Partial<State> {
    return { failed: true };
  }

  static getDerivedStateFromProps({ of }: Props, state: State): Partial<State> | null {
    return of === state.of ? null : { failed: false, of };
  }

  override render() {
    return this.state.failed ? this.props.plain : this.props.children;
  }
}

/** A value of a record as text, where the record may be other than its type says. */
export function plainText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
