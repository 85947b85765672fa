import { describe, expect, it } from '@jest/globals';
import type { SignedContent } from '@xs2a/domain/sca/otp-binding';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { newId } from '@xs2a/runtime/ids';
import { digestContent } from '@xs2a/runtime/signing/basket-summary';
import { catalogues } from './catalogue/catalogues.js';
import { textsVersion } from './catalogue/texts-version.js';
import { evidenceOf, shownPage } from './evidence.js';
import type { AccountNames, Row } from './requests/authorisation-request.js';
import { paymentReview, type ReviewedPayment } from './review/payment-review.js';

const profile = makeProfile('sandbox');
const now = '2026-11-20T10:00:00.000Z';
const entry = {
  amount: { minor: 1250, currency: 'BGN' },
  debtorIban: 'BG25XSBK92001000000001',
  creditorAccount: 'BG26RZBB91551023456789',
  creditorName: 'Acme <Ltd> & sons',
  remittance: 'Rent',
};
const payment: ReviewedPayment = {
  paymentId: '0198a000-0000-7000-8000-000000000001',
  service: 'payments',
  product: 'domestic-credit-transfer-BGN',
  orders: [entry],
  body: {},
  signedBy: [],
  signaturesMissing: 1,
};
const pageOf = (reviewed: ReviewedPayment) => {
  const { content, rows } = paymentReview(reviewed);
  return {
    content: () => content,
    rows: (_state: unknown, language: 'bg' | 'en', names: AccountNames) =>
      rows({ language, profile, now, names }),
  };
};
const state = { step: 'code', psuId: 'ivan' } as const;
const keptOf = (page: Parameters<typeof shownPage>[0], language: 'bg' | 'en') =>
  evidenceOf(page.content(state), shownPage(page, state, language));

describe('the evidence about the SCA page in a signature (contract 12)', () => {
  it('contains every row of a payment review in the language of the page, and marks the rows to which the SCA code is bound', () => {
    expect(keptOf(pageOf(payment), 'en')).toEqual({
      binding: digestContent(paymentReview(payment).content),
      language: 'en',
      textsVersion: textsVersion('en'),
      rows: [
        { label: 'Amount', value: expect.stringMatching(/^BGN\s12\.50$/), shows: 'amount' },
        { label: 'Payee', value: 'Acme <Ltd> & sons', shows: 'payee' },
        { label: 'Payee account', value: 'BG26RZBB91551023456789', shows: 'payeeAccount' },
        { label: 'From', value: 'BG25XSBK92001000000001' },
        { label: 'When', value: 'today' },
        { label: 'Type', value: expect.any(String) },
        { label: 'Charges', value: expect.any(String) },
        { label: 'Reason', value: 'Rent' },
      ],
    });
    const { rows = [] } = keptOf(pageOf(payment), 'bg');
    expect(rows.at(-1)).toEqual({ label: 'Основание', value: 'Rent' });
  });

  it('marks the total and the number of payments of a bulk payment, and the amount and the payee of a periodic order', () => {
    const schedule = { startDate: '2026-12-01', frequency: 'Monthly', dayOfExecution: 5 } as const;
    const marked = (reviewed: ReviewedPayment) =>
      (keptOf(pageOf(reviewed), 'en').rows ?? []).flatMap(({ shows }) => shows ?? []);
    expect(marked({ ...payment, service: 'bulk-payments', orders: [entry, entry] })).toEqual([
      'amount',
      'count',
    ]);
    expect(marked({ ...payment, service: 'periodic-payments', schedule })).toEqual([
      'amount',
      'payee',
      'payeeAccount',
    ]);
  });

  it('contains the result of the payee verification once, in the words of the review', () => {
    const { creditorName: name, creditorAccount: iban } = entry;
    const payeesVerified: ReviewedPayment['payeesVerified'] = {
      authorisationId: newId(),
      requestId: 'r',
      askedAt: now,
      answeredAt: now,
      language: 'en',
      textsVersion: 'v',
      isOptedOut: false,
      payees: [{ iban, name, verdict: 'NO_MATCH' }],
    };
    const { rows = [] } = keptOf(pageOf({ ...payment, payeesVerified }), 'en');
    const { label } = catalogues.en.payees;
    expect(rows.filter((row) => row.label === label)).toEqual([
      { label, value: expect.stringContaining(catalogues.en.payees.noMatch) },
    ]);
  });

  it('contains no rows of the page of a consent or a basket, because this page also shows other resources', () => {
    const rows = (): readonly Row[] => [{ label: 'Accounts', value: 'BG25XSBK92001000000001' }];
    const contents: readonly SignedContent[] = [
      { kind: 'consent', resourceId: 'c', accounts: [] },
      { kind: 'basket', resourceId: 'b', items: ['i'] },
    ];
    for (const content of contents)
      expect(keptOf({ content: () => content, rows }, 'en').rows).toBeUndefined();
  });
});
