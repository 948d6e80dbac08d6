import { Component, type ComponentChildren } from "preact";

interface Props {
  /** Shown in place of children that cannot be drawn. It must not fail itself. */
  plain: ComponentChildren;
  children: ComponentChildren;
}

/** Shows one item as plain text if drawing it fails, so that no message breaks the chat. */
export class OrPlain extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static override getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? this.props.plain : this.props.children;
  }
}
