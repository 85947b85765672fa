import { amountFigure } from '@xs2a/html/figures';
import { type Html, html } from '@xs2a/html/html';
import type { TppMessage } from '../bank/bank.js';
import type { BasketPlace, BulkPlace } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import { bankFaults } from '../page/form-fields.js';
import { form, page, type View } from '../page/page.js';
import { toEventsPath, notSignedNotice, getBulkPlace, statusRow } from '../page/status-parts.js';
import type { BasketItem, KnownBasket, Session } from '../page/sessions.js';
import { addSums } from './basket-items.js';
import type { BasketState, ItemState } from './signing-baskets.js';

const toName = ({ pays }: BasketItem, { language }: View): string =>
  'payee' in pays ? pays.payee : catalogues[language].basket.bulkOf(pays.payments);

const addLinks = ({ language }: View): Html => {
  const { basket, pay, budget, bulk } = catalogues[language];
  const ways = [
    { to: '/pay', title: pay.title },
    { to: '/budget', title: budget.title },
    { to: '/bulks', title: bulk.title },
  ];
  return html`<h2>${basket.add}</h2>
    <p>${basket.addText}</p>
    <ul>
      ${ways.map(({ to, title }) => html`<li><a href="${to}">${title}</a></li>`)}
    </ul>`;
};

/** The baskets of this session, so that the person finds an unsigned one again. */
const basketList = ({ language }: View, baskets: Session['baskets']): Html | undefined => {
  const { basket } = catalogues[language];
  if (baskets.size === 0) return undefined;
  return html`<h2>${basket.mine}</h2>
    <ul class="cards">
      ${[...baskets].map(
        ([id, { items }]) =>
          html`<li>
            <a href="/baskets/${id}">${basket.of(items.length)}</a>
            <span class="amount">${addSums(items).map((sum) => amountFigure(sum, language))}</span>
          </li>`,
      )}
    </ul>`;
};

/** The page on which items are chosen. The items of the last choice are ticked; without one, all are. */
export const choicePage = (
  view: View,
  items: readonly BasketItem[],
  { basketChoice: chosen = [], baskets }: Pick<Session, 'basketChoice' | 'baskets'>,
): Html => {
  const { basket } = catalogues[view.language];
  const choices = items.map(
    (item) =>
      html`<li>
        <label>
          <input
            type="checkbox"
            name="item"
            value="${item.id}"
            ${chosen.length === 0 || chosen.includes(item.id) ? html`checked` : undefined}
          />
          <span class="payee">${toName(item, view)}</span>
          <span class="amount">${amountFigure(item, view.language)}</span>
        </label>
      </li>`,
  );
  const choose = form(
    view,
    '/baskets/choice',
    html`<fieldset class="choose">
        <legend>${basket.choose}</legend>
        <ul>
          ${choices}
        </ul>
      </fieldset>
      <button>${basket.check}</button>`,
  );
  return page(
    view,
    basket.title,
    html`<p>${basket.lead}</p>
      ${items.length === 0 ? html`<p>${basket.none}</p>` : choose} ${addLinks(view)}
      ${basketList(view, baskets)}`,
  );
};

const summary = ({ language }: View, items: readonly BasketItem[]): Html => {
  const { bulk } = catalogues[language];
  return html`<dt>${bulk.number}</dt>
    <dd>${items.length}</dd>
    <dt>${bulk.total}</dt>
    ${addSums(items).map((sum) => html`<dd class="amount">${amountFigure(sum, language)}</dd>`)}`;
};

const itemId = (index: number): string => `item-${index + 1}`;

/** One item in a list; `more` is shown below its payee. */
const itemRow = (view: View, item: BasketItem, index: number, more?: Html): Html =>
  html`<li id="${itemId(index)}" tabindex="-1">
    <p class="quiet number">${index + 1}</p>
    <div class="payee">
      <p><a href="${item.ownPath}">${toName(item, view)}</a></p>
      ${more}
    </div>
    <p class="amount">${amountFigure(item, view.language)}</p>
  </li>`;

const itemOfPath = (path: string): string | undefined => {
  const [, index] = /^paymentIds\[(\d)\]$/.exec(path) ?? [];
  return index === undefined ? undefined : itemId(Number(index));
};

/** The page that shows the choice before the basket is created. `refused`: the bank's reasons for not creating it. */
export const basketPreviewPage = (
  view: View,
  items: readonly BasketItem[],
  refused: readonly TppMessage[] = [],
): Html => {
  const { basket, bulk, pay } = catalogues[view.language];
  return page(
    view,
    basket.previewTitle,
    html`<p>${basket.previewLead}</p>
      ${bankFaults(view, refused, itemOfPath, basket.refused)}
      <dl>${summary(view, items)}</dl>
      <h2>${bulk.entries}</h2>
      <ol class="entries">
        ${items.map((item, index) => itemRow(view, item, index))}
      </ol>
      ${form(view, '/baskets', html`<button>${pay.submit}</button>`)}
      <p><a href="/baskets">${basket.chooseAgain}</a></p>`,
  );
};

/** An item is accepted and signed in one step, when its basket is signed. */
const getItemPlace = (state: ItemState | undefined): BulkPlace =>
  state?.fundsAvailable === false && state.transactionStatus === 'ACCP'
    ? 'unfunded'
    : getBulkPlace(state?.transactionStatus);

const basketPlaces: Readonly<Record<string, BasketPlace>> = {
  RCVD: 'unsigned',
  PATC: 'unsigned',
  ACTC: 'accepted',
  ACSC: 'done',
  RJCT: 'rejected',
  CANC: 'dissolved',
};
const getPlace = (state: BasketState | undefined, items: readonly BulkPlace[]): BasketPlace => {
  const place = basketPlaces[state?.transactionStatus ?? ''] ?? 'unknown';
  return place === 'done' && items.some((item) => item !== 'done') ? 'partly' : place;
};

const moving = new Set<BasketPlace | BulkPlace>(['unsigned', 'accepted', 'executing']);
/** The basket no longer changes. Items of a dissolved basket continue separately. */
const isOver = (place: BasketPlace, items: readonly BulkPlace[]): boolean =>
  !moving.has(place) && (place === 'dissolved' || items.every((item) => !moving.has(item)));

const actions = (view: View, place: BasketPlace, { scaRedirect }: KnownBasket): Html => {
  const { basket, payment } = catalogues[view.language];
  const ofUnsigned = html`<p><a href="${scaRedirect}">${basket.sign}</a></p>
    ${form(view, `${view.path}/dissolve`, html`<button class="quietly">${basket.dissolve}</button>`)}`;
  return html`<p><a href="${view.path}">${payment.again}</a></p>
    ${place === 'unsigned' ? ofUnsigned : undefined}`;
};

/** `seen`: the version of the basket that the bank had pushed when this page read it. */
export const basketPage = (
  view: View,
  known: KnownBasket,
  state: BasketState | undefined,
  seen: number,
): Html => {
  const { basket, bulk } = catalogues[view.language];
  const states = known.items.map(({ resourceId }) =>
    state?.items?.find(({ paymentId }) => paymentId === resourceId),
  );
  const itemStates = states.map(getItemPlace);
  const place = getPlace(state, itemStates);
  const isFinal = isOver(place, itemStates);
  const rows = known.items.map((item, index) => {
    const one = getItemPlace(states[index]);
    return itemRow(
      view,
      item,
      index,
      html`<p class="${one}">
        ${bulk.place[one]} <span class="quiet">${states[index]?.transactionStatus}</span>
      </p>`,
    );
  });
  return page(
    view,
    basket.title,
    html`${notSignedNotice(view, known)}
      <dl>${statusRow(view, basket.place[place], state)} ${summary(view, known.items)}</dl>
      <h2>${bulk.entries}</h2>
      <ol class="entries" id="items" data-live>
        ${rows}
      </ol>
      <div id="actions" data-live>${isFinal ? undefined : actions(view, place, known)}</div>
      <p><a href="/baskets">${basket.another}</a></p>`,
    isFinal ? undefined : toEventsPath(view, seen),
  );
};
