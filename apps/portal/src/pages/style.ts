import { createHash } from 'node:crypto';

const palette = `:root {
  color-scheme: light dark;
  --ground: #fff; --paper: #f6f8fa; --ink: #16222d; --quiet: #54626e; --line: #dde4ea; --field: #7b8894;
  --strong: #0b5c8a; --on-strong: #fff; --soft: #e8f1f7;
  --good: #12693a; --good-ground: #e2f4ea; --attention: #7a4b00; --attention-ground: #fff1d6;
  --problem: #9c1c14; --problem-ground: #fde5e4;
  --code: #10202e; --code-ink: #dbe7f0; --code-quiet: #9fb4c4; --code-line: #2a3e4f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f171e; --paper: #17222c; --ink: #e6edf3; --quiet: #a3b1bd; --line: #2b3945; --field: #6f7f8c;
    --strong: #7cc4f0; --on-strong: #0a1a25; --soft: #14303f;
    --good: #9be0b5; --good-ground: #143424; --attention: #f5cf8a; --attention-ground: #3a2a0c;
    --problem: #ffb4ab; --problem-ground: #45191a;
    --code: #0a1219; --code-ink: #dbe7f0; --code-quiet: #9fb4c4; --code-line: #2a3e4f;
  }
}
`;

const text = `* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.6 system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
h1, h2, h3 { line-height: 1.25; letter-spacing: -.01em; }
h1 { font-size: 1.9rem; margin: 0 0 .75rem; }
h2 { font-size: 1.3rem; margin: 2.75rem 0 .75rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
p { margin: 0 0 1rem; }
p, li, dd, h1 { overflow-wrap: anywhere; }
ul, ol { padding-left: 1.4rem; margin: 0 0 1rem; }
a { color: var(--strong); text-underline-offset: .15em; }
.lead { font-size: 1.1rem; color: var(--quiet); max-width: 44rem; }
.quiet { color: var(--quiet); }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace; font-size: .84em; }
:not(pre) > code:not(.path) { background: var(--paper); border: 1px solid var(--line); border-radius: .3rem; padding: .05rem .3rem; overflow-wrap: anywhere; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: .5rem; z-index: 2; background: var(--ground); padding: .5rem 1rem; }
:focus-visible { outline: 2px solid var(--strong); outline-offset: 2px; border-radius: .2rem; }
main:focus { outline: none; }
.button { display: inline-block; background: var(--strong); color: var(--on-strong); border: 1px solid var(--strong); border-radius: .45rem;
  padding: .5rem 1.1rem; font-weight: 600; text-decoration: none; margin: 0 .5rem .5rem 0; }
.button.second { background: none; color: var(--strong); }
.pill { border-radius: 1rem; padding: .1rem .65rem; font-weight: 600; font-size: .8rem; white-space: nowrap; }
.good { background: var(--good-ground); color: var(--good); }
.attention { background: var(--attention-ground); color: var(--attention); }
.problem { background: var(--problem-ground); color: var(--problem); }
`;

const frame = `.top { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 2rem; padding: .8rem 2rem;
  background: var(--ground); border-bottom: 1px solid var(--line); }
.top a { text-decoration: none; }
.home { color: var(--ink); font-weight: 700; }
.home span { color: var(--quiet); font-weight: 400; }
.top nav { display: flex; flex-wrap: wrap; gap: .25rem 1.4rem; }
.top nav a { color: var(--quiet); padding: .2rem 0; border-bottom: 2px solid transparent; }
.top nav a:hover { color: var(--ink); }
.top nav a[aria-current] { color: var(--ink); border-color: var(--strong); }
.search { margin-left: auto; }
.search input { font: inherit; font-size: .9rem; width: 13rem; color: var(--ink); background: var(--paper); border: 1px solid var(--field); border-radius: .45rem; padding: .3rem .7rem; }
.search input::placeholder { color: var(--quiet); opacity: 1; }
mark { background: var(--attention-ground); color: var(--attention); border-radius: .2rem; }
.sheet { max-width: 70rem; margin: 0 auto; padding: 2.5rem 2rem 5rem; }
`;

const code = `.code { position: relative; background: var(--code); color: var(--code-ink); border-radius: .6rem; margin: 0 0 1.25rem; overflow: hidden; }
.code > p { margin: 0; padding: .5rem 1rem; color: var(--code-quiet); border-bottom: 1px solid var(--code-line); font-size: .8rem; min-height: 2.2rem; }
.code pre { margin: 0; padding: .9rem 1rem; overflow-x: auto; max-height: 34rem; line-height: 1.55; }
.code pre:focus-visible { outline-offset: -3px; outline-color: var(--code-quiet); }
pre code { font-size: 1em; }
.copy { position: absolute; top: .3rem; right: .5rem; font: inherit; font-size: .8rem; color: var(--code-quiet); background: var(--code);
  border: 1px solid var(--code-line); border-radius: .35rem; padding: .05rem .6rem; cursor: pointer; }
.copy:hover { color: var(--code-ink); }
`;

/** The kinds of tokens that tools/workspace/src/guides/highlight.ts marks, and tables of guides. */
const guide = `.t-keyword { color: #ffa69c; }
.t-string, .t-string-expression { color: #a8dbb0; }
.t-function { color: #8cc8ff; }
.t-constant, .t-parameter { color: #f0cf7c; }
.t-comment { color: var(--code-quiet); }
.guide { max-width: 60rem; }
.guide table { border-collapse: collapse; width: 100%; margin: 0 0 1.25rem; font-size: .9rem; }
.guide th { text-align: left; }
.guide th, .guide td { border-bottom: 1px solid var(--line); padding: .5rem 1rem .5rem 0; vertical-align: top; overflow-wrap: break-word; }
.guide td code { overflow-wrap: break-word; }
.tree ul ul { margin: 0 0 .35rem .6rem; }
@media (max-width: 46rem) {
  .guide table, .guide tbody, .guide tr, .guide td { display: block; }
  .guide thead { display: none; }
  .guide tr { border-bottom: 1px solid var(--line); padding: .6rem 0; }
  .guide td { border: 0; padding: .1rem 0; }
  .guide td, .guide td code { overflow-wrap: anywhere; }
  .guide td:first-child { font-weight: 600; }
  .guide td:not(:first-child)::before { content: attr(data-label); display: block; color: var(--quiet); font-size: .85rem; }
}
`;

const reference = `.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.neutral { background: var(--soft); color: var(--strong); }
.sheet.with-tree { max-width: 100rem; display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 0 3rem; align-items: start; }
.tree { position: sticky; top: 4rem; max-height: calc(100vh - 5rem); overflow-y: auto; font-size: .9rem; padding: .25rem; }
.tree p { margin: 0 0 .5rem; }
.tree summary { font-weight: 600; padding: .25rem 0; }
.tree ul { list-style: none; margin: 0 0 .5rem; padding: 0 0 0 .2rem; border-left: 1px solid var(--line); }
.tree a { display: block; color: var(--quiet); text-decoration: none; padding: .2rem .6rem; border-left: 2px solid transparent; margin-left: -.25rem; }
.tree a:hover { color: var(--ink); }
.tree a[aria-current] { color: var(--strong); border-color: var(--strong); font-weight: 600; }
.up { color: var(--quiet); font-size: .85rem; margin: 0 0 .35rem; }
.call { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-bottom: 1.5rem; }
.method { font: 700 .72rem/1.4 ui-monospace, Menlo, "DejaVu Sans Mono", monospace; padding: .12rem .45rem; border-radius: .3rem; background: var(--soft); color: var(--strong); }
.method.post { background: var(--good-ground); color: var(--good); }
.method.delete { background: var(--problem-ground); color: var(--problem); }
.method.put, .method.patch { background: var(--attention-ground); color: var(--attention); }
.operations li { display: grid; grid-template-columns: 4.2rem minmax(0, 1fr); align-items: baseline; }
.operations .method { justify-self: start; }
.operations .path { display: block; width: fit-content; max-width: 100%; background: none; border: 0; padding: 0; color: var(--quiet); }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 26rem); gap: 0 2.5rem; align-items: start;
  grid-template-areas: "intro samples" "words samples"; grid-template-rows: auto 1fr; }
.intro { grid-area: intro; }
.words { grid-area: words; }
.words h2 { margin-top: 2.25rem; }
.samples { grid-area: samples; position: sticky; top: 4.5rem; }
.samples pre { max-height: calc(50vh - 8rem); }
.fields { margin: 0 0 1rem; border-top: 1px solid var(--line); }
.field { border-bottom: 1px solid var(--line); padding: .75rem 0; }
.field.inner { padding-left: 1rem; }
.field dt { font-size: .9rem; overflow-wrap: anywhere; }
.field dt code { font-weight: 600; }
.field dd { margin: .25rem 0 0; }
.needs { list-style: none; padding: 0; margin: .3rem 0 0; font-size: .85rem; }
.forms { list-style: none; padding: 0; margin: 0; }
.forms li + li { margin-top: .4rem; }
.forms b { display: block; font-size: .85rem; font-weight: 600; }
.needs b { color: var(--attention); font-weight: 600; }
.wrong { margin: .25rem 0 0; font-size: .85rem; color: var(--quiet); }
summary { cursor: pointer; overflow-wrap: anywhere; }
.words details > .fields, .rows details ul { margin-top: .75rem; }
.tabs { border: 0; margin: 0; padding: 0; min-width: 0; display: flex; flex-wrap: wrap; position: relative; }
.tabs input { position: absolute; opacity: 0; }
.tabs label { font-size: .85rem; padding: .3rem .8rem; border-radius: .4rem .4rem 0 0; color: var(--quiet); cursor: pointer; }
.tabs input:checked + label { background: var(--code); color: var(--code-ink); }
.tabs input:focus-visible + label { outline: 2px solid var(--strong); outline-offset: -3px; }
.tabs .code { flex: 1 0 100%; max-width: 100%; border-top-left-radius: 0; display: none; }
#in-curl:checked ~ .of-in-curl, #in-Node:checked ~ .of-in-Node, #in-Python:checked ~ .of-in-Python { display: block; }
.example { margin-bottom: .75rem; font-size: .9rem; }
.example .code { margin-top: .5rem; }
@media (max-width: 75rem) {
  .columns { grid-template: "intro" "samples" "words" / minmax(0, 1fr); }
  .samples { position: static; }
  .samples pre { max-height: 18rem; }
}
@media (max-width: 60rem) {
  .sheet.with-tree { display: block; }
  .tree { display: none; }
}
`;

/** What the style of the other pages does to Swagger UI, undone. */
const explorer = `#explorer .swagger-ui { background: none; }
#explorer p { overflow-wrap: break-word; }
@media (max-width: 46rem) { #explorer .opblock-tag small { display: none; } }
`;

const home = `.hero { padding: 2rem 0 1rem; }
.hero h1 { font-size: clamp(1.8rem, 5vw, 2.7rem); max-width: 26ch; text-wrap: balance; }
.flows { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 1.25rem; }
.flow { border: 1px solid var(--line); border-radius: .6rem; padding: 1.25rem 1.25rem .5rem; background: var(--paper); }
.flow h3 { margin: 0 0 1rem; }
.flow ol { list-style: none; padding: 0; margin: 0; }
.flow li { position: relative; padding: 0 0 1rem 1.6rem; }
.flow li::before { content: ""; position: absolute; left: .05rem; top: .4rem; width: .8rem; height: .8rem; border-radius: 50%; background: var(--strong); }
.flow li.customer::before { background: var(--good); }
.flow li.bank::before { background: none; border: 2px solid var(--strong); }
.flow li:not(:last-child)::after { content: ""; position: absolute; left: .4rem; top: 1.35rem; bottom: -.25rem; border-left: 2px solid var(--line); }
.steps { list-style: none; padding: 0; counter-reset: step; }
.steps > li { counter-increment: step; position: relative; padding-left: 2.75rem; }
.steps > li::before { content: counters(step, ""); position: absolute; left: 0; top: 0; width: 1.75rem; height: 1.75rem; border-radius: 50%;
  background: var(--soft); color: var(--strong); font-weight: 700; text-align: center; line-height: 1.75rem; font-size: .9rem; }
.rows, .states { list-style: none; padding: 0; border-top: 1px solid var(--line); }
.rows > li, .states > li { border-bottom: 1px solid var(--line); padding: .85rem 0; }
.rows p { margin: 0 0 .25rem; }
.rows ul { margin: 0; }
.states > li { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .25rem 1rem; }
.states .quiet { display: block; }
`;

const workspace = `.workspace { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .5rem 2rem; border-bottom: 1px solid var(--line);
  padding-bottom: .75rem; margin: -1rem 0 2rem; font-size: .9rem; }
.workspace nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.workspace nav a { color: var(--quiet); text-decoration: none; padding: .2rem 0; border-bottom: 2px solid transparent; }
.workspace nav a[aria-current] { color: var(--ink); border-color: var(--strong); }
button { font: inherit; cursor: pointer; }
button.link { background: none; border: 0; color: var(--strong); text-decoration: underline; padding: .2rem .3rem; }
.button.second .quiet { font-weight: 400; font-size: .85rem; }
.block { display: block; }
.note { border-radius: .5rem; padding: .75rem 1rem; max-width: 46rem; }
.form { max-width: 32rem; }
.wide-form { max-width: 46rem; }
.more { margin: 0 0 1rem; }
.more summary { margin-bottom: 1rem; }
.optional { font-weight: 400; color: var(--quiet); }
.form label { display: block; margin: 0 0 1rem; font-weight: 600; }
.form label .quiet { font-weight: 400; font-size: .9rem; display: block; }
.form label.check { font-weight: 400; margin: 0 0 .35rem; }
.form fieldset { border: 1px solid var(--line); border-radius: .5rem; margin: 0 0 1rem; padding: .5rem 1rem; }
.form legend { font-weight: 600; padding: 0 .35rem; }
.form input:not([type=checkbox]), .form select, .form textarea { display: block; width: 100%; font: inherit; font-weight: 400; color: var(--ink); background: var(--ground);
  border: 1px solid var(--field); border-radius: .45rem; padding: .45rem .7rem; margin-top: .25rem; }
.form textarea { font-family: ui-monospace, Menlo, "DejaVu Sans Mono", monospace; font-size: .84em; min-height: 24rem; }
.forms { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(19rem, 100%), 1fr)); gap: 0 3rem; }
.choices { display: flex; flex-wrap: wrap; gap: .25rem; }
.report { width: 100%; border-collapse: collapse; text-align: left; }
.report th, .report td { vertical-align: top; border-top: 1px solid var(--line); padding: .5rem .75rem .5rem 0; }
.report thead th { border-top: 0; }
.report th .quiet { font-weight: 400; }
.calls li { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; }
.call-shown { border-bottom: 1px solid var(--line); padding-bottom: 1.5rem; margin-bottom: 1.5rem; }
.why { border-left: 4px solid var(--attention); padding-left: 1.25rem; }
.why h2 { margin-top: 1rem; }
.why blockquote { margin: 0 0 1rem; color: var(--quiet); }
.why .wide { overflow-x: auto; background: var(--code); color: var(--code-ink); border-radius: .6rem; padding: .9rem 1rem; }
.pairs { display: grid; grid-template-columns: minmax(9rem, max-content) minmax(0, 1fr); gap: .35rem 1.5rem; margin: 0 0 1rem; }
.pairs dt { color: var(--quiet); }
.pairs dd { margin: 0; overflow-wrap: anywhere; }
`;

const narrow = `@media (max-width: 46rem) {
  .top { padding: .6rem 1rem; position: static; }
  .search { width: 100%; }
  .search input { width: 100%; }
  html { scroll-padding-top: 1rem; }
  .sheet { padding: 1.25rem 1rem 3rem; }
  h1 { font-size: 1.5rem; }
  .hero { padding: .5rem 0 0; }
  .pairs { grid-template-columns: 1fr; gap: 0; }
  .pairs dd { margin-bottom: .5rem; }
  .steps > li { padding-left: 0; }
  .steps > li::before { position: static; display: block; margin-bottom: .4rem; }
}
@media (max-width: 46rem) { .report, .report tbody, .report tr, .report th, .report td { display: block; text-align: left; } .report thead { display: none; } .report tr { padding: .6rem 0; } }
.report code, .rows code { overflow-wrap: anywhere; }
@media print { .top, .copy, .skip, .no-print { display: none; } .report tr { break-inside: avoid; } }
`;

export const style = palette + text + frame + code + guide + reference + explorer + home + workspace + narrow;
export const styleHash = createHash('sha256').update(style).digest('hex').slice(0, 12);
