// What a shop does with the widget: it names its customer by the identity that
// its server has signed, and may show and steer the chat by itself.
window.Parley ??= function () {
  (Parley.q ??= []).push(arguments);
};
const token = document.querySelector('meta[name="parley-identity"]')?.content;
if (token) Parley("identify", { token });

const help = document.getElementById("help");
help.addEventListener("click", () => Parley("open"));
Parley("on", "unread", (count) => {
  help.textContent = count > 0 ? `Help (${count})` : "Help";
});
