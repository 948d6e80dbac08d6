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
`.replace(/\s+/g,` `),t=document.currentScript,n=window;function r(t,r,s){let c={unread:[],open:[],identity:[]},l=[],u=`parley:${t}:open`,d,f=null,p=a(u)&&innerWidth>520,m=`Chat`,h=0,g=document.createElement(`div`),_=g.attachShadow({mode:`open`});s!==`auto`&&(g.style.colorScheme=s);let v=new CSSStyleSheet;v.replaceSync(e),_.adoptedStyleSheets=[v];let y=document.createElement(`button`);y.type=`button`,y.hidden=!0,y.append(i(`open`,`M12 3.5c-5 0-9 3.3-9 7.5 0 2.2 1.1 4.2 2.9 5.6L5 20.5l4.4-1.9c.8.2 1.7.3 2.6.3 5 0 9-3.4 9-7.6s-4-7.8-9-7.8Z`),i(`close`,`m5.5 9 6.5 6.5L18.5 9`));let b=document.createElement(`span`);b.className=`badge`,b.hidden=!0,y.append(b);let x=document.createElement(`div`);x.className=`panel`,x.setAttribute(`role`,`dialog`);let S=document.createElement(`iframe`);S.referrerPolicy=`strict-origin`,S.src=`${r}/widget/frame?inbox=${encodeURIComponent(t)}`,x.append(S),_.append(x,y);let C=(e,t)=>{for(let n of c[e]??[])n(t)},w=e=>d?d.postMessage(e):l.push(e),T=()=>{let e=h>0?`, ${h} unread`:``;y.setAttribute(`aria-label`,p?`Close ${m}`:`Open ${m}${e}`),y.setAttribute(`aria-expanded`,String(p)),x.setAttribute(`aria-label`,m),S.title=m,b.hidden=h===0||p,b.textContent=h>9?`9+`:String(h)},E=(e,t)=>{let n=p!==e;p=e,o(u,p),g.toggleAttribute(`data-open`,p),T(),p&&t&&S.focus(),w({type:`open`,open:p,focus:t}),n&&C(`open`,p)},D=e=>{switch(e.type){case`look`:return m=e.title,g.dataset.position=e.position,g.style.setProperty(`--color`,e.color),g.style.setProperty(`--ink`,e.ink),y.hidden=!e.shown,x.hidden=!e.shown,T();case`unread`:return h=e.count,T(),C(`unread`,h);case`close`:return E(!1,!1),y.focus();case`identity`:return C(`identity`,e.state);case`problem`:return console.error(`Parley: ${e.text}`)}};window.addEventListener(`message`,e=>{if(e.source!==S.contentWindow||e.origin!==r||e.data?.parley!==`hello`)return;let t=new MessageChannel;d?.close(),d=t.port1,d.onmessage=({data:e})=>D(e),S.contentWindow?.postMessage({parley:`welcome`,theme:s,open:p,identity:f},r,[t.port2]);for(let e of l.splice(0))d.postMessage(e)}),S.addEventListener(`load`,()=>{setTimeout(()=>{d||console.error(`Parley: the chat may not be shown on ${location.origin}. Add it to the websites of the inbox (Settings, Inboxes, Widget), or leave that list empty. Or there is no web inbox ${t}: see data-inbox of the tag.`)},3e3)}),y.addEventListener(`click`,()=>E(!p,!0)),_.addEventListener(`keydown`,e=>{e.key===`Escape`&&p&&E(!1,!1)});let O={open:()=>E(!0,!0),close:()=>E(!1,!1),toggle:()=>E(!p,!0),identify(e){let t=e?.token;if(typeof t!=`string`)return console.error(`Parley: "identify" needs {token: "…"}, the identity that your server signed.`);f=t,d?.postMessage({type:`identify`,token:t})},logout(){f=null,E(!1,!1),w({type:`logout`})},on(e,t){let n=c[String(e)];if(!n||typeof t!=`function`)return console.error(`Parley: "on" knows ${Object.keys(c).join(`, `)}, and needs a function.`);n.push(t),e===`unread`&&t(h)}},k=(e,...t)=>{let n=Object.hasOwn(O,e)?O[e]:void 0;if(!n)return console.error(`Parley: there is no "${e}"; there are ${Object.keys(O).join(`, `)}.`);n(...t)};k.running=!0;let A=n.Parley?.q??[];n.Parley=k,document.body.append(g),g.toggleAttribute(`data-open`,p),T();for(let e of Array.from(A))k(...Array.from(e))}function i(e,t){let n=document.createElementNS(`http://www.w3.org/2000/svg`,`svg`);n.setAttribute(`class`,e),n.setAttribute(`viewBox`,`0 0 24 24`),n.setAttribute(`aria-hidden`,`true`);let r=document.createElementNS(n.namespaceURI,`path`);return r.setAttribute(`d`,t),n.append(r),n}function a(e){try{return sessionStorage.getItem(e)===`1`}catch{return!1}}function o(e,t){try{sessionStorage.setItem(e,t?`1`:`0`)}catch{return}}var s=t?.dataset.inbox;if(n.Parley?.running)console.error(`Parley: the tag is in this page twice.`);else if(!t||!s)console.error(`Parley: the tag needs data-inbox, and to be a script element of its own.`);else{let e=t.dataset.theme,n=()=>r(s,new URL(t.src).origin,e===`light`||e===`dark`?e:`auto`);document.body?n():document.addEventListener(`DOMContentLoaded`,n)}})();