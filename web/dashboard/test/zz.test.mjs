import { openHouse } from "/work/main/web/dashboard/test/start.mjs";
const { scene, server } = await openHouse();
scene("t", { token: "", allow: [/./s] }, async ({ page, context }) => {
  let t = Date.now(); const lap = (n) => { console.log(n, Date.now() - t); t = Date.now(); };
  await page.goto("/signin"); lap("goto");
  await page.getByRole("textbox", { name: "E-mail" }).fill(server.login);
  await page.getByLabel("Password", { exact: true }).fill(server.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "All open" }).waitFor(); lap("in");
  const other = await context.newPage();
  await other.goto("/contacts"); lap("goto2");
  await other.getByRole("heading", { level: 1, name: "Contacts" }).waitFor(); lap("contacts");
  await page.getByRole("button", { name: "Ann" }).click(); lap("menu");
  const z=Date.now(); page.on("request", r=>console.log("  req",Date.now()-z,r.method(),r.url())); page.on("response", r=>console.log("  res",Date.now()-z,r.status(),r.url()));page.on("framenavigated", r=>console.log("  nav",Date.now()-z,r.url()));
  await page.getByRole("menuitem", { name: "Sign out" }).click(); lap("out");
  await page.getByRole("heading", { name: "Sign in" }).waitFor(); lap("signin");
  await other.getByRole("heading", { name: "Sign in" }).waitFor(); lap("other");
});

async function join(desk, email, name) {
  const { link } = await desk.post("/v1/dashboard/invitations", { email, role: "agent" });
  await fetch(`${server.origin}/v1/dashboard/invitations/accept`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token: link.split("#")[1], name, password: "a long enough password" }) });
  const { signIn } = await import("/work/main/web/dashboard/test/start.mjs");
  return signIn(server.origin, email, "a long enough password");
}
scene("two", {}, async ({ page, visit, api, desk }) => {
  let t = Date.now(); const lap = (n) => { console.log(n, Date.now() - t); t = Date.now(); };
  const token = await join(desk, "bo.second@example.org", "Bo Second");lap("join");
  const contact = await api.post("/v1/public/contacts", { name:"Vera", email: `v@example.org` });
  const { id } = await api.post("/v1/public/conversations", { contactId: contact.id });
  const path=`/v1/public/conversations/${id}`;
  await api.post(`/v1/public/conversations/${id}/messages`, { content:"hu", role: "incoming" });
  const other = await (await visit({ token })).newPage();
  const address = `/inbox/${id}?status=open`;
  await page.goto(address);lap("goto");
  await other.goto(address);lap("goto");
  await page.getByText("Bo Second is also looking at this").waitFor();lap("see");
  await other.getByText(/is also looking at this/).waitFor();lap("see");
  await other.getByRole("textbox", { name: "Reply" }).pressSequentially("I take ");lap("type");
  await page.getByText("Bo Second is writing an answer …").waitFor();lap("typing");
  await other.getByRole("textbox", { name: "Reply" }).fill("I take care of it");
  await other.getByRole("textbox", { name: "Reply" }).press("Control+Enter");lap("send");
  await page.getByRole("article", { name: /^Message from Bo Second/ }).getByText("I take care of it").waitFor();lap("arrive");
  await page.getByText("Bo Second is also looking at this").waitFor();lap("looking");
  await other.keyboard.press("Escape"); // out of the field, so that keys are commands
  await other.keyboard.press("i");
  await page.getByLabel("Assignee: Bo Second").waitFor();lap("assign");
  await page.getByRole("button", { name: "Resolve" }).click();
  await other.getByRole("button", { name: "Open again" }).waitFor();lap("resolve");
  await other.getByRole("link", { name: "Contacts" }).click();
  await page.getByText(/Bo Second is/).waitFor({ state: "detached" });lap("gone");
});
