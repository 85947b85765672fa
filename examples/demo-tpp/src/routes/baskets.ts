import { Get, Param, Post } from '@nestjs/common';
import { type Html, html } from '@xs2a/html/html';
import type { TppMessage } from '../bank/bank.js';
import { Initiations } from '../bank/initiations.js';
import type { Market } from '../bank/market.js';
import { StatusFeed } from '../bank/status-feed.js';
import { form, type Page, page, Redirect } from '../page/layout.js';
import { PageController } from '../page/page-controller.js';
import {
  bankErrors,
  type BankState,
  entry,
  entryId,
  facts,
  type Meaning,
  money,
  nextOf,
  partlySigned,
  paymentMeaning,
  statusPage,
  statusText,
  unknown,
  unsigned,
} from '../page/parts.js';
import type { Basket, BasketItem } from '../page/session.js';
import { findInitiated, type Visit, Visiting } from '../page/visit.js';
import { freeItems, latestUnsigned, sumOf } from './basket-items.js';

interface BasketState extends BankState {
  readonly items?: readonly (BankState & { readonly paymentId?: string })[];
}

/** Signing baskets: several payments and bulks signed together. */
@PageController('baskets')
export class BasketsRoutes {
  constructor(
    private readonly initiations: Initiations,
    private readonly feed: StatusFeed,
  ) {}

  @Get()
  async choose(@Visiting() visit: Visit): Promise<Page> {
    return choicePage(visit, await latestUnsigned(visit.session, this.initiations));
  }

  @Post('choice')
  keepChoice(@Visiting() { session, form }: Visit): Redirect {
    const chosen = new Set(form.getAll('item'));
    session.basketChoice = freeItems(session).flatMap(({ id }) => (chosen.has(id) ? [id] : []));
    if (session.basketChoice.length > 0) return new Redirect('/baskets/preview');
    session.notice = { text: 'Choose at least one payment.' };
    return new Redirect('/baskets');
  }

  @Get('preview')
  preview(@Visiting() visit: Visit): Page | Redirect {
    const items = chosenItems(visit);
    return items.length === 0 ? new Redirect('/baskets') : previewPage(visit, items);
  }

  @Post()
  async create(@Visiting() visit: Visit): Promise<Page | Redirect> {
    const items = chosenItems(visit);
    if (items.length === 0) return new Redirect('/baskets');
    const outcome = await this.initiations.begin(visit, '/v1/signing-baskets', '/baskets', {
      paymentIds: items.map(({ resourceId }) => resourceId),
    });
    if ('refused' in outcome) return previewPage(visit, items, outcome.refused);
    visit.session.initiated.set(outcome.id, { kind: 'basket', ...outcome, items });
    delete visit.session.basketChoice;
    return nextOf(outcome);
  }

  @Get(':id')
  async status(@Visiting() visit: Visit, @Param('id') id: string): Promise<Page> {
    const basket = findInitiated(visit, 'basket', id);
    const seen = this.feed.version([basket, ...basket.items].map(({ resourceId }) => resourceId));
    return basketPage(visit, basket, await this.initiations.read<BasketState>(basket), seen);
  }

  @Post(':id/dissolve')
  async dissolve(@Visiting() visit: Visit, @Param('id') id: string): Promise<Redirect> {
    const basket = findInitiated(visit, 'basket', id);
    if (await this.initiations.cancel(basket)) basket.isDissolved = true;
    visit.session.notice = basket.isDissolved
      ? { text: 'The basket is dissolved. Its payments are free again.', isGood: true }
      : { text: 'It was too late to dissolve the basket.' };
    return new Redirect(basket.ownPath);
  }
}

/** Returns the chosen items that are not in a basket yet. */
const chosenItems = ({ session }: Visit): readonly BasketItem[] =>
  freeItems(session).filter(({ id }) => session.basketChoice?.includes(id));

const nameOf = (item: BasketItem): string =>
  item.kind === 'payment' ? item.creditorName : `Bulk payment, ${item.entries.length} payments`;

const numberAndTotal = (items: readonly BasketItem[], market: Market) =>
  [
    ['Number', items.length],
    ['Total', money(sumOf(items), market)],
  ] as const;

/**
 * Builds the page for choosing items. The items of the last choice are ticked, or all items if nothing has been
 * chosen yet.
 */
const choicePage = (visit: Visit, items: readonly BasketItem[]): Page => {
  const { basketChoice = [], initiated } = visit.session;
  const choices = items.map((item) => {
    const isChosen = basketChoice.length === 0 || basketChoice.includes(item.id);
    return html`<li>
      <label>
        <input type="checkbox" name="item" value="${item.id}" ${isChosen ? html`checked` : undefined} />
        <span class="payee">${nameOf(item)}</span>
        <span class="amount">${money(sumOf([item]), visit.market)}</span>
      </label>
    </li>`;
  });
  const choose = form(
    visit,
    '/baskets/choice',
    html`<fieldset class="choose">
        <legend>Waiting for your signature</legend>
        <ul>
          ${choices}
        </ul>
      </fieldset>
      <button>Check the basket</button>`,
  );
  return page(
    visit,
    'Signing basket',
    html`<p>Up to ten payments, which you sign at your bank at once.</p>
      ${items.length === 0 ? html`<p>Nothing waits for your signature.</p>` : choose}
      <h2>Add a payment</h2>
      <p>Fill in a form and choose “Keep for a basket”.</p>
      <ul>
        <li><a href="/pay">Pay</a></li>
        <li><a href="/budget">Payment to the budget</a></li>
        <li><a href="/bulks">Bulk payment</a></li>
      </ul>
      ${basketList(
        [...initiated.values()].filter((one) => one.kind === 'basket'),
        visit.market,
      )}`,
  );
};

/** Lists the baskets of this session, so that the user can find an unsigned one again. */
const basketList = (baskets: readonly Basket[], market: Market): Html | undefined => {
  if (baskets.length === 0) return undefined;
  return html`<h2>My baskets</h2>
    <ul class="cards">
      ${baskets.map(
        ({ ownPath, items }) =>
          html`<li>
            <a href="${ownPath}">Basket of ${items.length} ${items.length === 1 ? 'payment' : 'payments'}</a>
            <span class="amount">${money(sumOf(items), market)}</span>
          </li>`,
      )}
    </ul>`;
};

const prefix = 'item';
const itemEntry = (item: BasketItem, index: number, market: Market, more?: Html): Html =>
  entry(prefix, index, {
    payee: html`<p><a href="${item.ownPath}">${nameOf(item)}</a></p>`,
    amount: money(sumOf([item]), market),
    more,
  });

const itemOfPath = (path: string): string | undefined => {
  const [, index] = /^paymentIds\[(\d)\]$/.exec(path) ?? [];
  return index === undefined ? undefined : entryId(prefix, Number(index));
};

/**
 * Builds the page that previews the choice before the basket is created. `refused`: the bank's reasons for
 * refusing to create it.
 */
const previewPage = (visit: Visit, items: readonly BasketItem[], refused: readonly TppMessage[] = []): Page =>
  page(
    visit,
    'Check the basket',
    html`<p>You sign all of it with one code. If you refuse, none of it is carried out.</p>
      ${bankErrors('The bank refused the basket:', refused, itemOfPath)}
      ${facts(numberAndTotal(items, visit.market))}
      <h2>Payments</h2>
      <ol class="entries">
        ${items.map((item, index) => itemEntry(item, index, visit.market))}
      </ol>
      ${form(visit, '/baskets', html`<button>Continue to the bank</button>`)}
      <p><a href="/baskets">Choose again</a></p>`,
    { status: refused.length === 0 ? 200 : 400 },
  );

const meanings: Readonly<Record<string, Meaning>> = {
  RCVD: unsigned,
  PATC: partlySigned,
  ACTC: { text: 'signed: the bank carries out one payment after the other', isOpen: true },
  ACSC: { text: 'carried out', tone: 'good' },
  RJCT: { text: 'not authorised: none of it is carried out', tone: 'bad' },
  CANC: { text: 'dissolved: its payments can be put into another basket' },
};
const partly: Meaning = { text: 'ended: not all of it was carried out', tone: 'bad' };

const basketPage = (visit: Visit, basket: Basket, state: BasketState | undefined, seen: number): Page => {
  const { items } = basket;
  const itemStates = items.map(({ resourceId }) =>
    state?.items?.find(({ paymentId }) => paymentId === resourceId),
  );
  const itemMeanings = itemStates.map((one) => paymentMeaning(one));
  const { transactionStatus = '' } = state ?? {};
  const isComplete = itemStates.every((one) => one?.transactionStatus === 'ACSC');
  const meaning =
    transactionStatus === 'ACSC' && !isComplete ? partly : (meanings[transactionStatus] ?? unknown);
  const entries = items.map((item, index) => {
    const status = statusText(itemMeanings[index] ?? unknown, itemStates[index]);
    return itemEntry(item, index, visit.market, html`<p class="status">${status}</p>`);
  });
  return statusPage(visit, 'Signing basket', basket, {
    meaning,
    state,
    seen,
    // The items of a dissolved basket change status independently, so they do not keep its page open.
    isOpen:
      meaning.isOpen === true || (transactionStatus !== 'CANC' && itemMeanings.some(({ isOpen }) => isOpen)),
    facts: numberAndTotal(items, visit.market),
    details: html`<h2>Payments</h2>
      <ol class="entries" id="items" data-live>
        ${entries}
      </ol>`,
    end: [unsigned, partlySigned].includes(meaning) ? ['dissolve', 'Dissolve the basket'] : undefined,
    another: html`<a href="/baskets">Another basket</a>`,
  });
};
