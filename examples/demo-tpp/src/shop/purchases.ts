import { Get, Param, Post } from '@nestjs/common';
import { type Html, html } from '@xs2a/html/html';
import { Initiations } from '../bank/initiations.js';
import { StatusFeed } from '../bank/status-feed.js';
import { form, type Page, page, Redirect } from '../page/layout.js';
import { PageController } from '../page/page-controller.js';
import {
  type BankState,
  type Meaning,
  partlySigned,
  paymentMeaning,
  signLinks,
  statusText,
  unsigned,
} from '../page/parts.js';
import type { Purchase } from '../page/session.js';
import { findInitiated, type Visit, Visiting } from '../page/visit.js';
import { cartLines } from './shop-routes.js';

/** The orders of the shop, whose pages follow their payments. */
@PageController('purchases')
export class PurchasesRoutes {
  constructor(
    private readonly initiations: Initiations,
    private readonly feed: StatusFeed,
  ) {}

  @Get(':id')
  async status(@Visiting() visit: Visit, @Param('id') id: string): Promise<Page> {
    const purchase = findInitiated(visit, 'purchase', id);
    const seen = this.feed.version([purchase.resourceId]);
    const state = await this.initiations.read<BankState>(purchase, '/status');
    return purchasePage(visit, purchase, state, seen);
  }

  /** Makes the sandbox execute the signed payment now. */
  @Post(':id/settle')
  async settle(@Visiting() visit: Visit, @Param('id') id: string): Promise<Redirect> {
    const purchase = findInitiated(visit, 'purchase', id);
    if (!(await this.initiations.settle(purchase)))
      visit.session.notice = { text: 'The bank cannot execute the payment now.' };
    return new Redirect(purchase.ownPath);
  }

  /** Puts the goods of an unpaid order back in the cart. */
  @Post(':id/again')
  again(@Visiting() visit: Visit, @Param('id') id: string): Redirect {
    const { cart } = visit.session;
    for (const { good, count } of findInitiated(visit, 'purchase', id).lines) cart.set(good.id, count);
    return new Redirect('/shop/cart');
  }
}

type Stage = 'unsigned' | 'signed' | 'paid' | 'unpaid';

const stageOf = (meaning: Meaning): Stage => {
  if (meaning.tone === 'good') return 'paid';
  if (meaning === unsigned || meaning === partlySigned) return 'unsigned';
  return meaning.isOpen === true ? 'signed' : 'unpaid';
};

const headlines: Readonly<Record<Stage, string>> = {
  unsigned: 'Not paid yet',
  signed: 'Payment signed',
  paid: 'Paid. Your parcel is on its way',
  unpaid: 'Not paid',
};
const marks: Readonly<Record<Stage, string>> = { unsigned: '…', signed: '…', paid: '✓', unpaid: '✕' };

const actionOf = (visit: Visit, purchase: Purchase, stage: Stage): Html => {
  const { ownPath } = purchase;
  if (stage === 'paid') return html`<p><a class="button" href="/shop">Buy something else</a></p>`;
  if (stage === 'unpaid')
    return form(visit, `${ownPath}/again`, html`<button>Put it back in the cart</button>`);
  if (stage === 'unsigned')
    return html`${signLinks(purchase)}
      <p><a href="${ownPath}">Refresh</a></p>`;
  return html`<p>The bank executes it within a minute, and reports it to the shop. This page then changes.</p>
    ${form(visit, `${ownPath}/settle`, html`<button class="secondary">Execute it now (sandbox only)</button>`)}
    <p><a href="${ownPath}">Refresh</a></p>`;
};

const purchasePage = (visit: Visit, purchase: Purchase, state: BankState | undefined, seen: number): Page => {
  const meaning = paymentMeaning(state, purchase.returned ?? 'nok');
  const stage = stageOf(meaning);
  const isOpen = stage === 'unsigned' || stage === 'signed';
  return page(
    visit,
    'Your order',
    html`<div class="result" id="state" data-live role="status">
        <p class="headline ${stage}">
          <span class="mark" aria-hidden="true">${marks[stage]}</span> ${headlines[stage]}
        </p>
        <p>${statusText(meaning, state)}</p>
        ${
          purchase.returned === 'nok' && stage !== 'paid'
            ? html`<p>You came back without signing. No money has moved.</p>`
            : undefined
        }
      </div>
      <div id="actions" data-live>${actionOf(visit, purchase, stage)}</div>
      <h2>What you ordered</h2>
      ${cartLines(purchase.lines, visit.market)}`,
    { events: isOpen ? `${purchase.ownPath}/events?after=${seen}` : undefined },
  );
};
