import { type BankBrand, paper } from '@xs2a/domain/profile/bank-brand';

const palette = ({ colour, colourOnDark }: BankBrand): string => `:root {
  color-scheme: light dark;
  --ink: #16222d;
  --quiet: #54626e;
  --paper: ${paper.light};
  --ground: #eef2f5;
  --line: #d3dce3;
  --strong: ${colour};
  --on-strong: #ffffff;
  --alarm: #8f1d1d;
  --alarm-ground: #fdecec;
  --good: #12693a;
  --good-ground: #e8f6ee;
  --wait: #7a4b00;
  --wait-ground: #fff5e0;
  --locked: #4c2f8a;
  --locked-ground: #f0ebfb;
  --on-sign: #ffffff;
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
    --wait: #ffd58a;
    --wait-ground: #382808;
    --locked: #cbb8f5;
    --locked-ground: #281c44;
    --on-sign: #10181f;
  }
}
`;

const frame = `* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
.ribbon { margin: 0; padding: .25rem 1rem; background: #ffd76a; color: #3d2c00; font-size: .8rem; text-align: center; }
.ribbon a { color: inherit; }
.bar, main, footer { max-width: 30rem; margin: 0 auto; padding: .75rem 1rem; }
.bar { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .25rem 1rem; }
.bar > a { font-size: .9rem; padding: .25rem 0; }
.bank { display: flex; align-items: center; gap: .5rem; margin: 0; font-weight: 700; }
.bank img { height: 1.6rem; max-width: 10rem; flex: none; }
main { background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; }
@media (max-width: 30rem) { main { border-left: 0; border-right: 0; border-radius: 0; padding: .75rem 1.25rem 1.25rem; } }
footer { color: var(--quiet); font-size: .85rem; }
footer p { margin: .25rem 0; }
footer .origin { overflow-wrap: anywhere; }
.phone { white-space: nowrap; }
.steps { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; margin: 0 0 .35rem; color: var(--quiet); font-size: .85rem; }
.bars { display: flex; gap: 4px; margin: 0 0 .75rem; }
.bars i { flex: 1; height: 4px; border-radius: 2px; background: var(--line); }
.bars i.on { background: var(--strong); }
.who { display: flex; align-items: center; gap: .75rem; margin: 0 0 .75rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .5rem; }
.who p { margin: 0; line-height: 1.35; overflow-wrap: anywhere; }
.initials { flex: none; display: grid; place-items: center; width: 2.25rem; height: 2.25rem; border-radius: .5rem; background: #5b2a9d; color: #fff; font-weight: 700; }
`;

const rules = `h1 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.05rem; margin: 0 0 .25rem; }
h1, h2, p { overflow-wrap: anywhere; }
p { margin: 0 0 1rem; }
.quiet { color: var(--quiet); font-size: .9rem; }
.centre, .links { text-align: center; }
.links { margin: .5rem 0 0; }
.links a { display: inline-block; padding: .4rem .25rem; }
footer .links { text-align: left; }
footer .links a { padding: .4rem 0; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
a { color: var(--strong); }
.amount { font-size: clamp(1.2rem, 9.3vw, 2.1rem); font-weight: 700; line-height: 1.15; letter-spacing: -.02em; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.amount.long { font-size: clamp(.95rem, 5.4vw, 1.5rem); }
.amount .sum { display: block; }
.payee { margin: 0 0 .75rem; font-size: 1.05rem; }
.payee .account { font-size: .95rem; color: var(--quiet); }
dl { margin: 0 0 .75rem; border-top: 1px solid var(--line); }
dl > div { display: flex; justify-content: space-between; gap: .75rem; padding: .45rem 0; border-bottom: 1px solid var(--line); }
dt { flex: none; max-width: 45%; color: var(--quiet); font-size: .9rem; line-height: 1.65; overflow-wrap: anywhere; }
dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; min-width: 0; }
dl.headline { margin: .25rem 0 0; border: 0; }
dl.headline + dl { margin-top: .5rem; }
dl.headline > div { display: block; padding: 0; border: 0; }
dl.headline dt { max-width: none; line-height: 1.3; }
dd.amount { text-align: left; }
.receipt dt, .receipt .amount, .receipt .payee { text-align: center; }
.receipt dl:not(.headline) dt { text-align: left; }
dd ul { list-style: none; margin: 0; padding: 0; }
dd li + li, dd p + ul { margin-top: .5rem; }
dd p { margin: 0; }
small { display: block; color: var(--quiet); font-size: .85rem; font-weight: 400; }
dd .account { font-size: .95rem; }
.account { font-variant-numeric: tabular-nums; }
.account span { white-space: nowrap; }
.account span:not(:last-child) { margin-right: .25em; }
.state { padding: .1rem .5rem; border-radius: 1rem; background: var(--ground); color: var(--ink); font-size: .9rem; }
.state.valid { background: var(--good-ground); color: var(--good); }
label { display: block; font-weight: 600; }
input[type="text"], input[type="password"] {
  display: block;
  width: 100%;
  min-height: 3rem;
  margin: .25rem 0 1rem;
  padding: .4rem .75rem;
  border: 1px solid var(--quiet);
  border-radius: .5rem;
  background: var(--paper);
  color: inherit;
  font: inherit;
}
input[aria-invalid] { border: 2px solid var(--alarm) !important; }
input.code { max-width: 13rem; font-size: 1.6rem; letter-spacing: .3em; }
.faulty { border-left: 4px solid var(--alarm); padding-left: .75rem; }
.fault { margin: 0; color: var(--alarm); font-weight: 600; }
fieldset { border: 0; margin: 0 0 1rem; padding: 0; }
legend { font-weight: 600; padding: 0; margin-bottom: .5rem; }
.choice { display: flex; gap: .75rem; align-items: flex-start; font-weight: 400; padding: .7rem 0; border-top: 1px solid var(--line); }
.choice input { width: 1.4rem; height: 1.4rem; margin: .1rem 0 0; flex: none; }
.choice span { overflow-wrap: anywhere; }
.actions p { margin: 0; }
.actions { display: flex; flex-direction: column; align-items: center; gap: .25rem; }
button, a.button {
  display: inline-block;
  min-height: 2.75rem;
  padding: .5rem 1.25rem;
  border: 1px solid var(--strong);
  border-radius: .5rem;
  background: var(--paper);
  color: var(--strong);
  font: inherit;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
button:hover { background: var(--ground); }
button.main, a.button { display: block; width: 100%; min-height: 3rem; padding: .65rem 1rem; background: var(--strong); color: var(--on-strong); font-weight: 700; }
button.main { margin-bottom: .25rem; }
button.main:hover, a.button:hover { text-decoration: underline; }
button.link { border: 0; background: none; padding: .4rem .75rem; font-weight: 400; text-decoration: underline; }
:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px; }
.notice { margin: 0 0 1rem; padding: .75rem 1rem; border-radius: .5rem; background: var(--alarm-ground); color: var(--alarm); }
.notice.good { background: var(--good-ground); color: var(--good); }
.notice b { display: block; }
.warning { margin: 0 0 1rem; padding: .75rem .75rem 0; border: 2px solid var(--alarm); border-radius: .5rem; }
.warning p { margin-bottom: .75rem; }
.warning .notice { display: flex; gap: .75rem; align-items: center; padding: .75rem; background: var(--alarm); color: var(--on-sign); font-weight: 700; }
.warning .notice .icon { flex: none; width: 2rem; }
.verdict { display: flex; gap: .75rem; align-items: center; padding: .75rem; border-radius: .5rem; }
.verdict .icon { flex: none; width: 1.5rem; }
.verdict.MATCH { background: var(--good-ground); color: var(--good); }
.verdict.CLOSE_MATCH { background: var(--wait-ground); color: var(--wait); font-weight: 600; }
.verdict.NOT_POSSIBLE { background: var(--ground); }
.notice a { color: inherit; }
.icon { fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
main:has(.hero) { padding-top: 0; }
.hero { margin: 0 -1.25rem 1.25rem; padding: 1.25rem; border-radius: .7rem .7rem 0 0; text-align: center; }
@media (max-width: 30rem) { .hero { border-radius: 0; } }
.hero p { margin: 0; }
.hero h1, .hero p, .centre { text-wrap: balance; }
.sign { display: grid; place-items: center; width: 4.5rem; height: 4.5rem; margin: 0 auto .75rem; border-radius: 50%; background: var(--quiet); color: var(--on-sign); }
.sign .icon { width: 2.4rem; stroke-width: 2.5; }
.hero.good { background: var(--good); color: var(--on-sign); }
.good .sign { background: var(--on-sign); color: var(--good); }
.hero.bad { background: var(--alarm-ground); }
.bad .sign { background: var(--alarm); border-radius: 0; clip-path: polygon(30% 0, 70% 0, 100% 30%, 100% 70%, 70% 100%, 30% 100%, 0 70%, 0 30%); }
.hero.wait { background: var(--wait-ground); }
.wait .sign { background: var(--wait); border-radius: 1rem; }
.hero.locked { background: var(--locked-ground); }
.locked .sign { background: var(--locked); border-radius: 50% 50% .5rem .5rem; }
.hero.plain { padding-bottom: 0; }
.next { margin: 1rem 0; padding: .75rem 1rem; border-radius: .5rem; background: var(--ground); }
.next p, .next ol { margin: 0; }
.next ol { padding-left: 1.2rem; }
`;

const print = `@media print {
  :root { --ink: #000; --quiet: #333; --paper: #fff; --ground: #fff; --line: #999; --strong: #000; }
  body { font-size: 11pt; }
  .ribbon, .bar > a, .steps, .bars, nav, form, button, a.button, .links, details:not([open]), .next { display: none; }
  main { border: 0; max-width: none; padding: 0; }
  .hero.good, .hero.bad, .hero.wait, .hero.locked { background: none; color: #000; margin: 0; }
  .sign { border: 2px solid #000; background: none; color: #000; }
  ul.entries > li, .receipt, dl > div { break-inside: avoid; }
}
`;

const lists = `ul.permissions { list-style: none; margin: 0 0 .75rem; padding: 0; }
ul.permissions li { position: relative; padding: .15rem 0 .15rem 1.75rem; }
ul.permissions li::before { content: "✓" / ""; position: absolute; left: 0; color: var(--good); font-weight: 700; }
ul.permissions li.no::before { content: "✕" / ""; color: var(--alarm); }
dd ul.permissions { display: inline-block; text-align: left; }
details.ask { margin: 0; }
details.ask[open] { padding: 0 .75rem .75rem; border-radius: .5rem; background: var(--ground); }
h3 { font-size: 1rem; margin: 0 0 .25rem; }
main section { scroll-margin-top: 1rem; }
nav.places { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin-bottom: .75rem; border-bottom: 1px solid var(--line); }
nav.places a { padding: .5rem 0; text-decoration: none; border-bottom: 3px solid transparent; }
nav.places a:hover { border-color: var(--line); }
nav.places a[aria-current] { color: inherit; font-weight: 600; border-color: var(--strong); }
ul.entries { list-style: none; margin: 0 0 1rem; padding: 0; }
ul.entries > li { border-top: 1px solid var(--line); padding: 1rem 0; }
ul.entries dl { margin-bottom: .5rem; }
ol.payments { margin: 0 0 .75rem; padding: 0 0 0 2.2rem; }
ol.payments > li { padding: .6rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
ol.payments .pair { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; margin: 0; }
ol.payments .pair strong { flex: 1 1 8rem; }
ol.payments .pair data { margin-left: auto; white-space: nowrap; font-weight: 600; }
nav.parts { display: flex; flex-wrap: wrap; gap: .25rem .75rem; margin-bottom: .5rem; font-variant-numeric: tabular-nums; }
nav.parts a, nav.parts span { padding: .5rem .25rem; }
nav.parts span { font-weight: 600; border-bottom: 3px solid var(--strong); }
small.reference { overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
details { margin-bottom: .75rem; }
summary { padding: .5rem 0; cursor: pointer; color: var(--strong); font-weight: 600; }
`;

/**
 * The only stylesheet of the pages: one column, system fonts, light and dark colour schemes, and a contrast of at
 * least 4.5 to 1.
 */
export const renderStyle = (brand: BankBrand): string => palette(brand) + frame + rules + lists + print;
