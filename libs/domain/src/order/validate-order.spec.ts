import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { exampleBodies } from '../payment/example-bodies.js';
import { paymentFields } from '../payment/fields/payment-fields.js';
import { makeProfile } from '../testing/profiles.js';
import { validateOrder } from './validate-order.js';
import { scheduleFields } from './validate-schedule.js';

const rules = { profile: makeProfile('sandbox'), today: '2026-11-20', ownBankCode: 'XSBK' };
const inProduction = { ...rules, profile: makeProfile('production') };
const body: Readonly<Record<string, unknown>> = {
  ...exampleBodies['domestic-credit-transfer-BGN'],
  startDate: '2026-12-31',
  frequency: 'Monthly',
};
const validationFailures = (change: object, given = rules): string[] => {
  const result = validateOrder({ ...body, ...change }, given);
  return 'failures' in result ? result.failures.map(({ failure, path }) => `${failure} ${path ?? '-'}`) : [];
};

describe('validation of the body of a periodic order (contract 9)', () => {
  it('returns a schedule and the payment for each occurrence', () => {
    expect(validateOrder({ ...body, endDate: '2027-12-31', executionRule: 'following' }, rules)).toEqual({
      valid: {
        order: {
          amount: { minor: 1250, currency: 'BGN' },
          debtorIban: 'BG25XSBK92001000000001',
          creditorAccount: 'BG26RZBB91551023456789',
          creditorName: 'Петър Иванов',
          remittance: 'Фактура 17',
          endToEndId: 'INV-2026-17',
        },
        paymentType: 'DOMESTIC',
        schedule: {
          startDate: '2026-12-31',
          endDate: '2027-12-31',
          executionRule: 'following',
          frequency: 'Monthly',
        },
      },
    });
  });

  it('keeps the debtor account currency that the TPP named', () => {
    const result = validateOrder(
      { ...body, debtorAccount: { iban: 'BG25XSBK92001000000001', currency: 'BGN' } },
      rules,
    );
    expect('valid' in result && result.valid.debtorCurrency).toBe('BGN');
  });

  it.each(paymentFields.map((field) => [field.path, field.rules['domestic-credit-transfer-BGN']]))(
    'treats %s as %s, as in a single domestic payment, except for the execution date',
    (path, rule) => {
      const isTaken = rule !== 'n.a.' && path !== 'requestedExecutionDate';
      expect(validationFailures({ [path]: 7 })).toEqual([
        `${isTaken ? 'fieldMalformed' : 'fieldNotApplicable'} ${path}`,
      ]);
      expect(validationFailures({ [path]: undefined })).toEqual(
        rule === 'mandatory' ? [`fieldMissing ${path}`] : [],
      );
    },
  );

  it('refuses requestedExecutionDate with a text that says why', () => {
    const result = validateOrder({ ...body, requestedExecutionDate: '2026-12-31' }, rules);
    expect('failures' in result && result.failures).toEqual([
      {
        failure: 'fieldNotApplicable',
        path: 'requestedExecutionDate',
        text: 'A periodic order is executed from startDate on. Remove this field.',
      },
    ]);
  });

  it('reports all errors in the payment, its schedule and unknown members together', () => {
    expect(
      validationFailures({
        colour: 'blue',
        dayOfExecution: '32',
        startDate: '2026-02-30',
        frequency: undefined,
        requestedExecutionDate: '2026-12-31',
        serviceLevel: 'SEPA',
        creditorName: '',
      }),
    ).toEqual([
      'fieldMalformed creditorName',
      'fieldMalformed serviceLevel',
      'fieldNotApplicable requestedExecutionDate',
      'fieldMalformed startDate',
      'fieldMissing frequency',
      'fieldMalformed dayOfExecution',
      'fieldUnknown colour',
    ]);
  });

  it.each([null, [], [body], 'x', 7, true])('refuses %j as a body', (submitted) => {
    const result = validateOrder(submitted, rules);
    expect('failures' in result && result.failures).toEqual([{ failure: 'bodyNotJson' }]);
  });

  it('handles any JSON in any field without throwing, and reports that field or the period', () => {
    const place = fc.record({
      path: fc.constantFrom(...paymentFields.map(({ path }) => path), ...scheduleFields),
      value: fc.jsonValue(),
    });
    fc.assert(
      fc.property(place, ({ path, value }) => {
        const result = validateOrder({ ...body, [path]: value }, rules);
        const blamed = 'failures' in result ? result.failures.map((failure) => failure.path ?? path) : [];
        expect('valid' in result || blamed.length > 0).toBe(true);
        const isOwn = (one: string): boolean =>
          one === path || one.startsWith(`${path}.`) || one.startsWith(`${path}[`);
        expect(blamed.filter((one) => !isOwn(one))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the stages after the format checks, which stop at the first failing stage (contract 3)', () => {
  const toSelf = { creditorAccount: { iban: 'BG25XSBK92001000000001' } };
  const abroad = { creditorAccount: { iban: 'DE89370400440532013000' } };
  const euro = { instructedAmount: { currency: 'EUR', amount: '1.00' } };
  const recurring = { numberOfPayments: 3 };
  const past = { startDate: '2026-11-19' };

  it.each([
    ['currency', { ...euro, ...abroad, ...past }, 'currencyNotSupported instructedAmount.currency'],
    ['type against product', { ...abroad, ...recurring, ...past }, 'productWrong -'],
    ['recurring payments', { ...recurring, ...past, ...toSelf }, 'serviceNotOffered numberOfPayments'],
    ['execution date', { ...past, ...toSelf }, 'executionDateInvalid startDate'],
    ['accounts', toSelf, 'sameAccount creditorAccount'],
  ])('%s', (_stage, change, failure) => {
    expect(validationFailures(change, inProduction)).toEqual([failure]);
  });

  it('do not run while the format is wrong', () => {
    expect(validationFailures({ ...euro, ...past, serviceLevel: 'X' })).toEqual([
      'fieldMalformed serviceLevel',
    ]);
  });

  it('accept only BGN, even in production (spec 1.6)', () => {
    const result = validateOrder({ ...body, ...euro }, inProduction);
    expect('failures' in result && result.failures).toEqual([
      {
        failure: 'currencyNotSupported',
        path: 'instructedAmount.currency',
        text: 'Payments in this currency are not supported. Supported: BGN.',
      },
    ]);
  });

  it.each([
    [{ endDate: '2026-12-30' }, 'periodInvalid endDate'],
    [{ dayOfExecution: '1', endDate: '2026-12-31' }, 'periodInvalid endDate'],
    [{ startDate: '2026-11-20' }, undefined],
  ])('validate the period: %j', (change, failure) => {
    expect(validationFailures(change)).toEqual(failure === undefined ? [] : [failure]);
  });

  it('accept numberOfPayments if recurring payments are offered (spec 1.7)', () => {
    expect(validationFailures(recurring)).toEqual([]);
    const offering = makeProfile('production', { offers: ['recurring-payments'] });
    expect(validationFailures(recurring, { ...rules, profile: offering })).toEqual([]);
  });
});
