// What members may do. English is the first catalogue; another one is an object of the
// same type. The first page needs these, and not all texts of this folder.

export const texts = {
  agent: "Agent",
  agentMay: "Answers conversations and keeps contacts.",
  admin: "Admin",
  adminMay: "Also keeps agents, keys, products, inboxes and labels.",
  owner: "Owner",
  ownerMay: "Also keeps admins and owners, identity secrets and the workspace itself.",
};
