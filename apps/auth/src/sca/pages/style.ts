import { type BankBrand, paper } from '@xs2a/domain/profile/bank-brand';

const palette = ({ colour, colourOnDark }: BankBrand): string => `:root {
  color-scheme: light dark;
  --ink: #1b2733;
  --quiet: #55636f;
  --paper: ${paper.light};
  --ground: #eef2f5;
  --line: #c9d3db;
  --strong: ${colour};
  --on-strong: #ffffff;
  --alarm: #8f1d1d;
  --alarm-ground: #fdeeee;
  --good: #1c5c33;
  --good-ground: #ecf7ef;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e8eef3;
    --quiet: #a9b7c2;
    --paper: ${paper.dark};
    --ground: #0f171e;
    --line: #3a4a57;
    --strong: ${colourOnDark};
    --on-strong: #0b1a24;
    --alarm: #ffb3b3;
    --alarm-ground: #3a1717;
    --good: #a5e0b8;
    --good-ground: #14301f;
  }
}
`;

const rules = `* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
header, main { max-width: 34rem; margin: 0 auto; padding: 1rem; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem 1rem; }
header p { margin: 0; }
.bank { display: flex; align-items: center; gap: .5rem; font-weight: 600; }
.bank svg { width: 1.75rem; height: 1.75rem; flex: none; fill: var(--strong); }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; }
nav a, nav span { padding: .25rem 0; }
nav.places { width: 100%; border-bottom: 1px solid var(--line); }
nav.places a { padding: .5rem 0; text-decoration: none; border-bottom: 3px solid transparent; }
nav.places a:hover { border-color: var(--line); }
nav.places a[aria-current] { color: inherit; font-weight: 600; border-color: var(--strong); }
main {
  background: var(--paper);
  border: 1px solid var(--line);
  border-radius: .5rem;
  margin-bottom: 2rem;
  padding: 1.25rem;
}
@media (max-width: 36rem) { main { border-left: 0; border-right: 0; border-radius: 0; } }
h1 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 .75rem; }
h2 { font-size: 1.1rem; margin: 0 0 .25rem; }
h1, h2, p { overflow-wrap: anywhere; }
p { margin: 0 0 1rem; }
.quiet { color: var(--quiet); }
a { color: var(--strong); }
dl { margin: 0 0 1.25rem; }
dl > div { margin-bottom: .75rem; }
@media (min-width: 36.01rem) { dl > div { display: grid; grid-template-columns: 10rem 1fr; gap: 1rem; align-items: baseline; } }
dt { color: var(--quiet); font-size: .9rem; }
dd { margin: 0; overflow-wrap: anywhere; }
dd.amount { overflow-wrap: normal; font-size: clamp(1.15rem, 5.2vw, 1.6rem); font-weight: 600; line-height: 1.25; }
dd ul { list-style: none; margin: 0; padding: 0; }
dd li + li { margin-top: .5rem; }
small { display: block; color: var(--quiet); font-size: .9rem; }
.account { font-variant-numeric: tabular-nums; }
.account span:not(:last-child) { margin-right: .25em; }
.state { padding: .1rem .5rem; border-radius: 1rem; background: var(--ground); color: var(--ink); font-size: .9rem; }
.state.valid { background: var(--good-ground); color: var(--good); }
label { display: block; font-weight: 600; }
input[type="text"], input[type="password"] {
  width: 100%;
  min-height: 2.75rem;
  margin: .25rem 0 1rem;
  padding: .5rem .75rem;
  border: 1px solid var(--quiet);
  border-radius: .375rem;
  background: var(--paper);
  color: inherit;
  font: inherit;
}
input.code { font-size: 1.4rem; letter-spacing: .25em; max-width: 12rem; display: block; }
fieldset { border: 0; margin: 0 0 1rem; padding: 0; }
legend { font-weight: 600; padding: 0; margin-bottom: .5rem; }
.choice { display: flex; gap: .75rem; align-items: flex-start; font-weight: 400; padding: .6rem 0; border-top: 1px solid var(--line); }
.choice input { width: 1.25rem; height: 1.25rem; margin: .15rem 0 0; flex: none; }
.choice span { overflow-wrap: anywhere; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: .5rem; }
button {
  min-height: 2.75rem;
  padding: .5rem 1.25rem;
  border: 1px solid var(--strong);
  border-radius: .375rem;
  background: var(--paper);
  color: var(--strong);
  font: inherit;
  font-weight: 600;
  cursor: pointer;
}
button:hover { background: var(--ground); }
button.main { background: var(--strong); color: var(--on-strong); }
button.main:hover { text-decoration: underline; }
@media (max-width: 36rem) { button.main { width: 100%; } .actions button:not(.main) { flex: 1; } }
:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px; }
.notice { padding: .75rem 1rem; border-radius: .375rem; background: var(--alarm-ground); color: var(--alarm); }
.notice.good { background: var(--good-ground); color: var(--good); }
ul.entries { list-style: none; margin: 0 0 1rem; padding: 0; }
ul.entries > li { border-top: 1px solid var(--line); padding: 1rem 0; }
ul.entries dl { margin-bottom: .5rem; }
ol.payments { margin: 0; padding: 0 .75rem 0 2.75rem; }
ol.payments > li { border-top: 1px solid var(--line); padding: .6rem 0; overflow-wrap: anywhere; }
ol.payments > li:first-child { border-top: 0; }
ol.payments .pair { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; margin: 0; }
ol.payments .pair strong { flex: 1 1 8rem; }
ol.payments .pair data { margin-left: auto; white-space: nowrap; font-weight: 600; }
nav.parts { gap: .25rem .75rem; margin-bottom: .5rem; font-variant-numeric: tabular-nums; }
nav.parts a, nav.parts span { padding: .5rem .25rem; }
nav.parts span { font-weight: 600; border-bottom: 3px solid var(--strong); }
.scroll { max-height: min(70vh, 27rem); overflow-y: auto; border: 1px solid var(--line); border-radius: .375rem; margin-bottom: 1rem; }
@media print { .scroll { max-height: none; } }
details { border-top: 1px solid var(--line); margin-bottom: 1rem; }
summary { padding: .75rem 0; cursor: pointer; color: var(--strong); font-weight: 600; }
`;

/**
 * The only stylesheet of the pages: one column, system fonts, light and dark colour schemes, and a contrast of at
 * least 4.5 to 1.
 */
export const renderStyle = (brand: BankBrand): string => palette(brand) + rules;
