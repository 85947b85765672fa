/** The rules of the shop. */
export const shopStyle = `.goods svg, .cart svg { fill: none; stroke: var(--strong); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.goods svg { width: 100%; height: 6rem; margin-bottom: .75rem; padding: .75rem; border-radius: .5rem; background: var(--ground); }
.goods .price { font-size: 1.15rem; font-weight: 600; }
.goods button { width: 100%; }
ul.cart { list-style: none; margin: 0; padding: 0; }
.cart li { display: grid; grid-template-columns: 2.5rem minmax(0, 1fr) auto; align-items: center; gap: .25rem .75rem; padding: .75rem 0; border-bottom: 1px solid var(--line); }
.cart li svg { grid-row: span 2; width: 2.5rem; height: 2.5rem; padding: .35rem; border-radius: .5rem; background: var(--ground); }
.cart li p { margin: 0; }
.cart li .amount { grid-column: 3; grid-row: 1; }
.cart li form, .cart li .quiet { grid-column: 2 / -1; margin: 0; }
.cart form { display: flex; align-items: center; gap: .75rem; }
.cart form button { min-width: 2.75rem; padding: 0; }
.total { display: flex; justify-content: space-between; padding: 1rem 0; font-size: 1.25rem; font-weight: 600; }
button.wide { width: 100%; font-size: 1.125rem; }
.hint { margin-top: .5rem; }
.result { margin-bottom: 1rem; padding: 1.25rem; border-radius: .75rem; background: var(--ground); }
.result p:last-child { margin: 0; }
.headline { margin: 0 0 .25rem; font-size: 1.4rem; font-weight: 600; line-height: 1.3; }
.headline .mark { display: inline-block; width: 2rem; height: 2rem; margin-right: .25rem; border-radius: 50%; background: var(--strong); color: var(--on-strong); font-size: 1.1rem; line-height: 2rem; text-align: center; }
.headline.paid .mark { background: var(--good); color: var(--paper); }
.headline.unpaid .mark { background: var(--alarm); color: var(--paper); }
`;
