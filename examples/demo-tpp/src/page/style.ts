import { createHash } from 'node:crypto';
import { shopStyle } from '../shop/shop-style.js';
import { wireStyle } from '../wire/wire-style.js';

/** The only stylesheet. It does not resemble the bank's, because the app belongs to another company. */
export const style = `:root {
  color-scheme: light dark;
  --ink: #221c35;
  --quiet: #5d5673;
  --paper: #ffffff;
  --ground: #f4f1fa;
  --line: #d5cfe3;
  --strong: #5b2a9d;
  --on-strong: #ffffff;
  --good: #17603a;
  --good-ground: #e9f7ef;
  --alarm: #8f1d1d;
  --alarm-ground: #fdeeee;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #ece8f5;
    --quiet: #b6adc9;
    --paper: #1f1a2e;
    --ground: #151021;
    --line: #463d5c;
    --strong: #c7a5ff;
    --on-strong: #1c1230;
    --good: #a5e0b8;
    --good-ground: #14301f;
    --alarm: #ffb3b3;
    --alarm-ground: #3a1717;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
header, main { max-width: 44rem; margin: 0 auto; padding: 1rem; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .5rem 1rem; }
.brand { margin: 0; font-weight: 700; color: var(--strong); }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
nav.places { width: 100%; border-bottom: 1px solid var(--line); }
nav.places a { padding: .5rem 0; text-decoration: none; border-bottom: 3px solid transparent; }
nav.places a[aria-current] { color: inherit; font-weight: 600; border-color: var(--strong); }
main { background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; padding: 1.5rem; margin-bottom: 2rem; }
@media (max-width: 46rem) { main { border-left: 0; border-right: 0; border-radius: 0; padding: 1.25rem; } }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .75rem; }
h2 { font-size: 1.15rem; margin: 1.5rem 0 .25rem; }
h1, h2, p, td, li { overflow-wrap: anywhere; }
p { margin: 0 0 1rem; }
a { color: var(--strong); }
.quiet { color: var(--quiet); }
.answer { font-size: 1.25rem; font-weight: 600; }
.amount, dd > data { font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap; }
.account { font-variant-numeric: tabular-nums; }
.account span:not(:last-child) { margin-right: .25em; }
ul.cards, ol.cards { list-style: none; margin: 0 0 1rem; padding: 0; }
ul.cards > li, ol.cards > li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .25rem 1rem; padding: 1rem 0; border-top: 1px solid var(--line); }
ul.cards p, ol.cards p { margin: 0; }
ol.cards > li { padding: .5rem 0; }
ol.entries { list-style: none; margin: 0 0 1rem; padding: 0; }
.entries > li { display: grid; grid-template-columns: 2rem minmax(0, 1fr); gap: 0 .5rem; padding: .75rem 0; border-top: 1px solid var(--line); scroll-margin-top: 1rem; }
fieldset.choose ul { list-style: none; margin: 0 0 .75rem; padding: 0; }
.choose label { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; align-items: center; gap: 0 .75rem; min-height: 2.75rem; font-weight: 400; }
.choose .payee { overflow-wrap: anywhere; }
ul.buttons { list-style: none; margin: 0 0 1rem; padding: 0; }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem; }
.entries p { margin: 0; }
.entries .number { text-align: right; font-variant-numeric: tabular-nums; }
.entries .amount { grid-column: 2; }
@media (min-width: 34rem) {
  .entries > li { grid-template-columns: 2rem minmax(0, 1fr) auto; }
  .entries .amount { grid-column: auto; text-align: right; }
}
ul.faults { margin: .25rem 0 0; padding-left: 1.25rem; }
.entries .faults { color: var(--alarm); }
.notice .faults { max-height: 20rem; overflow: auto; }
.notice a { color: inherit; }
.good { color: var(--good); }
.bad { color: var(--alarm); }
form { margin-bottom: 1rem; }
dl { display: grid; grid-template-columns: fit-content(8rem) minmax(0, 1fr); gap: .5rem 1rem; margin: 0 0 1.25rem; }
dt { color: var(--quiet); }
dd { grid-column: 2; margin: 0; overflow-wrap: anywhere; }
dd p { margin: 0; }
label, legend { display: block; font-weight: 600; }
.hint { margin: 0; color: var(--quiet); }
fieldset { margin: 0 0 1rem; padding: .75rem 1rem 0; border: 1px solid var(--line); border-radius: .5rem; min-width: 0; }
label.tick { display: flex; align-items: center; gap: .5rem; min-height: 2.75rem; font-weight: 400; }
form > label.tick { margin-bottom: .75rem; }
.choices { display: grid; grid-template-columns: repeat(auto-fill, minmax(7.5rem, 1fr)); gap: 0 .5rem; margin-bottom: .75rem; }
input, select {
  width: 100%;
  min-height: 2.75rem;
  margin: .25rem 0 1rem;
  padding: .5rem .75rem;
  border: 1px solid var(--quiet);
  border-radius: .5rem;
  background: var(--paper);
  color: inherit;
  font: inherit;
}
input[type=checkbox], input[type=radio] { width: 1.25rem; min-height: 1.25rem; margin: 0; flex: none; accent-color: var(--strong); }
button, a.button {
  display: inline-block;
  min-height: 2.75rem;
  padding: .5rem 1.25rem;
  border: 1px solid var(--strong);
  border-radius: .5rem;
  background: var(--strong);
  color: var(--on-strong);
  font: inherit;
  font-weight: 600;
  text-decoration: none;
  cursor: pointer;
}
button.secondary { background: var(--paper); color: var(--strong); }
:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px; }
.notice { margin-bottom: 1rem; padding: .75rem 1rem; border-radius: .5rem; background: var(--alarm-ground); color: var(--alarm); }
.notice.good { background: var(--good-ground); color: var(--good); }
.person { width: 100%; margin: 0; font-size: .9375rem; color: var(--quiet); }
.person strong { color: var(--ink); }
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .9em; }
.person code, main code { padding: .1rem .35rem; border-radius: .25rem; background: var(--paper); color: var(--ink); user-select: all; }
main code { background: var(--ground); }
.lead { font-size: 1.125rem; }
ul.tiles { list-style: none; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 12rem), 1fr)); gap: 1rem; margin: 0 0 1.5rem; padding: 0; }
ul.tiles > li { display: flex; flex-direction: column; padding: 1rem; border: 1px solid var(--line); border-radius: .75rem; }
@media (min-width: 36rem) { ul.apps { grid-template-columns: 1fr 1fr; } }
.tiles h2, .tiles h3 { margin: 0 0 .25rem; font-size: 1.15rem; }
.tiles p, .tiles form { margin: 0 0 .75rem; }
.tiles > li > :last-child { margin: auto 0 0; }
.picked { display: flex; align-items: center; min-height: 2.75rem; font-weight: 600; color: var(--good); }
${shopStyle}${wireStyle}`;

export const styleHash = createHash('sha256').update(style).digest('hex').slice(0, 12);
