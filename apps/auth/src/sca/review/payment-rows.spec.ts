import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { readRows } from '../../testing/read-rows.js';
import { paymentRows, type ShownPayment } from './payment-rows.js';

const order = {
  amount: { minor: 1250, currency: 'BGN' },
  debtorIban: 'BG25XSBK92001000000001',
  creditorAccount: 'BG88BNBG96618000195001',
  creditorName: 'НАП',
  remittance: 'Данък',
};
const [sandbox, production] = [makeProfile('sandbox'), makeProfile('production')];
/** A Friday, 12:00 in Sofia, before the production cut-off. */
const friday = '2026-11-20T10:00:00.000Z';
type Shown = Omit<ShownPayment, 'signedBy' | 'signaturesMissing'> & Partial<ShownPayment>;

const read = (payment: Shown, language: 'bg' | 'en', profile = sandbox, now = friday) =>
  readRows(paymentRows({ signedBy: [], signaturesMissing: 1, ...payment }, { language, profile, now }));

describe('the review of a payment (contract 12)', () => {
  it('shows the amount, payee, account, debtor account, date, type, charges and reason of a domestic transfer', () => {
    const product = 'domestic-credit-transfer-BGN' as const;
    const payment = { order, product, body: { serviceLevel: 'URGP' }, requestedExecutionDate: '2027-01-02' };
    expect(read(payment, 'bg')).toEqual({
      Сума: '12,50 лв.',
      Получател: 'НАП',
      'Сметка на получателя': 'BG88BNBG96618000195001',
      От: 'BG25XSBK92001000000001',
      Кога: 'на 2 януари 2027 г.',
      Вид: 'Кредитен превод в страната',
      'Начин на изпълнение': 'спешно, през системата за брутен сетълмент (РИНГС)',
      Такси: '0,00 лв.',
      Основание: 'Данък',
    });
  });

  it('shows the account by its name, the end of its IBAN and what it can pay, and the IBAN in the fold', () => {
    const payment = {
      order,
      product: 'domestic-credit-transfer-BGN' as const,
      body: {},
      signedBy: [],
      signaturesMissing: 1,
    };
    const names = new Map([
      [
        order.debtorIban,
        { iban: order.debtorIban, name: 'Household', available: { minor: 150_000, currency: 'BGN' } },
      ],
    ]);
    const rows = paymentRows(payment, { language: 'en', profile: sandbox, now: friday, names });
    expect(readRows(rows)).toMatchObject({
      From: 'Household•• 0001 · available BGN 1,500.00',
      'Your IBAN': order.debtorIban,
    });
    expect(rows.find(({ label }) => label === 'Your IBAN')?.place).toBe('more');
  });

  it.each([
    ['at once', undefined, friday, 'today'],
    ['after the cut-off', undefined, '2026-11-20T14:30:00.000Z', 'on 23 November 2026'],
    ['for a holiday', '2026-12-24', friday, 'on 29 December 2026'],
    ['for today', '2026-11-20', friday, 'today'],
  ])(
    'shows when the payment is executed in production, %s (contract 8)',
    (_what, requestedExecutionDate, now, when) => {
      const payment = {
        order,
        product: 'domestic-credit-transfer-BGN' as const,
        body: {},
        requestedExecutionDate,
      };
      expect(read(payment, 'en', production, now)).toMatchObject({ When: when });
    },
  );

  it.each([
    ['after the cut-off', '2026-11-20T14:30:00.000Z', 1, undefined, 'at once, within 10 seconds'],
    ['on a Saturday night', '2026-11-21T21:00:00.000Z', 1, undefined, 'at once, within 10 seconds'],
    ['before others sign', friday, 2, undefined, 'at once, within 10 seconds, once all have signed'],
    ['for a Sunday', friday, 1, '2026-11-22', 'on 22 November 2026'],
  ])(
    'shows that an instant payment is executed at once, %s (contract 12)',
    (_what, now, signaturesMissing, requestedExecutionDate, when) => {
      const profile = makeProfile('bg-euro-production');
      const product = 'instant-SEPA-credit-transfer' as const;
      const payment = { order, product, body: {}, signaturesMissing, requestedExecutionDate };
      expect(read(payment, 'en', profile, now)).toMatchObject({ Type: 'SEPA instant transfer', When: when });
      if (when === 'at once, within 10 seconds')
        expect(read(payment, 'bg', profile, now)).toMatchObject({
          Вид: 'Незабавен превод SEPA',
          Кога: 'веднага, до 10 секунди',
        });
    },
  );

  it('shows how many signers have signed if there are several (contract 10)', () => {
    const payment = { order, product: 'domestic-credit-transfer-BGN' as const, body: {} };
    const read3 = (signedBy: string[]) =>
      read({ ...payment, signedBy, signaturesMissing: 3 - signedBy.length }, 'en');
    expect(read3(['georgi'])).toMatchObject({
      Signatures: '1 of 3 made',
      When: 'today, once all have signed',
    });
    expect(read3(['georgi', 'elena'])).toMatchObject({ When: 'today' });
    expect(read(payment, 'en')).not.toHaveProperty('Signatures');
  });

  it('shows the details of a budget transfer as readable text', () => {
    const payment = {
      order,
      product: 'domestic-budget-transfer-BGN' as const,
      body: {
        ultimateDebtor: 'Акме ЕООД',
        purposeCode: 'GOVT',
        serviceLevel: 'NURG',
        budgetPaymentDetails: {
          regulatoryReportType: '4',
          documentNumber: '77',
          documentDate: '2026-10-05',
          taxPayerId: '1234567890',
          taxpayerType: 'EGN',
          paymentCategory: '110000',
          fromDate: '2026-01-01',
          endDate: '2026-03-31',
          obligedPersonName: 'Иван Петров',
        },
      },
    };
    expect(read(payment, 'en')).toMatchObject({
      'On behalf of': 'Акме ЕООД',
      Type: 'Transfer to the budget',
      'Obliged person': 'Иван Петров',
      Identification: 'Personal identification number: 1234567890',
      'Kind of document': 'advance payment',
      Document: '77, 5 October 2026',
      'Paid for': 'tax authority',
      Period: 'from 1 January 2026 to 31 March 2026',
    });
    expect(read(payment, 'bg')).toMatchObject({ Период: 'от 1 януари 2026 г. до 31 март 2026 г.' });
  });

  it('shows a budget transfer in euro: the identifier in words, and the whole text (contract E2.6)', () => {
    const payment = {
      order: { ...order, amount: { minor: 12_000, currency: 'EUR' }, remittance: 'LNC1001122339ДДС' },
      product: 'domestic-budget-transfer-EUR' as const,
      body: {
        budgetPaymentDetails: { taxpayerId: '1001122339', taxpayerType: 'LNC', paymentCategory: '442100' },
      },
    };
    expect(read(payment, 'en', makeProfile('bg-euro'))).toMatchObject({
      Type: 'Transfer to the budget',
      Identification: 'Foreign person’s number: 1001122339',
      'Paid for': '442100',
      Reason: 'LNC1001122339ДДС',
    });
  });

  it('shows a purpose code in words, though none is needed in euro (contract E2.8)', () => {
    const payment = {
      order: { ...order, amount: { minor: 1000, currency: 'EUR' }, remittance: '101%%machine parts' },
      product: 'instant-SEPA-credit-transfer' as const,
      body: {},
    };
    expect(read(payment, 'en', makeProfile('bg-euro'))).toMatchObject({
      Type: 'SEPA instant transfer',
      Purpose: 'Goods (101)',
      Reason: 'machine parts',
    });
  });

  it('shows the text of the purpose code, the party who pays the charges, and the bank of the payee for a transfer abroad', () => {
    const body = { chargeBearer: 'SHAR', creditorAgent: 'DEUTDEFF' };
    const product = 'cross-border-credit-transfer' as const;
    const abroad = { order: { ...order, remittance: '101%%machine parts' }, product, body };
    expect(read(abroad, 'en', production)).toMatchObject({
      'Payee’s bank': 'DEUTDEFF',
      Purpose: 'Goods (101)',
      Reason: 'machine parts',
      Charges: 'as in the bank’s tariff, the same as in internet banking',
      'Who pays the charges': 'you pay those of your bank, the payee those of theirs',
    });
    for (const [chargeBearer, who] of [
      ['DEBT', 'you pay all of them'],
      ['CRED', 'the payee pays all of them'],
    ] as const) {
      const borne = { ...abroad, body: { ...body, chargeBearer } };
      expect(read(borne, 'en', production)).toMatchObject({ 'Who pays the charges': who });
    }
    const registered = { ...abroad, order: { ...order, remittance: '811%BNB-7%loan 5%' } };
    expect(read(registered, 'bg', production)).toMatchObject({
      'Цел на превода': 'Краткосрочни кредити от местни на чуждестранни лица (811)',
      'Номер на сделката в БНБ': 'BNB-7',
      Основание: 'loan 5%',
    });
  });

  it('shows the charges and exchange rate of the bank, and the total debit (spec 1.8)', () => {
    const priced = {
      ...order,
      amount: { minor: 10_000, currency: 'USD' },
      debit: { minor: 17_300, currency: 'BGN' },
      rate: '1.73',
      fee: { minor: 2000, currency: 'BGN' },
    };
    const payment = { order: priced, product: 'cross-border-credit-transfer' as const, body: {} };
    expect(read(payment, 'en', production)).toMatchObject({
      Amount: 'USD 100.00',
      Charges: 'BGN 20.00',
      'Exchange rate': '1 USD = 1.73 BGN',
      'Leaves your account': 'BGN 193.00',
    });
    expect(read(payment, 'bg', production)).toMatchObject({
      'Обменен курс': '1 USD = 1,73 BGN',
      'Общо от сметката Ви': '193,00 лв.',
    });
    const free = { ...payment, order: { ...order, fee: { minor: 0, currency: 'BGN' } } };
    expect(read(free, 'en', production)).not.toHaveProperty('Leaves your account');
  });

  it('shows the reason of a domestic transfer as plain text even if it looks like a purpose code', () => {
    const product = 'domestic-credit-transfer-BGN' as const;
    expect(read({ order: { ...order, remittance: '101%%x' }, product, body: {} }, 'en')).toMatchObject({
      Reason: '101%%x',
    });
  });
});
