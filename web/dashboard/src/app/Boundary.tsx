import { Component, type ReactNode } from "react";
import { Button, EmptyState } from "../kit";
import { texts } from "./texts";

/** Catches errors of a page while it renders, so that the rest of the dashboard stays usable. */
export class Boundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return (
      <EmptyState title={texts.boundary.somethingWentWrong} action={<Button onClick={() => location.reload()}>{texts.boundary.reloadThePage}</Button>}>
        {String(this.state.error)}
      </EmptyState>
    );
  }
}
