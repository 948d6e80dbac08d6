// The name of the chat until the frame has told it, with the words of the button in its
// language. The chat's own words are files of the server (internal/words/chat).

export const texts = { chat: "Chat" };
