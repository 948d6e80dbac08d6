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
`.replace(/\s+/g,` `),t={chat:`Chat`,close:e=>`Close ${e}`,open:(e,t)=>`Open ${e}${t>0?`, ${t} unread`:``}`},n=document.currentScript,r=window;function i(n,i,c){let l={unread:[],open:[],identity:[]},u=[],d=`parley:${n}:open`,f,p=null,m=o(d)&&innerWidth>520,h=t.chat,g=0,_={},v=document.createElement(`div`),y=v.attachShadow({mode:`open`});c!==`auto`&&(v.style.colorScheme=c);let b=new CSSStyleSheet;b.replaceSync(e),y.adoptedStyleSheets=[b];let x=document.createElement(`button`);x.type=`button`,x.hidden=!0,x.append(a(`open`,`M12 3.5c-5 0-9 3.3-9 7.5 0 2.2 1.1 4.2 2.9 5.6L5 20.5l4.4-1.9c.8.2 1.7.3 2.6.3 5 0 9-3.4 9-7.6s-4-7.8-9-7.8Z`),a(`close`,`m5.5 9 6.5 6.5L18.5 9`));let S=document.createElement(`span`);S.className=`badge`,S.hidden=!0,x.append(S);let C=document.createElement(`div`);C.className=`panel`,C.setAttribute(`role`,`dialog`);let w=document.createElement(`iframe`);w.referrerPolicy=`strict-origin`,w.src=`${i}/widget/frame?inbox=${encodeURIComponent(n)}`,C.append(w),y.append(C,x);let T=(e,t)=>{for(let n of l[e]??[])n(t)},E=e=>f?f.postMessage(e):u.push(e),D=()=>f?.postMessage({type:`visit`,page:location.href,title:document.title,referrer:document.referrer,facts:_}),O=()=>{x.setAttribute(`aria-label`,m?t.close(h):t.open(h,g)),x.setAttribute(`aria-expanded`,String(m)),C.setAttribute(`aria-label`,h),w.title=h,S.hidden=g===0||m,S.textContent=g>9?`9+`:String(g)},k=(e,t)=>{let n=m!==e;m=e,s(d,m),v.toggleAttribute(`data-open`,m),O(),m&&t&&w.focus(),E({type:`open`,open:m,focus:t}),n&&T(`open`,m)},A=e=>{switch(e.type){case`look`:return h=e.title,v.dataset.position=e.position,v.style.setProperty(`--color`,e.color),v.style.setProperty(`--ink`,e.ink),x.hidden=!e.shown,C.hidden=!e.shown,O();case`unread`:return g=e.count,O(),T(`unread`,g);case`close`:return k(!1,!1),x.focus();case`identity`:return T(`identity`,e.state);case`problem`:return console.error(`Parley: ${e.text}`)}};window.addEventListener(`message`,e=>{if(e.source!==w.contentWindow||e.origin!==i||e.data?.parley!==`hello`)return;let t=new MessageChannel;f?.close(),f=t.port1,f.onmessage=({data:e})=>A(e),w.contentWindow?.postMessage({parley:`welcome`,theme:c,open:m,identity:p},i,[t.port2]);for(let e of u.splice(0))f.postMessage(e);D()}),w.addEventListener(`load`,()=>{setTimeout(()=>{f||console.error(`Parley: the chat may not be shown on ${location.origin}. Add it to the websites of the inbox (Settings, Inboxes, Widget), or leave that list empty. Or there is no web inbox ${n}: see data-inbox of the tag.`)},3e3)});let j=window.navigation;(j??window).addEventListener(j?`navigatesuccess`:`popstate`,D),x.addEventListener(`click`,()=>k(!m,!0));for(let e of[`pointerenter`,`focus`])x.addEventListener(e,()=>f?.postMessage({type:`near`}));y.addEventListener(`keydown`,e=>{e.key===`Escape`&&m&&k(!1,!1)});let M={open:()=>k(!0,!0),close:()=>k(!1,!1),toggle:()=>k(!m,!0),identify(e){let t=e?.token;if(typeof t!=`string`)return console.error(`Parley: "identify" needs {token: "…"}, the identity that your server signed.`);p=t,f?.postMessage({type:`identify`,token:t})},logout(){p=null,_={},k(!1,!1),E({type:`logout`})},set(e){_={..._,...JSON.parse(JSON.stringify(e??{}))},D()},on(e,t){let n=l[String(e)];if(!n||typeof t!=`function`)return console.error(`Parley: "on" knows ${Object.keys(l).join(`, `)}, and needs a function.`);n.push(t),e===`unread`&&t(g)}},N=(e,...t)=>{let n=Object.hasOwn(M,e)?M[e]:void 0;if(!n)return console.error(`Parley: there is no "${e}"; there are ${Object.keys(M).join(`, `)}.`);n(...t)};N.running=!0;let P=r.Parley?.q??[];r.Parley=N,document.body.append(v),v.toggleAttribute(`data-open`,m),O();for(let e of Array.from(P))N(...Array.from(e))}function a(e,t){let n=document.createElementNS(`http://www.w3.org/2000/svg`,`svg`);n.setAttribute(`class`,e),n.setAttribute(`viewBox`,`0 0 24 24`),n.setAttribute(`aria-hidden`,`true`);let r=document.createElementNS(n.namespaceURI,`path`);return r.setAttribute(`d`,t),n.append(r),n}function o(e){try{return sessionStorage.getItem(e)===`1`}catch{return!1}}function s(e,t){try{sessionStorage.setItem(e,t?`1`:`0`)}catch{return}}var c=n?.dataset.inbox;if(r.Parley?.running)console.error(`Parley: the tag is in this page twice.`);else if(!n||!c)console.error(`Parley: the tag needs data-inbox, and to be a script element of its own.`);else{let e=n.dataset.theme,t=()=>i(c,new URL(n.src).origin,e===`light`||e===`dark`?e:`auto`);document.body?t():document.addEventListener(`DOMContentLoaded`,t)}})();