import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { validateConsent } from '@xs2a/domain/consent/validate-consent';
import { validatePayment } from '@xs2a/domain/payment/fields/validate-payment';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { readFundsRequest } from '../../funds/funds-request.js';
import { consentRequest, fundsRequest, paymentBody } from '../../openapi/examples.js';
import { schemasFor } from '../../openapi/schemas/schemas.js';
import { readTppStatus } from '../../sandbox/sandbox-bodies.js';

type Body = Readonly<Record<string, unknown>>;
const thrown = (read: (body: Body) => unknown, body: Body): string[] => {
  try {
    read(body);
    return [];
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    return error.failures.map(({ failure, path }) => `${failure} ${path}`);
  }
};

describe('the body of a funds confirmation request (contract 7)', () => {
  const failing = (body: Body): string[] => {
    const result = readFundsRequest(body);
    return 'failures' in result ? result.failures.map(({ failure, path }) => `${failure} ${path}`) : [];
  };
  const instructedAmount = { currency: 'BGN', amount: '12.50' };

  it('requires only the amount', () => {
    expect(readFundsRequest({ instructedAmount })).toEqual({
      value: { amount: { minor: 1250, currency: 'BGN' } },
    });
    const full = {
      instructedAmount,
      account: { iban: 'BG25XSBK92001000000001', currency: 'BGN' },
      payee: 'Магазин',
      cardNumber: '1234',
    };
    expect(readFundsRequest(full)).toEqual({
      value: {
        amount: { minor: 1250, currency: 'BGN' },
        iban: 'BG25XSBK92001000000001',
        accountCurrency: 'BGN',
      },
    });
  });

  it.each<[Body, string[]]>([
    [{}, ['fieldMissing instructedAmount']],
    [{ instructedAmount: '12.50' }, ['fieldMalformed instructedAmount']],
    [
      { instructedAmount: {} },
      ['fieldMissing instructedAmount.currency', 'fieldMissing instructedAmount.amount'],
    ],
    [{ instructedAmount: { ...instructedAmount, amount: 12.5 } }, ['fieldMalformed instructedAmount.amount']],
    [
      { instructedAmount: { ...instructedAmount, amount: '0.00' } },
      ['fieldMalformed instructedAmount.amount'],
    ],
    [{ instructedAmount: { ...instructedAmount, amount: '-1' } }, ['fieldMalformed instructedAmount.amount']],
    [
      { instructedAmount: { ...instructedAmount, amount: '1.005' } },
      ['fieldMalformed instructedAmount.amount'],
    ],
    [
      { instructedAmount: { ...instructedAmount, currency: 'bgn' } },
      ['fieldMalformed instructedAmount.currency'],
    ],
    [{ instructedAmount: { ...instructedAmount, x: 1 } }, ['fieldUnknown instructedAmount.x']],
    [{ instructedAmount, account: {} }, ['fieldMissing account.iban']],
    [{ instructedAmount, account: null }, ['fieldMalformed account']],
    [{ instructedAmount, account: { iban: 'BG25XSBK92001000000002' } }, ['fieldMalformed account.iban']],
    [{ instructedAmount, payee: '' }, ['fieldMalformed payee']],
    [{ instructedAmount, payee: 'x'.repeat(71) }, ['fieldMalformed payee']],
    [{ instructedAmount, cardNumber: 1 }, ['fieldMalformed cardNumber']],
    [{ instructedAmount, x: 1 }, ['fieldUnknown x']],
    [
      { cardNumber: '', x: 1 },
      ['fieldMalformed cardNumber', 'fieldMissing instructedAmount', 'fieldUnknown x'],
    ],
  ])('refuses %j', (body, expected) => {
    expect(failing(body)).toEqual(expected);
  });
});

describe('the published document (spec 2.1, 2.3)', () => {
  const profile = makeProfile('sandbox');
  const consentFailures = (body: Body): unknown => {
    const result = validateConsent(body, { profile, today: '2026-11-20' });
    return 'failures' in result ? result.failures : [];
  };
  const fundsFailures = (body: Body): unknown => {
    const result = readFundsRequest(body);
    return 'failures' in result ? result.failures : [];
  };

  it.each<[string, Body, (body: Body) => unknown]>([
    ['ConsentRequest', consentRequest, consentFailures],
    ['FundsRequest', fundsRequest, fundsFailures],
  ])('states for each member of a %s whether it is mandatory', (name, example, failures) => {
    const { properties, required } = schemasFor(profile)[name] as {
      readonly properties: object;
      readonly required: readonly string[];
    };
    expect(failures(example)).toEqual([]);
    for (const member of Object.keys(properties))
      expect([member, failures({ ...example, [member]: undefined })]).toEqual([
        member,
        required.includes(member) ? [expect.objectContaining({ failure: 'fieldMissing', path: member })] : [],
      ]);
  });
});

describe('request bodies of the sandbox endpoints (contract 13)', () => {
  it('are accepted as shown in contract 13', () => {
    expect(thrown(readTppStatus, { status: 'blocked' })).toEqual([]);
  });

  it.each<[string, Body, string[]]>([
    ['an unknown status', { status: 'gone' }, ['fieldMalformed status']],
    ['no status', {}, ['fieldMissing status']],
    ['an unknown member', { status: 'active', admin: true }, ['fieldUnknown admin']],
  ])('refuses %s', (_name, body, expected) => {
    expect(thrown(readTppStatus, body)).toEqual(expected);
  });
});

describe('forbidden text (contract 3)', () => {
  const profile = makeProfile('sandbox');
  const listFailures = (body: unknown): string[] => {
    const rules = { profile, today: '2026-11-20', ownBankCode: 'XSBK' };
    const result = validatePayment('domestic-credit-transfer-BGN', body, rules);
    return 'failures' in result ? result.failures.map(({ path }) => path ?? '') : [];
  };
  const places = (value: unknown, path: readonly string[] = []): string[][] =>
    typeof value === 'string'
      ? [[...path]]
      : Object.entries(value as Body).flatMap(([name, inner]) => places(inner, [...path, name]));
  const spoilt = (value: unknown, [name, ...rest]: readonly string[]): unknown =>
    name === undefined
      ? `${String(value)}\u202e`
      : { ...(value as Body), [name]: spoilt((value as Body)[name], rest) };

  it('is rejected by the payment rules in every text of a body, so the gateway can forward it', () => {
    expect(listFailures(paymentBody)).toEqual([]);
    for (const place of places(paymentBody))
      expect(listFailures(spoilt(paymentBody, place))).toEqual([place.join('.')]);
  });
});
