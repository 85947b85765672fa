/** The stylesheet of the page: plain, readable from a width of 360 px, with a light and a dark colour scheme. */
export const docsStyle = `
:root{color-scheme:light dark;--ink:#1d2430;--paper:#fff;--soft:#f3f5f8;--line:#d5dbe3;--accent:#0b5cad;--quiet:#55606f}
@media (prefers-color-scheme:dark){:root{--ink:#e6eaf0;--paper:#14181f;--soft:#1e242e;--line:#38414f;--accent:#7db8f5;--quiet:#a9b4c3}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:70rem;padding:1rem;font:1rem/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
h1{margin:.5rem 0}h2{margin:2.5rem 0 .5rem;border-bottom:1px solid var(--line);padding-bottom:.25rem}h3{margin:1.5rem 0 .25rem;font-size:1rem}
a{color:var(--accent)}a:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;list-style:none}
code,pre{font:.875rem/1.5 ui-monospace,monospace}code{overflow-wrap:anywhere}
pre{background:var(--soft);border:1px solid var(--line);border-radius:.35rem;padding:.75rem;overflow-x:auto}
details{border:1px solid var(--line);border-radius:.35rem;margin:.5rem 0;padding:.5rem .75rem}
summary{cursor:pointer}summary .method{display:inline-block;min-width:4rem;font-weight:700;color:var(--accent)}
summary .what{color:var(--quiet)}
.table{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;border-bottom:1px solid var(--line)}
td code{overflow-wrap:normal}
`;
