// The roles of members, from the lowest to the highest.
import type { Member, Role } from "../api/types";
import { texts } from "./roles.texts";

const order: readonly Role[] = ["agent", "admin", "owner"];

/** The roles with their descriptions. */
export const roles: readonly { value: Role; label: string; text: string }[] = [
  { value: "agent", label: texts.agent, text: texts.agentMay },
  { value: "admin", label: texts.admin, text: texts.adminMay },
  { value: "owner", label: texts.owner, text: texts.ownerMay },
];

/** Reports whether a role includes the rights of another. */
export function isAtLeast(role: Role, least: Role): boolean {
  return order.indexOf(role) >= order.indexOf(least);
}

/** Reports whether a role manages members and invitations of another: admins manage agents, owners everybody. */
export function manages(own: Role, other: Role): boolean {
  return own === "owner" || (own === "admin" && other === "agent");
}

/** Returns the roles that a member may assign: admins appoint agents, owners everybody. */
export function rolesToGive(own: Role): typeof roles {
  return roles.filter(({ value }) => manages(own, value));
}

/** Returns the roles that a member may assign to another, or to themselves; none if there is no choice. */
export function rolesFor(me: Member, other: Member): typeof roles {
  const lesser = me.id === other.id ? roles.filter(({ value }) => isAtLeast(me.role, value)) : [];
  const choice = manages(me.role, other.role) ? rolesToGive(me.role) : lesser;
  return choice.length > 1 ? choice : [];
}

/** Returns the name of a role. */
export function roleName(role: Role): string {
  return roles.find(({ value }) => value === role)?.label ?? role;
}
