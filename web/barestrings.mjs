// Finds texts that people read and that are in no catalogue (texts.ts beside
// the page): text between tags, properties that are shown or announced, and
// strings that look like a sentence, a word at its start or a number with its
// unit. Class names, addresses and ids are not texts.

const shown = /^(?:label|title|placeholder|description|hint|action|alt|text|heading|empty|fault|said|lead|note|legend|caption|done|aria-(?:label|description|roledescription|valuetext))$/;
/** A single letter may be a key on the keyboard. */
const word = /\p{L}{2}/u;
/** Two words, or one with a capital letter; \0 is a hole of a template. */
const sentence = /\p{L}{2}[,.:;!?…]?\s+\p{L}|^\p{Lu}\p{Ll}+[.!?…]?$|\p{L}\s\0|\0\s\p{L}|^[a-z]{2}-[A-Z]{2}$/u;
/** Keys of keyboards as events name them, markup, a command, and the scheme of a header. */
const names = /^(?:Enter|Escape|Tab|Shift|Control|Meta|Alt|Dead|Unidentified)$|^<|^curl |^Bearer \0$/;
/** Calls whose strings are for programs, or for the shop's developers in their console. */
const unseen = /^(?:console|problem|includes|startsWith|endsWith|get|has|setRequestHeader|addEventListener|removeEventListener|querySelector|querySelectorAll|matchMedia|closest)$/;

/** HTML attributes. */
const attributes = /^(?:class|className|style|id|href|src|key|type|d|viewBox|rel|target|transform|points|allow|sandbox|autoComplete|media|variant|render)$/;

/** The value of a constant of the same file, or null. */
function valueOf(node, scope) {
  for (let at = scope; at; at = at.upper) {
    const [definition] = at.set.get(node.name)?.defs ?? [];
    if (definition) return definition.type === "Variable" && definition.parent.kind === "const" && definition.node.id.type === "Identifier" ? definition.node.init : null;
  }
  return null;
}

/** The strings that an expression can evaluate to. */
function* stringsOf(node, scope) {
  if (node === null) return;
  if (node.type === "Literal" && typeof node.value === "string") yield [node, node.value];
  else if (node.type === "TemplateLiteral") yield [node, node.quasis.map(({ value }) => value.cooked).join(" ")];
  else if (node.type === "ConditionalExpression") yield* [...stringsOf(node.consequent, scope), ...stringsOf(node.alternate, scope)];
  else if (node.type === "LogicalExpression") yield* [...stringsOf(node.left, scope), ...stringsOf(node.right, scope)];
  else if (node.type === "JSXExpressionContainer") yield* stringsOf(node.expression, scope);
  else if (node.type === "Identifier") yield* stringsOf(valueOf(node, scope), scope);
}

/** Whether an expression is a text for people: of the catalogue, or a number or date in their language. */
function isText(node) {
  if (node.type === "MemberExpression") return (node.object.type === "Identifier" && node.object.name === "texts") || isText(node.object);
  if (node.type === "CallExpression") return isText(node.callee) || /^toLocale\w*String$/.test(node.callee.property?.name ?? "");
  return false;
}

/** Whether a string stands where otherwise a text for people does, or is put into one, even if it is a single small word. */
function besideText(node) {
  const { parent } = node;
  if (parent.type === "ConditionalExpression") return parent.test !== node && (isText(parent.consequent) || isText(parent.alternate) || besideText(parent));
  if (parent.type === "LogicalExpression" || (parent.type === "BinaryExpression" && parent.operator === "+")) return isText(parent.left) || isText(parent.right);
  return parent.type === "CallExpression" && parent.arguments.includes(node) && isText(parent.callee);
}

/** Whether a string with this beginning is for programs or their developers here, not for people. */
function technical(node, text) {
  const { parent } = node;
  switch (parent.type) {
    case "BinaryExpression":
      return /^(?:[=!]==?|in)$/.test(parent.operator);
    case "Property":
      return parent.key === node || (parent.key.name === "rel" && parent.value === node);
    case "CallExpression":
      return unseen.test(parent.callee.property?.name ?? parent.callee.name ?? "") || unseen.test(parent.callee.object?.name ?? "") || (parent.callee.type === "Super" && /^\p{Ll}/u.test(text));
    case "NewExpression": // errors that cannot happen start with a small letter
      return /Error$/.test(parent.callee.name) && /^\p{Ll}/u.test(text);
    case "TemplateLiteral":
    case "ConditionalExpression":
      return technical(parent, text);
    default:
      return /^(?:Import|Export|TS|SwitchCase|MemberExpression|TaggedTemplate)/.test(parent.type);
  }
}

/**
 * Whether the string belongs to an attribute that people do not read: one in small letters, as in HTML, or of styles.
 */
function inMarkup(node) {
  for (let at = node.parent; at; at = at.parent) {
    if (/Function|JSXElement/.test(at.type)) return false;
    if (at.type === "JSXAttribute") return attributes.test(at.name.name);
  }
  return false;
}

export default {
  meta: { type: "problem", schema: [], messages: { bare: "“{{text}}” is shown to people: it belongs into the texts of the page." } },
  create(context) {
    const said = new Set();
    const report = (node, text) => {
      if (!said.has(node)) context.report({ node, messageId: "bare", data: { text: text.replaceAll(/\s+/g, " ").trim() } });
      said.add(node);
    };
    const check = (node) => {
      if (node === null) return;
      for (const [at, text] of stringsOf(node, context.sourceCode.getScope(node))) if (word.test(text)) report(at, text);
    };
    const read = (node, text) => {
      if (word.test(text) && besideText(node) && !technical(node, text)) report(node, text.replaceAll("\0", " "));
      if (sentence.test(text) && !names.test(text) && !technical(node, text) && !inMarkup(node)) report(node, text.replaceAll("\0", " "));
    };
    return {
      JSXText: (node) => {
        if (node.parent.openingElement?.name.name === "code") return; // text for programs
        if (word.test(node.value)) report(node, node.value);
      },
      ":matches(JSXElement, JSXFragment) > JSXExpressionContainer": check,
      JSXAttribute: (node) => {
        if (typeof node.name.name === "string" && shown.test(node.name.name)) check(node.value);
      },
      Property: (node) => {
        if (!node.computed && node.parent.type === "ObjectExpression" && shown.test(node.key.name ?? node.key.value)) check(node.value);
      },
      Literal: (node) => {
        if (typeof node.value === "string") read(node, node.value);
      },
      TemplateLiteral: (node) => {
        read(node, node.quasis.map(({ value }) => value.cooked).join("\0"));
      },
    };
  },
};
