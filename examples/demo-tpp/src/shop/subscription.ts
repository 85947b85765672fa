import { Get, Post } from '@nestjs/common';
import { html } from '@xs2a/html/html';
import type { TppMessage } from '../bank/bank.js';
import { Initiations } from '../bank/initiations.js';
import { debtorField, textField } from '../page/form-fields.js';
import { form, type Page, page, Redirect } from '../page/layout.js';
import { PageController } from '../page/page-controller.js';
import { bankErrors, money, nextOf } from '../page/parts.js';
import { readField, readIban } from '../page/payment-form.js';
import { type Visit, Visiting } from '../page/visit.js';
import { exampleOrder, frequencies, orderBody, orderField } from '../routes/order-form.js';
import { goods, totalOf } from './goods.js';

/** A bag of the first good each month. */
const lines = goods.slice(0, 1).map((good) => ({ good, count: 1 }));
const frequency = 'Monthly';

/** The subscription of the shop: a standing order, which is then a page of the money app. */
@PageController('shop/subscription')
export class SubscriptionRoutes {
  constructor(private readonly initiations: Initiations) {}

  @Get()
  form(@Visiting() visit: Visit): Page {
    return subscriptionPage(visit);
  }

  @Post()
  async begin(@Visiting() visit: Visit): Promise<Page | Redirect> {
    const entered = {
      ...exampleOrder,
      frequency,
      amount: totalOf(lines),
      debtorIban: readIban(visit.form, 'debtorIban'),
      startDate: readField(visit.form, 'startDate'),
      remittance: 'Petar’s Coffee, subscription',
    } as const;
    const outcome = await this.initiations.begin(
      visit,
      '/v1/periodic-payments/domestic',
      '/orders',
      orderBody(entered, visit.market),
    );
    if ('refused' in outcome) return subscriptionPage(visit, entered, outcome.refused);
    const { amount, creditorName, creditorIban } = entered;
    visit.session.initiated.set(outcome.id, {
      kind: 'order',
      ...outcome,
      amount,
      creditorName,
      creditorIban,
      frequency: frequencies[frequency],
    });
    return nextOf(outcome);
  }
}

/** Builds the form page. `refused`: the bank's reasons for a refusal of the order. */
const subscriptionPage = (
  visit: Visit,
  { debtorIban, startDate }: { readonly debtorIban: string; readonly startDate: string } = exampleOrder,
  refused: readonly TppMessage[] = [],
): Page =>
  page(
    visit,
    'Coffee every month',
    html`${bankErrors('The bank refused the order:', refused, orderField)}
      <ul class="tiles goods">
        ${lines.map(
          ({ good }) =>
            html`<li>
              ${good.picture}
              <h2>${good.name}</h2>
              <p class="quiet">${good.text}</p>
              <p class="price">${money(totalOf(lines), visit.market)} a month</p>
            </li>`,
        )}
      </ul>
      ${form(
        visit,
        '/shop/subscription',
        html`${debtorField(visit, debtorIban)}
          ${textField('startDate', 'First day', startDate, { type: 'date' })}
          <button class="wide">Subscribe by bank</button>
          <p class="hint">
            You sign once. It then is one of the <a href="/orders">orders in the money app</a>, where you can
            end it at any time.
          </p>`,
      )}`,
    { status: refused.length === 0 ? 200 : 400 },
  );
