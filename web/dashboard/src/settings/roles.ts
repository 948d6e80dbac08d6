// What members may do, from the least to the most.
import type { Member, Role } from "../api/types";
import { texts } from "./roles.texts";

const order: readonly Role[] = ["agent", "admin", "owner"];

/** The roles with what they may do. */
export const roles: readonly { value: Role; label: string; text: string }[] = [
  { value: "agent", label: texts.agent, text: texts.agentMay },
  { value: "admin", label: texts.admin, text: texts.adminMay },
  { value: "owner", label: texts.owner, text: texts.ownerMay },
];

/** Says whether a role may do what another one may. */
export function isAtLeast(role: Role, least: Role): boolean {
  return order.indexOf(role) >= order.indexOf(least);
}

/** Says whether a role decides on members and invitations of another one: admins on agents, owners on everybody. */
export function manages(own: Role, other: Role): boolean {
  return own === "owner" || (own === "admin" && other === "agent");
}

/** Returns the roles that a member may give: admins make agents, owners everybody. */
export function rolesToGive(own: Role): typeof roles {
  return roles.filter(({ value }) => manages(own, value));
}

/** Returns the roles that a member may give another one, or take themselves; none where there is nothing to choose. */
export function rolesFor(me: Member, other: Member): typeof roles {
  const lesser = me.id === other.id ? roles.filter(({ value }) => isAtLeast(me.role, value)) : [];
  const choice = manages(me.role, other.role) ? rolesToGive(me.role) : lesser;
  return choice.length > 1 ? choice : [];
}

/** Names a role. */
export function roleName(role: Role): string {
  return roles.find(({ value }) => value === role)?.label ?? role;
}
