import { Component, type ReactNode } from "react";

interface Props {
  /** Shown in place of children that cannot be rendered. It must not fail itself: text, a link. */
  plain: ReactNode;
  /** The value that is rendered. When it changes, rendering is tried again. */
  of: unknown;
  children: ReactNode;
}

interface State {
  failed: boolean;
  of: unknown;
}

/** Shows one item as plain text if rendering it fails, so that text from strangers cannot break a page. */
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

/** A value of a record as text, even if it is not of its declared type. */
export function plainText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
