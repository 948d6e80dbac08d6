// What members may do, from the least to the most.
import type { Member, Role } from "../api/types";

const order: readonly Role[] = ["agent", "admin", "owner"];

/** The roles with what they may do. */
export const roles: readonly { value: Role; label: string; text: string }[] = [
  { value: "agent", label: "Agent", text: "Answers conversations and keeps contacts." },
  { value: "admin", label: "Admin", text: "Also keeps members, keys, products, inboxes and labels." },
  { value: "owner", label: "Owner", text: "Also keeps other owners, identity secrets and the workspace itself." },
];

/** Says whether a role may do what another one may. */
export function isAtLeast(role: Role, least: Role): boolean {
  return order.indexOf(role) >= order.indexOf(least);
}

/** Returns the roles that a member may give: only owners make owners. */
export function rolesToGive(own: Role): typeof roles {
  return roles.filter(({ value }) => isAtLeast(own, value));
}

/** Says whether a member may change or remove another one: admins may not touch owners. */
export function mayManage(me: Member, other: Member): boolean {
  return isAtLeast(me.role, "admin") && isAtLeast(me.role, other.role);
}

/** Says whether a member may make a link by which another one sets a new password: of admins and owners, only owners. */
export function mayReset(me: Member, other: Member): boolean {
  return me.role === "owner" || (me.role === "admin" && other.role === "agent");
}

/** Names a role. */
export function roleName(role: Role): string {
  return roles.find(({ value }) => value === role)?.label ?? role;
}
