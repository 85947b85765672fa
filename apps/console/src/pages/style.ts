import { createHash } from 'node:crypto';

const palette = `:root {
  color-scheme: light dark;
  --ground: #f6f8fa; --paper: #fff; --ink: #16222d; --quiet: #54626e; --line: #d3dce3; --row: #edf1f4;
  --nav: #102534; --nav-ink: #cfdde7; --nav-here: #1d3d53; --nav-strong: #fff;
  --strong: #0b5c8a; --on-strong: #fff; --count: #b3261e;
  --good: #12693a; --good-ground: #e2f4ea; --attention: #7a4b00; --attention-ground: #fff1d6;
  --attention-row: #fffaf0; --new-ground: #e4f0f8; --edge: rgb(22 34 45 / 35%);
  --problem: #9c1c14; --problem-ground: #fde5e4; --problem-row: #fff6f5; --problem-line: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f171e; --paper: #17222c; --ink: #e6edf3; --quiet: #a3b1bd; --line: #33424f; --row: #22303c;
    --nav: #0a1219; --nav-ink: #b9c8d4; --nav-here: #1d3d53; --nav-strong: #fff;
    --strong: #7cc4f0; --on-strong: #0a1a25; --count: #b3261e;
    --good: #9be0b5; --good-ground: #143424; --attention: #f5cf8a; --attention-ground: #3a2a0c;
    --attention-row: #262014; --new-ground: #14303f; --edge: rgb(0 0 0 / 75%);
    --problem: #ffb4ab; --problem-ground: #45191a; --problem-row: #2a1a1c; --problem-line: #d9534a;
  }
}
`;

const rules = `* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 14px/1.45 "Noto Sans", "DejaVu Sans", system-ui, sans-serif;
  display: grid; grid-template-columns: 11rem minmax(0, 1fr); min-height: 100vh; }
body.bare { display: block; }
body.bare main { width: min(30rem, 100% - 2rem); margin: 4rem auto; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; }
nav { position: relative; background: var(--nav); color: var(--nav-ink); padding: 1rem .75rem; }
nav strong { color: var(--nav-strong); display: block; margin: 0 0 1rem .6rem; }
nav a { display: flex; justify-content: space-between; align-items: center; gap: .5rem; color: inherit; text-decoration: none; padding: .45rem .6rem; border-radius: .35rem; }
nav a:hover { color: var(--nav-strong); }
nav a[aria-current] { background: var(--nav-here); color: var(--nav-strong); }
.count { background: var(--count); color: #fff; border-radius: 1rem; padding: 0 .45rem; font-size: 12px; }
.count.attention { background: #f5cf8a; color: #3a2a0c; }
.page { min-width: 0; }
header { display: flex; flex-wrap: wrap; justify-content: flex-end; align-items: center; gap: .5rem 1rem; padding: .75rem 1.5rem 0; }
header p, header form { margin: 0; }
header .search { flex: 1 1 16rem; max-width: 30rem; margin-right: auto; }
header .search input { width: 100%; }
main { padding: .25rem 1.5rem 2rem; }
main:focus { outline: none; }
h1 { font-size: 20px; margin: .25rem 0 .75rem; }
h2 { font-size: 16px; margin: 0 0 .25rem; }
h3 { font-size: 14px; margin: 1rem 0 .25rem; }
p, li { overflow-wrap: anywhere; }
p { margin: 0 0 .5rem; }
blockquote { margin: 0 0 .25rem; padding: .1rem 0 .1rem .75rem; border-left: 3px solid var(--line); overflow-wrap: anywhere; }
ol { margin: 0; padding-left: 1.5rem; }
pre { overflow-x: auto; background: var(--row); border-radius: .35rem; margin: 0; padding: .6rem .75rem; font: 12.5px/1.5 "DejaVu Sans Mono", ui-monospace, monospace; }
mark { background: var(--good-ground); color: var(--good); font-weight: 600; }
a { color: var(--strong); }
.quiet { color: var(--quiet); }
code, .mono { font-family: "DejaVu Sans Mono", ui-monospace, monospace; font-size: 12.5px; }
code { background: var(--row); border-radius: .25rem; padding: .1rem .35rem; overflow-wrap: anywhere; }
.pill { border-radius: 1rem; padding: .05rem .6rem; font-weight: 600; font-size: 12.5px; white-space: nowrap; }
.good { background: var(--good-ground); color: var(--good); }
.attention { background: var(--attention-ground); color: var(--attention); }
.problem { background: var(--problem-ground); color: var(--problem); }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 0 0 .75rem; }
.card.is-problem { border-color: var(--problem-line); }
.card.is-attention { border-color: var(--attention); }
.card h2 .pill { margin-right: .35rem; }
.card :last-child { margin-bottom: 0; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem 1.5rem; margin: 0; }
.figures dt { color: var(--quiet); font-size: 12.5px; }
.figures dd { margin: 0; }
.figures b { font-size: 22px; margin-right: .25rem; }
.pairs { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .35rem 1.5rem; margin: 0; }
.pairs + .mono { margin-top: .75rem; }
.pairs dt { color: var(--quiet); }
.pairs dd { margin: 0; overflow-wrap: anywhere; }
/* A shadow at the edge at which a wide table continues: the first two layers move with the table and cover it at its ends. */
.wide { position: relative; overflow-x: auto; background:
  linear-gradient(to right, var(--paper) 40%, transparent) left / 2.5rem 100% no-repeat local,
  linear-gradient(to left, var(--paper) 40%, transparent) right / 2.5rem 100% no-repeat local,
  linear-gradient(to right, var(--edge), transparent) left / .9rem 100% no-repeat scroll,
  linear-gradient(to left, var(--edge), transparent) right / .9rem 100% no-repeat scroll,
  var(--paper); }
/* Rows of the page Live are laid out one by one, and only those on the screen: two thousand rows move every second. */
.live table, .live thead, .live tbody, .live caption { display: block; min-width: 63rem; }
.live tr { display: grid; grid-template-columns: 4.5rem 12rem 9rem 18rem 8.5rem minmax(5rem, 1fr) 6rem; }
.live tbody tr { content-visibility: auto; contain-intrinsic-size: auto 1.9rem; }
.live td { overflow-wrap: anywhere; }
.live th { white-space: normal; }
.live td[colspan] { grid-column: 2 / -1; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; font-weight: 600; padding: 0 .5rem .35rem; }
th { font-weight: 600; text-align: left; color: var(--quiet); font-size: 12.5px; border-bottom: 1px solid var(--line); padding: .3rem .5rem; white-space: nowrap; }
td { padding: .35rem .5rem; border-bottom: 1px solid var(--row); vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.nowrap { white-space: nowrap; }
td.commands code { white-space: nowrap; font-size: 12px; }
table + table { margin-top: 1rem; }
tr.is-new td { background: var(--new-ground); }
.neutral { background: var(--row); color: var(--ink); }
.lane { display: inline-block; width: .6rem; height: .6rem; border-radius: 50%; margin-right: .5rem; background: var(--good); }
.lane.call { background: var(--strong); }
tr.is-problem .lane { background: var(--problem-line); }
.passed { display: block; width: 100%; height: 10px; margin-top: .75rem; border-radius: 2px; }
.passed .even { fill: var(--strong); } .passed .odd { fill: var(--line); } .passed .late { fill: var(--problem-line); }
summary { cursor: pointer; font-weight: 600; }
td.long { min-width: 11rem; overflow-wrap: anywhere; }
tr.is-problem td { background: var(--problem-row); }
tr.is-lost td { text-decoration: line-through; }
tr.is-attention td { background: var(--attention-row); }
.links { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .5rem; align-items: center; }
button, .button { display: inline-block; font: inherit; font-weight: 600; border: 1px solid var(--strong); background: transparent; color: var(--strong); border-radius: .35rem; padding: .35rem .8rem; text-decoration: none; cursor: pointer; }
button.main, .button.main { background: var(--strong); color: var(--on-strong); }
header button { border-color: var(--line); color: var(--ink); font-weight: 400; }
form.filter { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: 0 0 .75rem; }
form.filter input[name=at], form.filter input[name=and] { width: 14rem; }
form.filter label { display: grid; gap: .15rem; font-size: 12.5px; color: var(--quiet); }
form.action { display: grid; gap: .6rem; justify-items: start; max-width: 42rem; }
form.action p { margin: 0; }
form.action label { display: grid; gap: .2rem; width: 100%; }
form.action button { margin: 0; }
input, select { font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--quiet); border-radius: .35rem; padding: .35rem .6rem; min-width: 0; max-width: 100%; }
:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px; }
nav :focus-visible { outline-color: var(--nav-strong); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100vw; background: var(--paper); padding: .5rem 1rem; z-index: 1; }
.skip:focus { left: .5rem; top: .5rem; }
.copy { padding: .05rem .5rem; font-size: 12.5px; font-weight: 400; display: none; }
.scripts .copy { display: inline-block; }
.copy[data-copied]::after { content: ' ✓'; }
.command { margin-top: 1rem; color: var(--quiet); }
@media (max-width: 48rem) {
  body { display: block; }
  nav { display: flex; overflow-x: auto; gap: .25rem; padding: .5rem; align-items: center; }
  nav strong { display: none; }
  nav a { white-space: nowrap; padding: .5rem .6rem; }
  header { padding: .5rem 1rem 0; justify-content: flex-start; }
  main { padding: .25rem 1rem 2rem; }
  td.nowrap { white-space: normal; }
  .pairs { grid-template-columns: 1fr; gap: 0; }
  .pairs dd { margin-bottom: .5rem; }
}
@media (pointer: coarse) { button, .button, input, select, nav a { min-height: 2.75rem; } .links { gap: .75rem; } }
`;

/** The style of the console's pages; its hash is part of its address, so that browsers keep it. */
export const style = `${palette}${rules}`;
export const styleHash = createHash('sha256').update(style).digest('hex').slice(0, 12);
