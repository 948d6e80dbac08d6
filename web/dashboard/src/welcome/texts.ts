// Texts of the guided start of a new workspace.

export const texts = {
  title: "Set up your workspace",
  lead: "Four short steps, and customers can write to you. You can skip any of them and come back later.",
  progress: (done: number, of: number) => `${done} of ${of} done`,
  done: "Done",
  skip: "Skip",
  next: "Continue",
  finish: "Go to the inbox",
  finishEarly: "Skip the rest",
  allDone: "Everything is set up",
  allDoneText: "Your first customers can write. New conversations appear in the inbox.",
  change: (step: string) => `Open: ${step}`,

  names: {
    title: "Who you are",
    workspace: "Name of your company",
    workspaceHint: "Customers read it in the chat.",
    own: "Your own name",
    ownHint: "Customers see it next to your answers.",
    summary: (workspace: string, own: string) => `${workspace} · ${own}`,
  },

  site: {
    title: "Put the chat on your website",
    how: "Copy this line into your website, just before the closing </body>. Then open the website.",
    tag: "Tag for your website",
    inbox: "Website",
    waiting: "Waiting for the first view …",
    waitingHint: "This page notices it within seconds.",
    seen: (host: string) => `Seen on ${host}`,
    seenAnywhere: "Seen on a page that did not name its website",
    allow: "Let only this website show the chat",
    allowed: (host: string) => `Only ${host} shows the chat now.`,
    design: "Change colours and greeting",
  },

  message: {
    title: "Receive a first message",
    how: "Open the chat on your website and write something, as a customer would. It appears here.",
    waiting: "Waiting for the first message …",
    from: (name: string) => `${name} wrote`,
    answer: "Answer it",
  },

  invite: {
    title: "Invite a colleague",
    how: "They get a link to join. It works once, for seven days.",
    email: "Their e-mail address",
    role: "Role",
    create: "Create link",
    link: (email: string) => `Link for ${email}`,
    another: "Invite another",
    invited: (names: readonly string[]) => `Invited: ${names.join(", ")}`,
    members: (count: number) => `${count} members`,
  },
};
