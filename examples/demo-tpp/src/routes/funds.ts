import { Get, Post } from '@nestjs/common';
import { amountText } from '@xs2a/html/figures';
import { html } from '@xs2a/html/html';
import { Bank } from '../bank/bank.js';
import { amountField } from '../page/form-fields.js';
import { form, type Page, page, Redirect } from '../page/layout.js';
import { PageController } from '../page/page-controller.js';
import { readAmount } from '../page/payment-form.js';
import { type Visit, Visiting } from '../page/visit.js';

/** Funds confirmation ("Is this amount covered?"), once the user has permitted it at the bank. */
@PageController('funds')
export class FundsRoutes {
  constructor(private readonly bank: Bank) {}

  @Get()
  funds(@Visiting() visit: Visit): Page {
    return fundsPage(visit);
  }

  @Post('allow')
  allow(@Visiting() { session }: Visit): Redirect {
    session.login = { scope: 'PSP_IC' };
    return new Redirect('/login');
  }

  @Post()
  async ask(@Visiting() visit: Visit): Promise<Page | Redirect> {
    const { session, form, ip } = visit;
    const { currency } = visit.market;
    const amount = readAmount(visit, form.get('amount'));
    if (amount === undefined) return new Redirect('/funds');
    if (session.funds === undefined) return fundsPage(visit);
    const answer = await this.bank.asPerson<{ readonly fundsAvailable?: boolean }>(
      session.funds,
      ip,
      'POST',
      '/v1/funds-confirmations',
      { json: { instructedAmount: { amount, currency } } },
    );
    if (answer === undefined) {
      delete session.funds;
      session.notice = {
        text: 'Your bank no longer answers this question: the access was withdrawn or has ended. Allow it again.',
      };
      return fundsPage(visit);
    }
    const figure = amountText({ amount, currency }, 'en', currency);
    if (answer.status !== 200) return fundsPage(visit, 'The bank did not take the question.');
    return fundsPage(
      visit,
      answer.body.fundsAvailable === true ? `Yes: ${figure} is covered.` : `No: ${figure} is not covered.`,
    );
  }
}

const fundsPage = (visit: Visit, answer?: string): Page => {
  const ask = form(visit, '/funds', html`${amountField(visit.market)} <button>Ask the bank</button>`);
  const allow = html`<p>You allow this question once, at your bank.</p>
    ${form(visit, '/funds/allow', html`<button>Allow at my bank</button>`)}`;
  return page(
    visit,
    'Check funds',
    html`<p>Asks the bank whether an amount is covered. The answer is yes or no: no balance is shown.</p>
      ${answer && html`<p class="answer" role="status">${answer}</p>`}
      ${visit.session.funds === undefined ? allow : ask}`,
  );
};
