import { Get, Param } from '@nestjs/common';
import { unwrap, Xs2aError } from '@xs2a/client/error';
import type { Session as Access } from '@xs2a/client/session';
import { convertedText, ibanFigure } from '@xs2a/html/figures';
import { type Html, html } from '@xs2a/html/html';
import { hasEnded, refusalOf } from '../bank/bank.js';
import type { Market } from '../bank/market.js';
import { connectForm } from '../page/connect-form.js';
import { form, type Page, page, Redirect } from '../page/layout.js';
import { PageController } from '../page/page-controller.js';
import { money } from '../page/parts.js';
import { type Visit, Visiting } from '../page/visit.js';

interface Amount {
  readonly amount: string;
  readonly currency: string;
}
interface Account {
  readonly resourceId: string;
  readonly iban: string;
  readonly currency: string;
  readonly product?: string;
  readonly balances?: readonly { readonly balanceType: string; readonly balanceAmount: Amount }[];
}
interface Transaction {
  readonly transactionAmount: Amount;
  readonly accountCurrencyAmount?: Amount;
  readonly bookingDate?: string;
  readonly creditorName?: string;
  readonly debtorName?: string;
  readonly remittanceInformationUnstructured?: string;
}
interface Transactions {
  readonly account: { readonly iban: string };
  readonly transactions: {
    readonly booked?: readonly Transaction[];
    readonly pending?: readonly Transaction[];
  };
}

/** The connected accounts and their transactions. */
@PageController('accounts')
export class AccountsRoutes {
  @Get()
  async accounts(@Visiting() visit: Visit): Promise<Page> {
    const read = await this.read(visit, async (access) => access.accounts({ withBalance: true }));
    if (read === undefined) return connectPage(visit);
    visit.session.accounts = read.map(({ iban, currency }) => ({ iban, currency }));
    return accountsPage(visit, read);
  }

  @Get(':resourceId')
  async transactions(
    @Visiting() visit: Visit,
    @Param('resourceId') resourceId: string,
  ): Promise<Page | Redirect> {
    const params = {
      path: { 'account-id': resourceId },
      query: { bookingStatus: 'both', pageSize: 20 },
    } as const;
    const read = await this.read(visit, async ({ api }) =>
      unwrap(await api.GET('/v1/accounts/{account-id}/transactions', { params })),
    );
    return read === undefined ? new Redirect('/accounts') : transactionsPage(visit, read);
  }

  /** Returns undefined if the user must connect again or the bank refuses. */
  private async read<Body>(
    { session, ip }: Visit,
    call: (access: Access) => Promise<Body>,
  ): Promise<Body | undefined> {
    const { connection } = session;
    if (connection === undefined) return undefined;
    const answer = await call(connection.access.at(ip)).catch(refusalOf);
    if (!(answer instanceof Xs2aError)) return answer;
    if (!hasEnded(answer)) return undefined;
    delete session.connection;
    session.accounts = [];
    session.notice = {
      text: 'Your bank no longer gives access: it was withdrawn or has ended. Connect again.',
    };
    return undefined;
  }
}

const connectPage = (visit: Visit): Page => page(visit, 'All your money in one place', connectForm(visit));

/** The balance that matters most to a user: the available balance if the bank returns it. */
const availableBalance = ({ balances = [] }: Account): Amount | undefined =>
  (balances.find(({ balanceType }) => balanceType === 'expected') ?? balances[0])?.balanceAmount;

const accountsPage = (visit: Visit, accounts: readonly Account[]): Page => {
  const cards = accounts.map((account) => {
    const balance = availableBalance(account);
    return html`<li>
      <div>
        <p>${ibanFigure(account.iban)}</p>
        <p class="quiet">${account.product ?? account.currency}</p>
        <p>
          <a href="/accounts/${account.resourceId}" aria-label="Transactions ${account.iban}">Transactions</a>
        </p>
      </div>
      ${
        balance &&
        html`<p>
          <span class="quiet">Available</span>
          <span class="amount">${money(balance.amount, visit.market, balance.currency)}</span>
        </p>`
      }
    </li>`;
  });
  return page(
    visit,
    'Accounts',
    html`<ul class="cards">
        ${cards}
      </ul>
      ${form(visit, '/disconnect', html`<button class="secondary">Disconnect</button>`)}`,
  );
};

/** An amount in leva from before the bank changed over to the euro is shown after its amount in euro. */
const amountOf = ({ transactionAmount: booked, accountCurrencyAmount: euro }: Transaction, market: Market) =>
  euro === undefined
    ? money(booked.amount, market, booked.currency)
    : html`${convertedText({ euro: euro.amount, lev: booked.amount }, 'en')}`;

const transaction = (one: Transaction, when: string | undefined, market: Market): Html =>
  html`<li>
    <div>
      <p>${one.creditorName ?? one.debtorName}</p>
      <p class="quiet">
        ${[when, one.remittanceInformationUnstructured].filter((part) => part !== undefined).join(' · ')}
      </p>
    </div>
    <p class="amount">${amountOf(one, market)}</p>
  </li>`;

const transactionsPage = (visit: Visit, { account, transactions }: Transactions): Page => {
  const { pending = [], booked = [] } = transactions;
  const all = [
    ...pending.map((one) => transaction(one, 'pending', visit.market)),
    ...booked.map((one) => transaction(one, one.bookingDate, visit.market)),
  ];
  const list = html`<ul class="cards">
    ${all}
  </ul>`;
  return page(
    visit,
    'Latest transactions',
    html`<p class="quiet">${ibanFigure(account.iban)}</p>
      ${all.length === 0 ? html`<p>No transactions in the last 90 days.</p>` : list}
      <p><a href="/accounts">All accounts</a></p>`,
  );
};
