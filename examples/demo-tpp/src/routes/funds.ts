import { Get, Post } from '@nestjs/common';
import { Xs2aError } from '@xs2a/client/error';
import { amountText } from '@xs2a/html/figures';
import { html } from '@xs2a/html/html';
import { Bank, hasEnded, refusalOf } from '../bank/bank.js';
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
  async allow(@Visiting() { session }: Visit): Promise<Redirect> {
    session.login = { scope: 'PSP_IC', ...(await this.bank.xs2a.funds.start()) };
    return new Redirect('/login');
  }

  @Post()
  async ask(@Visiting() visit: Visit): Promise<Page | Redirect> {
    const { session, form, ip } = visit;
    const { currency } = visit.market;
    const amount = readAmount(visit, form.get('amount'));
    if (amount === undefined) return new Redirect('/funds');
    if (session.funds === undefined) return fundsPage(visit);
    const answer = await session.funds
      .at(ip)
      .confirmFunds({ instructedAmount: { amount, currency } })
      .catch(refusalOf);
    if (answer instanceof Xs2aError && hasEnded(answer)) {
      delete session.funds;
      session.notice = {
        text: 'Your bank no longer answers this question: the access was withdrawn or has ended. Allow it again.',
      };
      return fundsPage(visit);
    }
    const figure = amountText({ amount, currency }, 'en', currency);
    if (answer instanceof Xs2aError) return fundsPage(visit, 'The bank refused the question.');
    return fundsPage(visit, answer ? `Yes: ${figure} is covered.` : `No: ${figure} is not covered.`);
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
