/** The rules of the drawer: a bar below the page, and once open a panel, on a wide screen at the right. */
export const wireStyle = `.wire { background: var(--paper); border-top: 1px solid var(--line); }
body { display: flex; flex-direction: column; min-height: 100vh; }
header, main { width: 100%; }
aside { margin-top: auto; }
.wire summary { cursor: pointer; min-height: 2.75rem; padding: .6rem 1rem; }
.wire > summary { max-width: 44rem; margin: 0 auto; font-size: .9375rem; font-weight: 600; }
.wire .count { margin-left: .25rem; padding: .1rem .5rem; border-radius: 1rem; background: var(--ground); color: var(--quiet); font-size: .8125rem; font-weight: 400; white-space: nowrap; }
.calls { max-width: 44rem; margin: 0 auto; padding: 0 1rem 1rem; font-size: .9375rem; }
.calls h2 { margin: 1rem 0 .25rem; font-size: 1rem; }
.calls h2 .quiet { font-size: .875rem; font-weight: 400; }
.calls h3 { margin: .75rem 0 .25rem; font-size: .875rem; color: var(--quiet); }
.calls ul { list-style: none; margin: 0; padding: 0; border: 1px solid var(--line); border-radius: .5rem; }
.calls li:not(:first-child) { border-top: 1px solid var(--line); }
.calls li details[open] { padding: 0 .75rem .75rem; }
.calls li summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .5rem; padding: .6rem .75rem; }
.calls li details[open] > summary { margin: 0 -.75rem; }
.calls li summary::before { content: "▸"; color: var(--quiet); }
.calls li details[open] > summary::before { content: "▾"; }
.calls .verb, .calls .path, .calls code, .calls pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .8125rem; }
.calls .verb { font-weight: 700; }
.calls .path { flex: 1 1 12rem; overflow-wrap: anywhere; }
.calls .outcome { margin-left: auto; white-space: nowrap; font-size: .875rem; font-variant-numeric: tabular-nums; }
.calls .code { font-weight: 700; }
.calls .push { color: var(--strong); }
.calls .ms { color: var(--quiet); }
.calls .request-id { margin: 0; }
.calls pre { margin: 0; padding: .75rem; border-radius: .5rem; background: var(--ground); white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.45; }
.calls pre + pre { margin-top: .25rem; }
.calls pre b { font-weight: 600; }
@media (min-width: 72rem) {
  body:has(.wire[open]) { padding-right: 30rem; }
  .wire[open] { position: fixed; inset: 0 0 0 auto; width: 30rem; border-top: 0; border-left: 1px solid var(--line); overflow: auto; }
}
`;
