import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '../../testing/profiles.js';
import { type EuroProduct, euroProducts } from '../payment-products.js';
import { validatePayment } from '../fields/validate-payment.js';
import { euroExampleBodies } from './euro-example-bodies.js';

const profile = makeProfile('bg-euro-production');
const sepa = 'SEPA-Credit-Transfer';
const instant = 'instant-SEPA-credit-transfer';
const budget = 'domestic-budget-transfer-EUR';
const crossBorder = 'cross-border-credit-transfer';

/** Accounts at the bank XSVB, by position 13 of the IBAN, and one in each other region. */
const accounts = {
  ordinary: 'BG14XSBV92001000000101',
  at8: 'BG88BNBG96618000195001',
  at3: 'BG39BNBG96613100195002',
  inGermany: 'DE89370400440532013000',
  inSwitzerland: 'CH9300762011623852957',
  inTurkey: 'TR330006100519786457841326',
} as const;

const taxpayer = { taxpayerId: '999999995', taxpayerType: 'EIK' };
/** Validates a transfer to an account: the product that takes it, or the first failure and its text. */
const send = (product: EuroProduct, iban: string, change: object = {}, rules = profile): string => {
  const { budgetPaymentDetails: _details, creditorAgent: _agent, ...body } = euroExampleBodies[product];
  const result = validatePayment(
    product,
    {
      ...body,
      creditorAccount: { iban },
      ...(product === budget ? { budgetPaymentDetails: taxpayer } : {}),
      ...change,
    },
    { profile: rules, today: '2026-11-20', ownBankCode: 'XSBK' },
  );
  if ('valid' in result) return `${result.valid.paymentType} ${product}`;
  const [{ failure, path = '-', text = '' } = { failure: 'none' }] = result.failures;
  return `${failure} ${path} ${/\/payments\/([\w-]+)/.exec(text)?.[1] ?? ''}`.trim();
};
const wrong = (right: EuroProduct): string => `productWrong - ${right}`;

describe('types and products in euro (contract E2.1)', () => {
  it.each<[keyof typeof accounts, EuroProduct, string]>([
    ['ordinary', sepa, `DOMESTIC ${sepa}`],
    ['ordinary', instant, `DOMESTIC ${instant}`],
    ['ordinary', budget, 'fieldMalformed creditorAccount.iban'],
    ['ordinary', crossBorder, wrong(sepa)],
    ['inGermany', sepa, `SEPA ${sepa}`],
    ['inGermany', instant, `SEPA ${instant}`],
    ['inGermany', budget, 'fieldMalformed creditorAccount.iban'],
    ['inGermany', crossBorder, wrong(sepa)],
    ['inTurkey', sepa, wrong(crossBorder)],
    ['inTurkey', instant, wrong(crossBorder)],
    ['inTurkey', crossBorder, `FOREIGN ${crossBorder}`],
    ['at8', sepa, wrong(budget)],
    ['at8', instant, wrong(budget)],
    ['at8', crossBorder, wrong(budget)],
    ['at8', budget, `DOMESTIC ${budget}`],
    ['at3', sepa, `DOMESTIC ${sepa}`],
    ['at3', instant, `DOMESTIC ${instant}`],
    ['at3', budget, `DOMESTIC ${budget}`],
    ['inSwitzerland', sepa, `SEPA ${sepa}`],
    ['inSwitzerland', instant, wrong(sepa)],
  ])('to %s: %s is %s', (account, product, expected) => {
    expect(send(product, accounts[account])).toBe(expected);
  });

  it('takes a bank that SEPA does not reach by its BIC as foreign, also in Bulgaria', () => {
    const { sepa: table } = profile;
    const without = { ...profile, sepa: { ...table, exceptBanks: new Set(['XSBVBGSF']) } };
    const change = { creditorAgent: 'XSBVBGSFXXX' };
    expect(send(sepa, accounts.ordinary, change, without)).toBe(wrong(crossBorder));
    expect(send(crossBorder, accounts.ordinary, change, without)).toBe(`FOREIGN ${crossBorder}`);
    expect(send(sepa, accounts.ordinary, {}, without)).toBe(`DOMESTIC ${sepa}`);
  });

  it('recommends SEPA for an instant transfer to a bank that takes no instant transfers', () => {
    const without = {
      ...profile,
      instant: { countries: new Set(['BG', 'DE']), exceptBanks: new Set(['COBADEFF']) },
    };
    expect(send(instant, accounts.inGermany, { creditorAgent: 'COBADEFF' }, without)).toBe(wrong(sepa));
    expect(send(instant, accounts.inGermany, {}, without)).toBe(`SEPA ${instant}`);
    expect(send(instant, accounts.ordinary, {}, without)).toBe(`DOMESTIC ${instant}`);
  });

  it.each(euroProducts.filter((product) => product !== crossBorder))(
    'takes another currency than the euro as foreign: %s',
    (product) => {
      const change = { instructedAmount: { currency: 'USD', amount: '5.00' } };
      const iban = product === budget ? accounts.at3 : accounts.ordinary;
      expect(send(product, iban, change)).toBe(wrong(crossBorder));
    },
  );

  it('takes an account without an IBAN only across the border', () => {
    const change = { creditorAccount: { bban: '37040044' }, creditorAgent: 'COBADEFF' };
    expect(send(sepa, '', change)).toBe(wrong(crossBorder));
    expect(send(crossBorder, '', { ...change, chargeBearer: 'SHAR' })).toBe(`FOREIGN ${crossBorder}`);
  });
});

describe('BGN after the lev (contract E2.4)', () => {
  it.each(euroProducts)('is refused with the rate and the day on which it ended: %s', (product) => {
    const result = validatePayment(
      product,
      {
        ...euroExampleBodies[product],
        chargeBearer: product === crossBorder ? 'SHAR' : 'SLEV',
        instructedAmount: { currency: 'BGN', amount: '12.50' },
      },
      { profile, today: '2026-11-20', ownBankCode: 'XSBK' },
    );
    expect(result).toEqual({
      failures: [
        {
          failure: 'currencyNotSupported',
          path: 'instructedAmount.currency',
          text: 'Payments in BGN ended on 2026-01-01. Send EUR: the amount divided by 1.95583, rounded to the cent.',
        },
      ],
    });
  });
});
