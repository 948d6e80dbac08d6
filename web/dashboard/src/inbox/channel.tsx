import { Code2, Globe, Mail, MessageCircle } from "lucide-react";
import type { ReactElement } from "react";
import type { ChannelType } from "../api/types";
import { texts } from "./texts";

/** The icon of a channel. It is decorative, because the name is next to it. */
export function channelIcon(channel: ChannelType, size: number): ReactElement {
  if (channel === "web") return <Globe size={size} aria-hidden />;
  if (channel === "email") return <Mail size={size} aria-hidden />;
  if (channel === "chatapp") return <MessageCircle size={size} aria-hidden />;
  return <Code2 size={size} aria-hidden />;
}

/** The name of an inbox. A bare number is prefixed with its network. */
export function inboxName({ name, channelType }: { name: string; channelType: ChannelType }): string {
  return channelType === "chatapp" && /^\+?[\d\s-]+$/.test(name) ? texts.channel.whatsapp(name) : name;
}
