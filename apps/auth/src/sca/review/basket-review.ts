import type {
  BasketAuthorisation,
  BasketPayment,
  BasketPaymentSummary,
} from '@xs2a/contracts/baskets.contract';
import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import { total } from '@xs2a/domain/payment/pricing/price-order';
import type { SignedContent } from '@xs2a/domain/sca/otp-binding';
import { html } from '@xs2a/html/html';
import { digestContent } from '@xs2a/runtime/signing/basket-summary';
import type { Entry, Row } from '../requests/authorisation-request.js';
import type { AuthorisationKind } from '../catalogue/approval-kinds.js';
import { catalogues } from '../catalogue/catalogues.js';
import { consentRows, openedBy } from './consent-review.js';
import { accountFigure, amountFigure } from '../pages/figures.js';
import type { PageState } from '../page-sessions.js';
import { payeeCountRows, payeeDetail } from './payee-rows.js';
import { countEntries } from './entry-pages.js';
import { paymentReview, type ReviewedPayment } from './payment-review.js';
import { type Reading, signatureRows } from './row-parts.js';

export type ReviewedBasket = Pick<
  BasketAuthorisation,
  'basketId' | 'consents' | 'agreedIbans' | 'signedBy' | 'signaturesMissing' | 'payeeCounts'
> & { readonly summaries: readonly BasketPaymentSummary[] };
type Signatures = Pick<ReviewedBasket, 'signedBy' | 'signaturesMissing'>;
type Chosen = Pick<PageState, 'chosenIbans'>;

const reviewed = (payment: BasketPayment, { signedBy, signaturesMissing }: Signatures): ReviewedPayment => ({
  ...payment,
  signedBy,
  signaturesMissing,
});

/**
 * The word that the pages use for a basket: if it contains only payments or only consents, it is named after its
 * items.
 */
export const basketKind = ({
  summaries,
  consents,
}: Pick<ReviewedBasket, 'summaries' | 'consents'>): AuthorisationKind => {
  if (consents.length === 0) return 'bulk';
  return summaries.length === 0 ? 'consent' : 'basket';
};

/** The chosen accounts apply to every consent that leaves the choice to the PSU. */
const consentsIn = ({ consents, agreedIbans }: ReviewedBasket) =>
  consents.map((consent) => ({ ...consent, agreedIbans }));

/** The content to which the code is bound: the digest of each item's own content (contract 10). */
export const basketContent = (basket: ReviewedBasket, state: Chosen): SignedContent => ({
  kind: 'basket',
  resourceId: basket.basketId,
  items: [
    ...basket.summaries.map(({ digest }) => digest),
    ...consentsIn(basket).map((consent) =>
      digestContent({
        kind: 'consent',
        resourceId: consent.consentId,
        accounts: [...openedBy(consent, state).keys()],
      }),
    ),
  ],
});

/** The sum of all payments per currency. */
const addSums = ({ summaries }: ReviewedBasket): readonly MinorAmount[] => {
  const amounts = summaries.map(({ amount }) => amount);
  return [...Map.groupBy(amounts, ({ currency }) => currency).values()].map(total);
};

/**
 * The rows that the PSU reads before signing a basket: the sums, followed by every consent. {@link basketEntries}
 * are listed below them.
 */
export const basketRows = (basket: ReviewedBasket, state: Chosen, reading: Reading): readonly Row[] => {
  const { language } = reading;
  const texts = catalogues[language];
  const { row } = texts;
  const sums = addSums(basket).map((sum) => html`<span class="sum">${amountFigure(sum, reading)}</span>`);
  const count = countEntries(basket.summaries);
  const ofPayments: readonly Row[] = [
    { label: row.sum, value: html`${sums}`, isAmount: true, isSigned: true, isOnReceipt: true },
    { label: row.numberOfPayments, value: String(count), isSigned: true, isOnReceipt: true },
  ];
  const accounts = count === 0 ? row.which : row.mayRead;
  const ofConsents = consentsIn(basket).flatMap((consent) =>
    consentRows(consent, state, reading)
      // With several consents, a list of permissions would not say whose they are; the accounts' rows do.
      .filter(({ place }) => place !== 'permissions')
      .map((one) => (one.label === row.which ? { ...one, label: accounts, isSigned: true } : one)),
  );
  return [
    ...(count === 0 ? [] : ofPayments),
    ...payeeCountRows(basket.payeeCounts, language),
    ...signatureRows(basket, texts),
    ...ofConsents,
  ];
};

/** The payments of a basket, each with its special details. The payments of a bulk payment are listed individually. */
export const basketEntries = (
  payments: readonly BasketPayment[],
  basket: Signatures,
  reading: Reading,
): readonly Entry[] => payments.flatMap((payment) => renderEntries(reviewed(payment, basket), reading));

const renderEntries = (payment: ReviewedPayment, reading: Reading): readonly Entry[] => {
  const { language } = reading;
  const { row, payees } = catalogues[language];
  const { rows, entries } = paymentReview(payment);
  const ofAll = new Set([row.signatures, row.sum, row.numberOfPayments]);
  const ofEntry = new Set([row.amount, row.payee, row.payeeAccount, row.remittance, payees.label]);
  const details = rows(reading).filter(({ label }) => !ofAll.has(label) && !ofEntry.has(label));
  if (entries !== undefined)
    return entries(reading).map((entry) => ({ ...entry, details: [...details, ...entry.details] }));
  return payment.orders.map((order) => ({
    payee: order.creditorName,
    account: accountFigure(order.creditorAccount),
    amount: amountFigure(order.amount, reading),
    remittance: order.remittance,
    details: [...payeeDetail(payment.payeesVerified, order, language), ...details],
  }));
};
