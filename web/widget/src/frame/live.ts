// The stream of the customer's conversations, while there is a session.
import type { Frame } from "../../../shared/sse";
import type { Context } from "./context";
import { openLine } from "./line";

export interface Handlers {
  onFrame: (frame: Frame) => void;
  /** The state before the stream must be read. */
  onFresh: () => void;
  /** The stream is down; the conversations are still usable. */
  onDown: () => void;
  onRefused: () => void;
}

export class Live {
  private readonly context: Context;
  private readonly handlers: Handlers;
  private closeLine: () => void = () => undefined;

  constructor(context: Context, handlers: Handlers) {
    this.context = context;
    this.handlers = handlers;
  }

  /** Opens the connection for the present session. */
  open() {
    const { inboxId, session } = this.context;
    this.close();
    this.closeLine = openLine({
      name: `parley:${inboxId}`,
      token: session.token,
      onFrame: this.handlers.onFrame,
      onState: (line) => {
        this.context.set({ line });
        if (line !== "live") this.handlers.onDown();
      },
      onFresh: this.handlers.onFresh,
      onRefused: this.handlers.onRefused,
    });
  }

  close() {
    this.closeLine();
  }
}
