import { Get, Param, Post } from '@nestjs/common';
import { type Html, html } from '@xs2a/html/html';
import type { TppMessage } from '../bank/bank.js';
import { Initiations } from '../bank/initiations.js';
import { StatusFeed } from '../bank/status-feed.js';
import { form, type Page, page, Redirect } from '../page/layout.js';
import { PageController } from '../page/page-controller.js';
import {
  bankErrors,
  type BankState,
  day,
  type Meaning,
  money,
  payeeAndIban,
  statusPage,
  unknown,
  unsigned,
} from '../page/parts.js';
import { readAmount } from '../page/payment-form.js';
import { findInitiated, type Visit, Visiting } from '../page/visit.js';
import {
  type EnteredOrder,
  exampleOrder,
  frequencies,
  orderBody,
  orderField,
  orderFields,
  readOrder,
} from './order-form.js';

interface Occurrence extends BankState {
  readonly executionDate: string;
}
interface OrderState extends BankState {
  readonly occurrences?: readonly Occurrence[];
}

/** Standing orders, which the bank calls periodic payments. */
@PageController('orders')
export class OrdersRoutes {
  constructor(
    private readonly initiations: Initiations,
    private readonly feed: StatusFeed,
  ) {}

  @Get()
  form(@Visiting() visit: Visit): Page {
    return orderPage(visit, exampleOrder);
  }

  @Post()
  async begin(@Visiting() visit: Visit): Promise<Page | Redirect> {
    const typed = readOrder(visit.form);
    const amount = readAmount(visit, typed.amount);
    if (amount === undefined) return orderPage(visit, typed, []);
    const outcome = await this.initiations.begin(
      visit,
      '/v1/periodic-payments/domestic',
      '/orders',
      orderBody({ ...typed, amount }, visit.market),
    );
    if ('refused' in outcome) return orderPage(visit, typed, outcome.refused);
    const { creditorName, creditorIban } = typed;
    const frequency = frequencies[typed.frequency];
    visit.session.initiated.set(outcome.id, {
      kind: 'order',
      ...outcome,
      amount,
      creditorName,
      creditorIban,
      frequency,
    });
    return new Redirect(outcome.scaRedirect);
  }

  @Get(':id')
  async status(@Visiting() visit: Visit, @Param('id') id: string): Promise<Page> {
    const order = findInitiated(visit, 'order', id);
    const seen = this.feed.version([order.resourceId]);
    const state = await this.initiations.read<OrderState>(order);
    return statusPage(visit, 'Standing order', order, {
      meaning: orderMeaning(state, order.returned),
      state,
      seen,
      facts: [
        ['Amount', money(order.amount, visit.market)],
        ['Payee', payeeAndIban(order.creditorName, order.creditorIban)],
        ['How often', order.frequency],
      ],
      details: html`<h2>Payments</h2>
        <div id="occurrences" data-live>${occurrenceList(state?.occurrences ?? [])}</div>`,
      end: ['cancel', 'Cancel the order'],
      another: html`<a href="/orders">Another standing order</a>`,
    });
  }

  @Post(':id/cancel')
  async cancel(@Visiting() visit: Visit, @Param('id') id: string): Promise<Redirect> {
    const order = findInitiated(visit, 'order', id);
    visit.session.notice = (await this.initiations.cancel(order))
      ? { text: 'The order is cancelled.', isGood: true }
      : { text: 'It was too late to cancel.' };
    return new Redirect(order.ownPath);
  }
}

/**
 * Builds the form page. `refused`: the reasons why the form is shown again, from the bank or from this app's
 * checks.
 */
const orderPage = (visit: Visit, entered: EnteredOrder, refused?: readonly TppMessage[]): Page =>
  page(
    visit,
    'Standing order',
    html`<p>The same payment again and again. You sign it once, at your bank.</p>
      ${ownOrders(visit)} ${bankErrors('The bank refused the order:', refused ?? [], orderField)}
      ${form(visit, '/orders', html`${orderFields(visit, entered)} <button>Continue to the bank</button>`)}`,
    { status: refused === undefined ? 200 : 400 },
  );

/** The orders of this session, also those of the shop. */
const ownOrders = ({ session, market }: Visit): Html | undefined => {
  const orders = [...session.initiated.values()].filter((one) => one.kind === 'order');
  if (orders.length === 0) return undefined;
  return html`<h2>Your orders</h2>
    <ul class="cards" id="own-orders">
      ${orders.map(
        ({ ownPath, amount, creditorName, frequency }) =>
          html`<li>
            <p><a href="${ownPath}">${creditorName}</a></p>
            <p>${money(amount, market)} ${frequency}</p>
          </li>`,
      )}
    </ul>
    <h2>A new order</h2>`;
};

const meanings: Readonly<Record<string, Meaning>> = {
  RCVD: unsigned,
  ACCP: { text: 'signed: it begins on its first day', isOpen: true },
  ACSP: { text: 'running', isOpen: true },
  ACSC: { text: 'ended: all payments were tried' },
  RJCT: { text: 'not authorised', tone: 'bad' },
  CANC: { text: 'cancelled' },
};

/**
 * ACCP by itself does not show whether the order is signed, so it counts as unsigned until the user has returned
 * from the bank.
 */
const orderMeaning = (state: OrderState | undefined, returned: 'ok' | 'nok' | undefined): Meaning =>
  state?.transactionStatus === 'ACCP' && returned !== 'ok'
    ? unsigned
    : (meanings[state?.transactionStatus ?? ''] ?? unknown);

/**
 * The result of an occurrence. Its own status stays ACTC until the order ends, so fundsAvailable shows whether it
 * was executed.
 */
const occurrenceMeaning = ({ transactionStatus, fundsAvailable }: Occurrence): Meaning => {
  if (fundsAvailable === false) return { text: 'skipped: there was not enough money', tone: 'bad' };
  if (fundsAvailable === true) return { text: 'carried out', tone: 'good' };
  return { text: transactionStatus === 'CANC' ? 'cancelled' : 'next' };
};

const occurrenceList = (occurrences: readonly Occurrence[]): Html => {
  if (occurrences.length === 0) return html`<p>None is planned yet.</p>`;
  return html`<ol class="cards">
    ${occurrences.map((one) => {
      const { text, tone } = occurrenceMeaning(one);
      return html`<li>
        <p>${day(one.executionDate)}</p>
        <p class="${tone}">${text}</p>
      </li>`;
    })}
  </ol>`;
};
