import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { otpBinding } from '@xs2a/domain/sca/otp-binding';
import { readRows, readValue } from '../../testing/read-rows.js';
import { paymentReview, type ReviewedPayment } from './payment-review.js';

const [sandbox, production] = [makeProfile('sandbox'), makeProfile('production')];
/** A Friday, 12:00 in Sofia, before the production cut-off. */
const friday = '2026-11-20T10:00:00.000Z';
const entry = {
  amount: { minor: 1250, currency: 'BGN' },
  debtorIban: 'BG25XSBK92001000000001',
  creditorAccount: 'BG26RZBB91551023456789',
  creditorName: 'Петър Иванов',
  remittance: 'Наем',
};
const initiated = {
  paymentId: '0198a000-0000-7000-8000-000000000001',
  product: 'domestic-credit-transfer-BGN',
  body: { serviceLevel: 'NURG' },
  signedBy: [],
  signaturesMissing: 1,
} as const;
const schedule = { startDate: '2026-12-01', frequency: 'Monthly', dayOfExecution: 5 } as const;
const order: ReviewedPayment = { ...initiated, service: 'periodic-payments', orders: [entry], schedule };
const second = {
  ...entry,
  amount: { minor: 750, currency: 'BGN' },
  creditorAccount: 'BG46XSBK92001000000011',
  creditorName: 'Мария',
};
const bulk: ReviewedPayment = {
  ...initiated,
  service: 'bulk-payments',
  orders: [entry, second],
  body: { payments: [{ serviceLevel: 'NURG' }, { serviceLevel: 'NURG' }] },
};

const read = (
  payment: ReviewedPayment,
  language: 'bg' | 'en' = 'en',
  profile = sandbox,
  now = friday,
): Record<string, string> => readRows(paymentReview(payment).rows({ language, profile, now }));
const signedLabels = (payment: ReviewedPayment): string[] =>
  paymentReview(payment)
    .rows({ language: 'en', profile: sandbox, now: friday })
    .filter(({ isSigned }) => isSigned)
    .map(({ label }) => label);

describe('the review of a periodic order (contract 9, 12)', () => {
  it('shows the content of each payment, the schedule, the first dates, the type, the charges and the reason', () => {
    expect(read({ ...order, schedule: { ...schedule, executionRule: 'following' } }, 'bg')).toEqual({
      'Сума на всяко плащане': '12,50 лв.',
      Получател: 'Петър Иванов',
      'Сметка на получателя': 'BG26RZBB91551023456789',
      От: 'BG25XSBK92001000000001',
      Кога: 'всеки месец, на 5 число, от 1 декември 2026 г., докато не го спрете',
      'Колко често': 'всеки месец, на 5 число',
      Начало: '1 декември 2026 г.',
      Край: 'когато го спрете',
      'В почивен или празничен ден': 'плаща се на следващия работен ден',
      'Първо плащане': 'на 7 декември 2026 г.',
      'Следващи плащания': 'на 5 януари 2027 г.; на 5 февруари 2027 г.',
      Вид: 'Кредитен превод в страната (периодично плащане)',
      'Начин на изпълнение': 'през националната клирингова система (БИСЕРА)',
      Такси: '0,00 лв.',
      Основание: 'Наем',
    });
  });

  it.each([
    [undefined, 'paid on that day all the same', 'on 5 December 2026'],
    ['following', 'paid on the next banking day', 'on 7 December 2026'],
    ['preceding', 'paid on the banking day before', 'on 4 December 2026'],
  ] as const)('shows the rule %s for a non-banking day', (executionRule, rule, firstDay) => {
    const rows = read({ ...order, schedule: { ...schedule, executionRule } });
    expect(rows['On a weekend or holiday']).toBe(rule);
    expect(rows['First payment']).toBe(firstDay);
  });

  it('shows that a first payment due today depends on the signatures and, in production, on the cut-off, and that no further one is earlier', () => {
    const daily = { ...order, schedule: { startDate: '2026-11-20', frequency: 'Daily' } as const };
    const first = (...reading: Parameters<typeof read>) => read(...reading)['First payment'];
    expect(first(daily)).toBe('today');
    expect(read(daily)['Further payments']).toBe('on 21 November 2026; on 22 November 2026');
    expect(first({ ...daily, signaturesMissing: 2 })).toBe('today, once all have signed');
    expect(read(daily, 'en', production, '2026-11-20T14:30:00.000Z')).toMatchObject({
      'First payment': 'on 23 November 2026',
      'Further payments': 'on 23 November 2026; on 23 November 2026',
    });
  });

  it('shows no more dates than the order has payments', () => {
    const once = { ...order, schedule: { ...schedule, numberOfPayments: 1 } };
    expect(read(once)).not.toHaveProperty('Further payments');
    const twice = { ...order, schedule: { ...schedule, numberOfPayments: 2 } };
    expect(read(twice)).toMatchObject({
      'First payment': 'on 5 December 2026',
      'Further payments': 'on 5 January 2027',
      Ends: 'after 2 payments, the last one on 5 January 2027',
    });
  });

  it('shows, if there is a tariff, that the charges of the execution day apply (contract 9)', () => {
    expect(read(order, 'en', production)['Charges']).toBe(
      'as in the bank’s tariff on the day of each payment',
    );
    expect(read(order)['Charges']).toBe('BGN 0.00');
  });

  it('repeats the amount, payee and schedule on the code page', () => {
    expect(signedLabels(order)).toEqual([
      'Amount of each payment',
      'Payee',
      'Payee account',
      'How often',
      'Starts',
      'Ends',
      'On a weekend or holiday',
    ]);
  });
});

describe('the review of a bulk payment (contract 9, 12)', () => {
  it('shows that instant payments are executed at once, also after the cut-off (contract E7.2)', () => {
    const instant = {
      ...bulk,
      product: 'instant-SEPA-credit-transfer' as const,
      body: { payments: [{}, {}] },
    };
    const late = '2026-11-20T14:30:00.000Z';
    expect(read(instant, 'en', makeProfile('bg-euro-production'), late)).toMatchObject({
      Type: 'SEPA instant transfer (bulk payment)',
      When: 'at once, within a minute',
    });
  });

  it('shows the total, number of payments, account, date, appearance in the account history, type and charges', () => {
    expect(read({ ...bulk, body: { ...bulk.body, batchBookingPreferred: true } }, 'bg')).toEqual({
      'Обща сума': '20,00 лв.',
      Получател: '2 получатели',
      'Брой плащания': '2',
      От: 'BG25XSBK92001000000001',
      Кога: 'днес',
      'В движенията': 'един запис за всички',
      Вид: 'Кредитен превод в страната (пакетно плащане)',
      'Начин на изпълнение': 'през националната клирингова система (БИСЕРА)',
      Такси: '0,00 лв.',
    });
    expect(read({ ...bulk, requestedExecutionDate: '2026-12-01' })).toMatchObject({
      When: 'on 1 December 2026',
      'In your history': 'an entry for each of them',
    });
    expect(signedLabels(bulk)).toEqual(['Total', 'Number of payments']);
  });

  it('counts the payees by name and account', () => {
    const named = (creditorName: string, creditorAccount = entry.creditorAccount) => ({
      ...entry,
      creditorName,
      creditorAccount,
    });
    const payees = (...orders: ReviewedPayment['orders']) => read({ ...bulk, orders })['Payee'];
    expect(payees(named('A'), named('B'), named('C'), named('A'))).toBe('3 payees');
    expect(payees(named('A'), named('A', second.creditorAccount))).toBe('2 payees');
    expect(payees(named('A'), named('A'))).toBe('1 payee');
  });

  it('shows the sum of the charges of all its payments (spec 1.8)', () => {
    const fee = { minor: 80, currency: 'BGN' };
    const priced = { ...bulk, orders: bulk.orders.map((one) => ({ ...one, fee })) };
    expect(read(priced, 'en', production)).toMatchObject({
      Total: 'BGN 20.00',
      Charges: 'BGN 1.60',
      'Leaves your account': 'BGN 21.60',
    });
  });

  it('shows every payment in order, and budget payments with their details', () => {
    const budgetBulk = {
      ...bulk,
      product: 'domestic-budget-transfer-BGN' as const,
      body: {
        payments: [
          {
            ultimateDebtor: 'Акме ЕООД',
            budgetPaymentDetails: { regulatoryReportType: '4', obligedPersonName: 'Акме ЕООД' },
          },
          { ultimateDebtor: 'Акме ЕООД', budgetPaymentDetails: { obligedPersonName: 'Мария' } },
        ],
      },
    };
    const { entries } = paymentReview(budgetBulk);
    const read2 = entries?.({ language: 'en', profile: sandbox, now: friday }).map((one) => ({
      ...one,
      account: readValue(one.account),
      amount: readValue(one.amount),
      details: readRows(one.details),
    }));
    expect(read2).toEqual([
      {
        payee: 'Петър Иванов',
        account: 'BG26RZBB91551023456789',
        amount: 'BGN 12.50',
        remittance: 'Наем',
        details: { 'Obliged person': 'Акме ЕООД', 'Kind of document': 'advance payment' },
      },
      {
        payee: 'Мария',
        account: 'BG46XSBK92001000000011',
        amount: 'BGN 7.50',
        remittance: 'Наем',
        details: { 'On behalf of': 'Акме ЕООД', 'Obliged person': 'Мария' },
      },
    ]);
    expect(paymentReview(order).entries).toBeUndefined();
  });
});

describe('the review of what is executed after the bank has switched to euro (contract E6.4)', () => {
  const inEuro = { ...bulk, amountInEuro: { minor: 1022, currency: 'EUR' } };

  it('shows the amount in both currencies, and binds the code as before', () => {
    expect(read(inEuro)).toMatchObject({ Total: '€10.22 (BGN 20.00)' });
    expect(read(inEuro, 'bg')).toMatchObject({ 'Обща сума': '10,22 € (20,00 лв.)' });
    expect(paymentReview(inEuro).content).toEqual(paymentReview(bulk).content);
  });
});

describe('the content to which the code is bound (dynamic linking, contract 9)', () => {
  const computeBinding = (payment: ReviewedPayment): string => otpBinding(paymentReview(payment).content);

  it.each<[string, Partial<ReviewedPayment>]>([
    ['a first day', { schedule: { ...schedule, startDate: '2026-12-02' } }],
    ['an end', { schedule: { ...schedule, endDate: '2027-12-01' } }],
    ['a number of payments', { schedule: { ...schedule, numberOfPayments: 3 } }],
    ['a frequency', { schedule: { ...schedule, frequency: 'Quarterly' } }],
    ['a day of execution', { schedule: { ...schedule, dayOfExecution: 6 } }],
    ['a rule', { schedule: { ...schedule, executionRule: 'preceding' } }],
    ['an amount', { orders: [second] }],
    ['a service: one payment is not an order', { service: 'payments' }],
  ])('requires a different code if an order changes in this detail: %s', (_what, change) => {
    expect(computeBinding({ ...order, ...change })).not.toBe(computeBinding(order));
  });

  it('includes every part of all 250 payments of a bulk payment, so that any change requires a new code', () => {
    const orders = Array.from({ length: 250 }, (_, index) => ({
      ...entry,
      creditorName: `Payee ${index + 1}`,
      amount: { minor: 100 + index, currency: 'BGN' },
    }));
    const bindings = orders.flatMap((one, index) =>
      [
        { ...one, creditorName: 'Somebody else' },
        { ...one, creditorAccount: second.creditorAccount },
        { ...one, amount: { minor: 1, currency: 'BGN' } },
      ].map((changed) => computeBinding({ ...bulk, orders: orders.with(index, changed) })),
    );
    const all = [computeBinding({ ...bulk, orders }), ...bindings];
    expect(new Set(all).size).toBe(751);
  });

  it('changes if a bulk payment has other amounts with the same total, its payments in another order, or one payment fewer', () => {
    const [one, two] = [entry, second];
    const swapped = [
      { ...one, amount: two.amount },
      { ...two, amount: one.amount },
    ];
    const bindings = [[one, two], swapped, [two, one], [one]].map((orders) =>
      computeBinding({ ...bulk, orders }),
    );
    expect(new Set(bindings).size).toBe(4);
  });
});
