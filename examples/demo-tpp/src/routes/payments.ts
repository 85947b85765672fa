import { Get, Param, Post } from '@nestjs/common';
import { html } from '@xs2a/html/html';
import type { TppMessage } from '../bank/bank.js';
import { Initiations } from '../bank/initiations.js';
import { StatusFeed } from '../bank/status-feed.js';
import { form, type Page, page, type Redirect } from '../page/layout.js';
import { PageController } from '../page/page-controller.js';
import { bankErrors, type BankState, money, paymentMeaning, statusPage } from '../page/parts.js';
import {
  readAmount,
  type EnteredPayment,
  examplePayment,
  findField,
  goOn,
  goOnButtons,
  paymentBody,
  paymentFields,
  readPayment,
} from '../page/payment-form.js';
import { findInitiated, type Visit, Visiting } from '../page/visit.js';

/** A single payment: its form and, after initiation, its status. */
@PageController()
export class PaymentsRoutes {
  constructor(
    private readonly initiations: Initiations,
    private readonly feed: StatusFeed,
  ) {}

  @Get('pay')
  form(@Visiting() visit: Visit): Page {
    return payPage(visit, examplePayment);
  }

  @Post('pay')
  async pay(@Visiting() visit: Visit): Promise<Page | Redirect> {
    const entered = readPayment(visit.form);
    const amount = readAmount(visit, entered.amount);
    if (amount === undefined) return payPage(visit, entered, []);
    const outcome = await this.initiations.begin(
      visit,
      `/v1/payments/${visit.market.transfer}`,
      '/payments',
      paymentBody({ ...entered, amount }, visit.market),
    );
    if ('refused' in outcome) return payPage(visit, entered, outcome.refused);
    const { creditorName } = entered;
    visit.session.initiated.set(outcome.id, { kind: 'payment', ...outcome, amount, creditorName });
    return goOn(visit, outcome);
  }

  @Get('payments/:id')
  async status(@Visiting() visit: Visit, @Param('id') id: string): Promise<Page> {
    const payment = findInitiated(visit, 'payment', id);
    const seen = this.feed.version([payment.resourceId]);
    const state = await this.initiations.read<BankState>(payment, '/status');
    return statusPage(visit, 'Payment', payment, {
      meaning: paymentMeaning(state, payment.returned ?? 'nok'),
      state,
      seen,
      facts: [
        ['Amount', money(payment.amount, visit.market)],
        ['Payee', payment.creditorName],
      ],
      another: html`<a href="/pay">Another payment</a>`,
    });
  }
}

/**
 * Builds the form page. `refused`: the reasons why the form is shown again, from the bank or from this app's
 * checks.
 */
const payPage = (visit: Visit, entered: EnteredPayment, refused?: readonly TppMessage[]): Page =>
  page(
    visit,
    'Pay',
    html`<p>We prepare the payment. You check and sign it at your bank.</p>
      ${bankErrors('The bank refused the payment:', refused ?? [], findField())}
      ${form(visit, '/pay', html`${paymentFields(visit, entered)} ${goOnButtons}`)}
      <p><a href="/budget">Payment to the budget</a></p>`,
    { status: refused === undefined ? 200 : 400 },
  );
