import { Component, type ComponentChildren } from "preact";

interface Props {
  /** What stands in place of children that cannot be drawn. It must not fail itself. */
  plain: ComponentChildren;
  children: ComponentChildren;
}

/** Shows one item plainly where drawing it fails, so that no message takes the chat down. */
export class OrPlain extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static override getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? this.props.plain : this.props.children;
  }
}
