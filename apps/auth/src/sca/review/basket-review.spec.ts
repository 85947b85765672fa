import { describe, expect, it } from '@jest/globals';
import type { BasketConsent, BasketPayment } from '@xs2a/contracts/baskets.contract';
import { otpBinding } from '@xs2a/domain/sca/otp-binding';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { Html } from '@xs2a/html/html';
import { digestContent, summarisePayment } from '@xs2a/runtime/signing/basket-summary';
import { readRows, readValue } from '../../testing/read-rows.js';
import {
  basketContent,
  basketEntries,
  basketKind,
  basketRows,
  type ReviewedBasket,
} from './basket-review.js';
import { paymentReview } from './payment-review.js';

const sandbox = makeProfile('sandbox');
/** A Friday, 12:00 in Sofia. */
const now = '2026-11-20T10:00:00.000Z';
const [own, elsewhere, budget] = [
  'BG25XSBK92001000000001',
  'BG26RZBB91551023456789',
  'BG88BNBG96618000195001',
];
const order = {
  amount: { minor: 1250, currency: 'BGN' },
  debtorIban: own,
  creditorAccount: elsewhere,
  creditorName: 'Петър Иванов',
  remittance: 'Наем',
};
const single: BasketPayment = {
  paymentId: '0198a000-0000-7000-8000-000000000001',
  service: 'payments',
  product: 'domestic-credit-transfer-BGN',
  paymentType: 'DOMESTIC',
  orders: [order],
  body: { serviceLevel: 'NURG', ultimateDebtor: 'Акме ЕООД' },
};
const toBudget: BasketPayment = {
  ...single,
  paymentId: '0198a000-0000-7000-8000-000000000002',
  product: 'domestic-budget-transfer-BGN',
  orders: [
    { ...order, creditorAccount: budget, creditorName: 'НАП', amount: { minor: 10_000, currency: 'BGN' } },
  ],
  body: {
    serviceLevel: 'NURG',
    budgetPaymentDetails: { taxpayerId: '1234567890', taxpayerType: 'EGN', obligedPersonName: 'Иван Петров' },
  },
  requestedExecutionDate: '2026-12-01',
};
const bulk: BasketPayment = {
  ...single,
  paymentId: '0198a000-0000-7000-8000-000000000003',
  service: 'bulk-payments',
  orders: [
    { ...order, creditorName: 'Мария', amount: { minor: 700, currency: 'BGN' } },
    { ...order, creditorName: 'Анна', amount: { minor: 300, currency: 'BGN' }, remittance: 'Заплата' },
  ],
  body: { payments: [{ serviceLevel: 'URGP' }, { serviceLevel: 'URGP' }], batchBookingPreferred: true },
};
const consent: BasketConsent = {
  consentId: '0198a000-0000-7000-8000-000000000004',
  access: { accounts: [{ iban: own }], balances: [{ iban: own }], transactions: [] },
  psuPicksAccounts: false,
  recurringIndicator: true,
  validUntil: '2026-12-31',
  frequencyPerDay: 4,
};
const picking: BasketConsent = {
  ...consent,
  consentId: '0198a000-0000-7000-8000-000000000005',
  access: { accounts: [], balances: [], transactions: [] },
  psuPicksAccounts: true,
};
/** A basket with the payments from which its summaries are computed. */
type Basket = Omit<ReviewedBasket, 'summaries'> & { readonly payments: readonly BasketPayment[] };
const summed = (shown: Basket): ReviewedBasket => ({
  ...shown,
  summaries: shown.payments.map(summarisePayment),
});
const basket: Basket = {
  basketId: '0198a000-0000-7000-8000-000000000009',
  payments: [single, toBudget, bulk],
  consents: [],
  signedBy: [],
  signaturesMissing: 1,
};
type State = Parameters<typeof basketRows>[1];

const rows = (shown: Basket, state: State = {}, language: 'bg' | 'en' = 'en') =>
  basketRows(summed(shown), state, { language, profile: sandbox, now });
const entries = (shown: Basket, language: 'bg' | 'en' = 'en') =>
  basketEntries(shown.payments, shown, { language, profile: sandbox, now }).map((one) => ({
    ...one,
    account: readValue(one.account),
    amount: readValue(one.amount),
    details: readRows(one.details),
  }));
const signedLabels = (shown: Basket): string[] =>
  rows(shown).flatMap(({ label, isSigned }) => (isSigned ? [label] : []));

describe('the review of a basket (contract 10, 12)', () => {
  it('mentions payments, account access, or both', () => {
    expect(basketKind(summed(basket))).toBe('bulk');
    expect(basketKind({ summaries: [], consents: [consent] })).toBe('consent');
    expect(basketKind({ ...summed(basket), consents: [consent] })).toBe('basket');
  });

  it('shows every payment, including each one in a bulk payment, in basket order', () => {
    const shown = entries(basket).map(({ payee, account, amount, remittance }) => [
      payee,
      account,
      amount,
      remittance,
    ]);
    expect(shown).toEqual([
      ['Петър Иванов', elsewhere, 'BGN 12.50', 'Наем'],
      ['НАП', budget, 'BGN 100.00', 'Наем'],
      ['Мария', elsewhere, 'BGN 7.00', 'Наем'],
      ['Анна', elsewhere, 'BGN 3.00', 'Заплата'],
    ]);
  });

  it('shows for each payment everything that the review of that payment would show: account, date, type, charges, special details', () => {
    const [one, two, three] = entries(basket).map(({ details }) => details);
    expect(one).toEqual({
      From: own,
      'On behalf of': 'Акме ЕООД',
      When: 'today',
      Type: 'Domestic credit transfer',
      'How it is sent': 'through the national clearing system (BISERA)',
      Charges: 'BGN 0.00',
    });
    expect(two).toMatchObject({
      When: 'on 1 December 2026',
      Type: 'Transfer to the budget',
      'Obliged person': 'Иван Петров',
      Identification: 'Personal identification number: 1234567890',
    });
    expect(three).toMatchObject({
      From: own,
      'In your history': 'one entry for all of them',
      Type: 'Domestic credit transfer (bulk payment)',
    });
  });

  it('omits nothing that the review of a single payment shows', () => {
    for (const payment of basket.payments) {
      const alone = { ...payment, signedBy: [], signaturesMissing: 1 };
      const labels = paymentReview(alone)
        .rows({ language: 'en', profile: sandbox, now })
        .map(({ label }) => label);
      const [entry] = entries({ ...basket, payments: [payment] });
      const inEntry = new Set(['Amount', 'Payee', 'Payee account', 'Reason', 'Total', 'Number of payments']);
      expect(labels.filter((label) => !inEntry.has(label))).toEqual(Object.keys(entry?.details ?? {}));
    }
  });

  it('shows the number of payments and the sum per currency', () => {
    expect(readRows(rows(basket))).toEqual({ Total: 'BGN 122.50', 'Number of payments': '4' });
    expect(readRows(rows(basket, {}, 'bg'))).toEqual({ 'Обща сума': '122,50 лв.', 'Брой плащания': '4' });
    const inEuro = { ...single, orders: [{ ...order, amount: { minor: 250, currency: 'EUR' } }] };
    const [sums] = rows({ ...basket, payments: [single, inEuro, single, inEuro] });
    const shown = (sums?.value instanceof Html ? sums.value.text : '')
      .split('</span>')
      .map((part) => readValue(new Html(part)))
      .filter((part) => part !== '');
    expect(shown).toEqual(['BGN 25.00', 'EUR 5.00']);
  });

  it('shows the accounts, the duration and the frequency of every consent, and no sum if there are no payments', () => {
    const shown = rows(
      { ...basket, payments: [], consents: [consent, picking] },
      { chosenIbans: [elsewhere] },
    );
    expect(shown.map(({ label, value }) => [label, readValue(value).replace(/\s+/g, ' ')])).toEqual([
      ['Accounts', `${own} account details, balances`],
      ['How long', 'until 31 December 2026'],
      ['How often', 'any time you ask for it yourself; up to 4 times a day without you'],
      ['Accounts', `${elsewhere} account details, balances, transactions`],
      ['How long', 'until 31 December 2026'],
      ['How often', 'any time you ask for it yourself; up to 4 times a day without you'],
    ]);
  });

  it('shows the signing progress once for all items if there are several signers, and states that execution requires all signatures', () => {
    const half = { ...basket, signedBy: ['first'], signaturesMissing: 1 };
    expect(readRows(rows(half))).toMatchObject({ Signatures: '1 of 2 made' });
    expect(entries(half).filter(({ details }) => 'Signatures' in details)).toEqual([]);
    expect(entries({ ...basket, signaturesMissing: 2 })[0]?.details['When']).toBe(
      'today, once all have signed',
    );
  });

  it('repeats the sums, the number of payments and the accounts of each consent on the code page', () => {
    expect(signedLabels({ ...basket, consents: [consent, picking] })).toEqual([
      'Total',
      'Number of payments',
      'The app may read',
      'The app may read',
    ]);
  });
});

describe('the content to which the code is bound (dynamic linking: RTS article 5, contract 10)', () => {
  const full: Basket = { ...basket, consents: [consent, picking] };
  const chosen: State = { chosenIbans: [own] };
  const computeBinding = (shown: Basket, state = chosen): string =>
    otpBinding(basketContent(summed(shown), state));

  it('includes the payee, account and amount of every payment, including those in a bulk payment', () => {
    const changes = [
      { creditorName: 'Somebody else' },
      { creditorAccount: own },
      { amount: { minor: 1, currency: 'BGN' } },
    ];
    const changed = full.payments.flatMap((payment, at) =>
      payment.orders.flatMap((one, place) =>
        changes.map((change) => {
          const orders = payment.orders.with(place, { ...one, ...change });
          return computeBinding({ ...full, payments: full.payments.with(at, { ...payment, orders }) });
        }),
      ),
    );
    expect(new Set([computeBinding(full), ...changed]).size).toBe(1 + 4 * changes.length);
  });

  it.each<[string, Partial<Basket>]>([
    ['an item less', { payments: [single, toBudget] }],
    ['an item twice', { payments: [single, single, toBudget, bulk] }],
    ['the same payment under another id', { payments: [{ ...single, paymentId: 'x' }, toBudget, bulk] }],
    ['one consent fewer', { consents: [consent] }],
    [
      'a different account in a consent',
      { consents: [{ ...consent, access: { accounts: [{ iban: budget }] } }, picking] },
    ],
    [
      'a different currency in a payment',
      {
        payments: [
          { ...single, orders: [{ ...order, amount: { minor: 1250, currency: 'EUR' } }] },
          toBudget,
          bulk,
        ],
      },
    ],
    ['another basket', { basketId: 'x' }],
  ])('requires a different code for %s', (_what, change) => {
    expect(computeBinding({ ...full, ...change })).not.toBe(computeBinding(full));
  });

  it('includes the accounts that the PSU has chosen; the choice of the first signer applies to all signers', () => {
    expect(computeBinding(full, { chosenIbans: [own, elsewhere] })).not.toBe(computeBinding(full));
    const agreed = { ...full, agreedIbans: [elsewhere] };
    expect(computeBinding(agreed)).not.toBe(computeBinding(full));
    expect(computeBinding(agreed, {})).toBe(computeBinding(agreed, { chosenIbans: [elsewhere] }));
  });

  it('includes, for each item, the content to which a separate code for that item would be bound', () => {
    const { content } = paymentReview({ ...toBudget, signedBy: [], signaturesMissing: 1 });
    const bound = basketContent(summed(full), chosen);
    expect(bound.kind === 'basket' ? [bound.items.length, bound.items[1]] : []).toEqual([
      5,
      digestContent(content),
    ]);
  });
});
