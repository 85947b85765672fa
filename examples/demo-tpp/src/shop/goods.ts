import { type Html, html } from '@xs2a/html/html';
import { amountFromMinor } from '../page/amounts.js';

export interface Good {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** In minor units of the market's currency. */
  readonly price: bigint;
  readonly picture: Html;
}

/** A line drawing of 48 × 48 units. */
const drawing = (paths: Html): Html =>
  html`<svg viewBox="0 0 48 48" aria-hidden="true" focusable="false">${paths}</svg>`;

export const goods: readonly Good[] = [
  {
    id: 'espresso',
    name: 'Espresso beans',
    text: 'Dark and round, 250\u00a0g',
    price: 12_90n,
    picture: drawing(html`<path d="M14 12h20l2 28H12z" /><path d="M14 12l3-6h14l3 6M18 24h12v9H18z" />`),
  },
  {
    id: 'filter',
    name: 'Filter beans',
    text: 'Light and fruity, 250\u00a0g',
    price: 11_50n,
    picture: drawing(
      html`<path d="M8 14h26l-9 14v4h-8v-4z" /><path d="M12 38h18M34 18h5a4 4 0 0 1 0 8h-6" />`,
    ),
  },
  {
    id: 'cezve',
    name: 'Cezve',
    text: 'Copper, for two small cups',
    price: 24_00n,
    picture: drawing(html`<path d="M10 20h18l3 18H7z" /><path d="M12 20v-4h14v4M28 20l14-8" />`),
  },
  {
    id: 'cups',
    name: 'Two cups',
    text: 'Stoneware, 80\u00a0ml each',
    price: 18_50n,
    picture: drawing(
      html`<path d="M10 18h22v10a10 10 0 0 1-10 10h-2a10 10 0 0 1-10-10z" /><path
          d="M32 21h4a4 4 0 0 1 0 9h-4M16 6v6M24 6v6"
        />`,
    ),
  },
  {
    id: 'machine',
    name: 'Espresso machine',
    text: 'For those who mean it',
    price: 1890_00n,
    picture: drawing(html`<path d="M8 8h32v10H8zM10 18v22h28V18" /><path d="M20 18v6h8v-6M19 40v-7h10v7" />`),
  },
];

/** How many of each good, by its id. */
export type Cart = ReadonlyMap<string, number>;
export const maxOfOne = 9;

export interface CartLine {
  readonly good: Good;
  readonly count: number;
}

/** The lines of a cart, in the order of the shop. */
export const linesOf = (cart: Cart): readonly CartLine[] =>
  goods.flatMap((good) => {
    const count = cart.get(good.id) ?? 0;
    return count === 0 ? [] : [{ good, count }];
  });

export const countOf = (cart: Cart): number => [...cart.values()].reduce((sum, count) => sum + count, 0);

/** The price of all lines, as the API writes amounts. */
export const totalOf = (lines: readonly CartLine[]): string =>
  amountFromMinor(lines.reduce((sum, { good, count }) => sum + good.price * BigInt(count), 0n));
