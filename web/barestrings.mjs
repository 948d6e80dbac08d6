// Finds words in TSX that a reader sees and that no catalogue has (texts.ts
// beside the page): text between tags, and the properties that are shown or read
// out. What stands in class names, addresses and ids is nobody's text.

const shown = /^(?:label|title|placeholder|description|hint|action|alt|text|heading|empty|aria-(?:label|description|roledescription|valuetext))$/;
/** One letter may be a key on the keyboard. */
const word = /\p{L}{2}/u;

/** The strings that an expression may become. */
function* stringsOf(node) {
  if (node === null) return;
  if (node.type === "Literal" && typeof node.value === "string") yield [node, node.value];
  else if (node.type === "TemplateLiteral") yield [node, node.quasis.map(({ value }) => value.cooked).join(" ")];
  else if (node.type === "ConditionalExpression") yield* [...stringsOf(node.consequent), ...stringsOf(node.alternate)];
  else if (node.type === "LogicalExpression") yield* [...stringsOf(node.left), ...stringsOf(node.right)];
  else if (node.type === "JSXExpressionContainer") yield* stringsOf(node.expression);
}

export default {
  meta: { type: "problem", schema: [], messages: { bare: "“{{text}}” is shown to people: it belongs into the texts of the page." } },
  create(context) {
    const check = (node) => {
      for (const [at, text] of stringsOf(node)) if (word.test(text)) context.report({ node: at, messageId: "bare", data: { text: text.trim() } });
    };
    return {
      JSXText: (node) => {
        if (node.parent.openingElement?.name.name === "code") return; // what a program reads
        if (word.test(node.value)) context.report({ node, messageId: "bare", data: { text: node.value.trim() } });
      },
      ":matches(JSXElement, JSXFragment) > JSXExpressionContainer": check,
      JSXAttribute: (node) => {
        if (typeof node.name.name === "string" && shown.test(node.name.name)) check(node.value);
      },
    };
  },
};
