import { Get, NotFoundException, Post } from '@nestjs/common';
import { type Html, html } from '@xs2a/html/html';
import type { TppMessage } from '../bank/bank.js';
import { Initiations } from '../bank/initiations.js';
import type { Market } from '../bank/market.js';
import { debtorField } from '../page/form-fields.js';
import { form, type Page, page, Redirect } from '../page/layout.js';
import { PageController } from '../page/page-controller.js';
import { bankErrors, money, nextOf } from '../page/parts.js';
import { examplePayment, findField, paymentBody, readIban } from '../page/payment-form.js';
import { type Visit, Visiting } from '../page/visit.js';
import { type CartLine, goods, linesOf, maxOfOne, totalOf } from './goods.js';

/** The shop: its goods and the cart, which is paid by a single payment. */
@PageController('shop')
export class ShopRoutes {
  constructor(private readonly initiations: Initiations) {}

  @Get()
  goods(@Visiting() visit: Visit): Page {
    return goodsPage(visit);
  }

  @Get('cart')
  cart(@Visiting() visit: Visit): Page {
    return cartPage(visit);
  }

  /** Adds one of a good, or takes one out. */
  @Post('cart')
  change(@Visiting() { session: { cart }, form }: Visit): Redirect {
    const good = goods.find(({ id }) => id === form.get('good'));
    if (good === undefined) throw new NotFoundException();
    const count = (cart.get(good.id) ?? 0) + (form.get('change') === 'less' ? -1 : 1);
    cart.set(good.id, Math.min(Math.max(count, 0), maxOfOne));
    return new Redirect('/shop/cart');
  }

  @Post('checkout')
  async checkOut(@Visiting() visit: Visit): Promise<Page | Redirect> {
    const { session, market } = visit;
    const lines = linesOf(session.cart);
    if (lines.length === 0) return new Redirect('/shop/cart');
    const debtorIban = readIban(visit.form, 'debtorIban');
    const amount = totalOf(lines);
    const outcome = await this.initiations.begin(
      visit,
      `/v1/payments/${market.transfer}`,
      '/purchases',
      paymentBody({ ...examplePayment, debtorIban, amount, remittance: 'Petar’s Coffee' }, market),
    );
    if ('refused' in outcome) return cartPage(visit, debtorIban, outcome.refused);
    session.initiated.set(outcome.id, { kind: 'purchase', ...outcome, amount, lines });
    session.cart.clear();
    return nextOf(outcome);
  }
}

const priceOf = (line: CartLine, market: Market): Html => money(totalOf([line]), market);

const goodsPage = (visit: Visit): Page =>
  page(
    visit,
    'Coffee, and what it takes',
    html`<ul class="tiles goods">
      ${goods.map(
        (good) =>
          html`<li>
            ${good.picture}
            <h2>${good.name}</h2>
            <p class="quiet">${good.text}</p>
            <p class="price">${priceOf({ good, count: 1 }, visit.market)}</p>
            ${form(
              visit,
              '/shop/cart',
              html`<input type="hidden" name="good" value="${good.id}" />
                <button aria-label="Add to cart: ${good.name}">Add to cart</button>`,
            )}
          </li>`,
      )}
    </ul>`,
  );

const changeButtons = (visit: Visit, { good, count }: CartLine): Html =>
  form(
    visit,
    '/shop/cart',
    html`<input type="hidden" name="good" value="${good.id}" />
      <button class="secondary" name="change" value="less" aria-label="One less: ${good.name}">−</button>
      <span class="count">${count}</span>
      <button class="secondary" name="change" value="more" aria-label="One more: ${good.name}">+</button>`,
  );

/** Lists goods, their numbers and prices, and the total. `control`: what each line has in place of its number. */
export const cartLines = (
  lines: readonly CartLine[],
  market: Market,
  control = ({ count }: CartLine): Html => html`<p class="quiet">${count} ×</p>`,
): Html =>
  html`<ul class="cart">
      ${lines.map(
        (line) =>
          html`<li>
            ${line.good.picture}
            <p>${line.good.name}</p>
            ${control(line)}
            <p class="amount">${priceOf(line, market)}</p>
          </li>`,
      )}
    </ul>
    <p class="total"><span>Total</span> <span class="amount">${money(totalOf(lines), market)}</span></p>`;

/** Builds the cart's page. `refused`: the bank's reasons for a refusal of the payment. */
const cartPage = (visit: Visit, debtorIban = '', refused: readonly TppMessage[] = []): Page => {
  const { session, market } = visit;
  const lines = linesOf(session.cart);
  const empty = html`<p>It is empty.</p>
    <p><a class="button" href="/shop">See the goods</a></p>`;
  const full = html`${cartLines(lines, market, (line) => changeButtons(visit, line))}
  ${form(
    visit,
    '/shop/checkout',
    html`${debtorField(visit, debtorIban)}
      <button class="wide">Pay ${money(totalOf(lines), market)} by bank</button>
      <p class="hint">You check and sign the payment at your bank, and come back.</p>`,
  )}`;
  return page(
    visit,
    'Cart',
    html`${bankErrors('The bank refused the payment:', refused, findField())}
    ${lines.length === 0 ? empty : full}`,
    { status: refused.length === 0 ? 200 : 400 },
  );
};
