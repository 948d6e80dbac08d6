// Texts about roles. English is the first catalogue; another language is an
// object of the same type. A file of its own, because the first page needs only
// these texts of the folder.

export const texts = {
  agent: "Agent",
  agentMay: "Answers conversations and manages contacts.",
  admin: "Admin",
  adminMay: "Also manages agents, keys, products, inboxes and labels.",
  owner: "Owner",
  ownerMay: "Also manages admins and owners, identity secrets and the workspace itself.",
};
