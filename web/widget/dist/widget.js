(function(){var e=`
:host { all: initial; --gap: 20px; --x: 1; color-scheme: light dark; }
:host([data-position="left"]) { --x: 0; }
button, .panel { position: fixed; z-index: 2147483000; }
[hidden] { display: none !important; }
button {
  right: calc(var(--gap) + env(safe-area-inset-right));
  bottom: calc(var(--gap) + env(safe-area-inset-bottom));
  box-sizing: border-box; width: 56px; height: 56px; margin: 0; padding: 0; border: 0; border-radius: 50%;
  background: var(--color); color: var(--ink); cursor: pointer;
  box-shadow: 0 1px 3px #0003, 0 6px 22px #00000038;
  transition: transform .16s cubic-bezier(.2,.7,.3,1), box-shadow .16s;
}
:host([data-position="left"]) button { right: auto; left: calc(var(--gap) + env(safe-area-inset-left)); }
button:hover { transform: translateY(-2px); box-shadow: 0 2px 4px #0003, 0 10px 28px #00000042; }
button:active { transform: scale(.95); }
button:focus-visible { outline: 3px solid var(--ink); outline-offset: -6px; box-shadow: 0 0 0 3px var(--color), 0 6px 22px #00000038; }
svg { position: absolute; inset: 15px; width: 26px; height: 26px; transition: opacity .14s, transform .2s cubic-bezier(.2,.7,.3,1); }
path { fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.close, :host([data-open]) .open { opacity: 0; transform: scale(.6) rotate(-30deg); }
:host([data-open]) .close { opacity: 1; transform: none; }
.badge {
  position: absolute; top: -3px; right: -3px; box-sizing: border-box; min-width: 21px; height: 21px; padding: 0 6px; border-radius: 11px;
  background: #c62828; color: #fff; font: 600 12px/21px system-ui, sans-serif; text-align: center; box-shadow: 0 0 0 2px #fff;
}
.panel {
  right: calc(var(--gap) + env(safe-area-inset-right));
  bottom: calc(var(--gap) + 70px + env(safe-area-inset-bottom));
  width: 400px; max-width: calc(100vw - 2 * var(--gap)); height: min(700px, calc(100dvh - 2 * var(--gap) - 76px));
  border-radius: 18px; overflow: hidden; background: light-dark(#fff, #161b1a);
  box-shadow: 0 0 0 1px light-dark(#0000000f, #ffffff1c), 0 4px 12px #0000001f, 0 18px 60px #0000003d;
  visibility: hidden; opacity: 0; transform: translateY(10px) scale(.98); transform-origin: calc(100% * var(--x)) 100%;
  transition: opacity .16s, transform .2s cubic-bezier(.2,.7,.3,1), visibility 0s .2s;
}
:host([data-position="left"]) .panel { right: auto; left: calc(var(--gap) + env(safe-area-inset-left)); }
:host([data-open]) .panel { visibility: visible; opacity: 1; transform: none; transition-delay: 0s; }
iframe { display: block; width: 100%; height: 100%; border: 0; color-scheme: inherit; }
@media (max-width: 520px), (max-height: 480px) {
  .panel, :host([data-position="left"]) .panel { inset: 0; width: 100%; max-width: none; height: 100%; border-radius: 0; }
  :host([data-open]) button { visibility: hidden; }
  :host { --gap: 16px; }
}
@media (prefers-reduced-motion: reduce) { button, svg, .panel { transition: none; } }
@media print { :host { display: none; } }
`.replace(/\s+/g,` `),t={chat:`Chat`},n=document.currentScript,r=window;function i(i,c,l){let u={unread:[],open:[],identity:[]},d=[],f=`parley:${i}:open`,p,m=null,h=o(f)&&innerWidth>520,g={title:t.chat,open:t.chat,close:t.chat,language:``},_=0,v=``,y=n?.dataset.language??``,b={},x=document.createElement(`div`),S=x.attachShadow({mode:`open`});l!==`auto`&&(x.style.colorScheme=l);let C=new CSSStyleSheet;C.replaceSync(e),S.adoptedStyleSheets=[C];let w=document.createElement(`button`);w.type=`button`,w.hidden=!0,w.append(a(`open`,`M12 3.5c-5 0-9 3.3-9 7.5 0 2.2 1.1 4.2 2.9 5.6L5 20.5l4.4-1.9c.8.2 1.7.3 2.6.3 5 0 9-3.4 9-7.6s-4-7.8-9-7.8Z`),a(`close`,`m5.5 9 6.5 6.5L18.5 9`));let T=document.createElement(`span`);T.className=`badge`,T.hidden=!0,w.append(T);let E=document.createElement(`div`);E.className=`panel`,E.setAttribute(`role`,`dialog`);let D=document.createElement(`iframe`);D.referrerPolicy=`strict-origin`,D.src=`${c}/widget/frame?inbox=${encodeURIComponent(i)}`,E.append(D),S.append(E,w);let O=(e,t)=>{for(let n of u[e]??[])n(t)},k=()=>[y,document.documentElement.lang],A=e=>p?p.postMessage(e):d.push(e),j=()=>p?.postMessage({type:`visit`,page:location.href,title:document.title,referrer:document.referrer,facts:b}),M=()=>{x.lang=g.language,w.setAttribute(`aria-label`,h?g.close:_>0?`${g.open}, ${v}`:g.open),w.setAttribute(`aria-expanded`,String(h)),E.setAttribute(`aria-label`,g.title),D.title=g.title,T.hidden=_===0||h,T.textContent=_>9?`9+`:String(_)},N=(e,t)=>{let n=h!==e;h=e,s(f,h),x.toggleAttribute(`data-open`,h),M(),h&&t&&D.focus(),A({type:`open`,open:h,focus:t}),n&&O(`open`,h)},P=e=>{switch(e.type){case`look`:return g=e,x.dataset.position=e.position,x.style.setProperty(`--color`,e.color),x.style.setProperty(`--ink`,e.ink),w.hidden=!e.shown,E.hidden=!e.shown,M();case`unread`:return _=e.count,v=e.text,M(),O(`unread`,_);case`close`:return N(!1,!1),w.focus();case`identity`:return O(`identity`,e.state);case`problem`:return console.error(`Parley: ${e.text}`)}};window.addEventListener(`message`,e=>{if(e.source!==D.contentWindow||e.origin!==c||e.data?.parley!==`hello`)return;let t=new MessageChannel;p?.close(),p=t.port1,p.onmessage=({data:e})=>P(e),D.contentWindow?.postMessage({parley:`welcome`,theme:l,open:h,identity:m,languages:k()},c,[t.port2]);for(let e of d.splice(0))p.postMessage(e);j()}),D.addEventListener(`load`,()=>{setTimeout(()=>{p||console.error(`Parley: the chat may not be shown on ${location.origin}. Add it to the websites of the inbox (Settings, Inboxes, Widget), or leave that list empty. Or there is no web inbox ${i}: see data-inbox of the tag.`)},3e3)});let F=window.navigation;(F??window).addEventListener(F?`navigatesuccess`:`popstate`,j),w.addEventListener(`click`,()=>N(!h,!0));for(let e of[`pointerenter`,`focus`])w.addEventListener(e,()=>p?.postMessage({type:`near`}));S.addEventListener(`keydown`,e=>{e.key===`Escape`&&h&&N(!1,!1)});let I={open:()=>N(!0,!0),close:()=>N(!1,!1),toggle:()=>N(!h,!0),identify(e){let t=e?.token;if(typeof t!=`string`)return console.error(`Parley: "identify" needs {token: "…"}, the identity that your server signed.`);m=t,p?.postMessage({type:`identify`,token:t})},logout(){m=null,b={},N(!1,!1),A({type:`logout`})},language(e){y=typeof e==`string`?e:``,p?.postMessage({type:`language`,languages:k()})},set(e){b={...b,...JSON.parse(JSON.stringify(e??{}))},j()},on(e,t){let n=u[String(e)];if(!n||typeof t!=`function`)return console.error(`Parley: "on" knows ${Object.keys(u).join(`, `)}, and needs a function.`);n.push(t),e===`unread`&&t(_)}},L=(e,...t)=>{let n=Object.hasOwn(I,e)?I[e]:void 0;if(!n)return console.error(`Parley: there is no "${e}"; there are ${Object.keys(I).join(`, `)}.`);n(...t)};L.running=!0;let R=r.Parley?.q??[];r.Parley=L,document.body.append(x),x.toggleAttribute(`data-open`,h),M();for(let e of Array.from(R))L(...Array.from(e))}function a(e,t){let n=document.createElementNS(`http://www.w3.org/2000/svg`,`svg`);n.setAttribute(`class`,e),n.setAttribute(`viewBox`,`0 0 24 24`),n.setAttribute(`aria-hidden`,`true`);let r=document.createElementNS(n.namespaceURI,`path`);return r.setAttribute(`d`,t),n.append(r),n}function o(e){try{return sessionStorage.getItem(e)===`1`}catch{return!1}}function s(e,t){try{sessionStorage.setItem(e,t?`1`:`0`)}catch{return}}var c=n?.dataset.inbox;if(r.Parley?.running)console.error(`Parley: the tag is in this page twice.`);else if(!n||!c)console.error(`Parley: the tag needs data-inbox, and to be a script element of its own.`);else{let e=n.dataset.theme,t=()=>i(c,new URL(n.src).origin,e===`light`||e===`dark`?e:`auto`);document.body?t():document.addEventListener(`DOMContentLoaded`,t)}})();