import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exampleBodies } from '@xs2a/domain/payment/example-bodies';
import type { LevProduct } from '@xs2a/domain/payment/payment-products';
import { parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import {
  listCodes,
  consentBody,
  consented,
  dayFrom,
  listPaths,
  sandboxNow,
  readStatus,
} from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
beforeAll(async () => {
  world = await World.start(undefined, 'production');
  tpp = world.tpp();
});
afterAll(async () => world.stop());

const person = async (currency: string, opening: string): Promise<FreshPsu & { readonly iban: string }> => {
  const answer = await tpp.call('POST', '/sandbox/psus', await tpp.applicationToken(), {
    json: { accounts: [{ currency, opening }] },
  });
  const psu = parseJson<FreshPsu & Record<string, unknown>>(answer);
  return { ...psu, iban: psu.accounts[0]?.iban ?? '' };
};
const post = async (product: LevProduct, iban: string, changes: object = {}) =>
  tpp.call('POST', `/v1/payments/${product}`, await tpp.applicationToken(), {
    json: { ...exampleBodies[product], debtorAccount: { iban }, ...changes },
  });

interface Created {
  readonly paymentId: string;
  readonly _links: { readonly scaRedirect: { readonly href: string } };
  readonly transactionFees?: { readonly currency: string; readonly amount: string };
  readonly transactionFeeIndicator?: boolean;
  readonly estimatedTotalAmount?: { readonly currency: string; readonly amount: string };
}
const created = (answer: Parameters<typeof parseJson>[0]): Created => {
  expect(answer.status).toBe(201);
  return parseJson<Created & Record<string, unknown>>(answer);
};
const inUsd = { instructedAmount: { currency: 'USD', amount: '100.00' } };

/** Returns the balances and entries visible under the PSU's own consent. */
const readAccount = async (psu: FreshPsu & { readonly iban: string }) => {
  const day = dayFrom(await sandboxNow(world), 5);
  const { tokens } = await consented(world, tpp, psu, consentBody([psu.iban], day));
  const present = { headers: { 'psu-ip-address': '198.51.100.7' } };
  const { accounts } = parseJson<{ accounts: { resourceId: string }[] }>(
    await tpp.call('GET', '/v1/accounts', tokens.access_token, present),
  );
  const path = `/v1/accounts/${accounts[0]?.resourceId}`;
  const { balances } = parseJson<{ balances: { balanceType: string; balanceAmount: { amount: string } }[] }>(
    await tpp.call('GET', `${path}/balances`, tokens.access_token, present),
  );
  const { transactions } = parseJson<{
    transactions: { booked: { transactionAmount: { amount: string } }[] };
  }>(await tpp.call('GET', `${path}/transactions`, tokens.access_token, present));
  return {
    balances: Object.fromEntries(balances.map((one) => [one.balanceType, one.balanceAmount.amount])),
    booked: transactions.booked.map(({ transactionAmount }) => transactionAmount.amount),
  };
};

/** Longer than any run of weekends and holidays in the bank calendar. */
const pastHolidays = 'P8D';

describe('the production profile with the sandbox bank (spec 1.6, 1.8; contract 8)', () => {
  it('returns the fee of a SEPA payment from a euro account at once, shows it before signing, and books it', async () => {
    const psu = await person('EUR', '100.00');
    const payment = created(await post('SEPA-Credit-Transfer', psu.iban));
    expect(payment).toMatchObject({
      transactionFees: { currency: 'EUR', amount: '0.41' },
      transactionFeeIndicator: true,
      estimatedTotalAmount: { currency: 'EUR', amount: '10.41' },
    });
    const pages: string[] = [];
    await walkAndApprove(world.browser(), payment._links.scaRedirect.href, psu, {
      watch: (step, page) => pages.push(`${step}: ${page.html}`),
    });
    const review = pages.find((page) => page.startsWith('review')) ?? '';
    expect(review).toContain('0.41 EUR');
    expect(review).toContain('10.41 EUR');
    await world.advance(pastHolidays);
    const path = `/v1/payments/SEPA-Credit-Transfer/${payment.paymentId}`;
    expect(await readStatus(tpp, await tpp.applicationToken(), path)).toEqual({
      transactionStatus: 'ACSC',
      fundsAvailable: true,
    });
    expect(parseJson(await tpp.call('GET', path, await tpp.applicationToken()))).toMatchObject({
      ...exampleBodies['SEPA-Credit-Transfer'],
      debtorAccount: { iban: psu.iban },
      paymentType: 'SEPA',
    });
    await world.advance('PT5M');
    const { balances, booked } = await readAccount(psu);
    expect(balances).toEqual({ interimAvailable: '89.59', expected: '89.59' });
    expect(booked).toEqual(expect.arrayContaining(['-10.00', '-0.41']));
  });

  it('converts a dollar payment from a lev account at the bank’s rate, which the PSU sees first', async () => {
    const psu = await person('BGN', '200.00');
    const payment = created(await post('cross-border-credit-transfer', psu.iban, inUsd));
    expect(payment.estimatedTotalAmount).toEqual({ currency: 'BGN', amount: '193.00' });
    const pages: string[] = [];
    await walkAndApprove(world.browser(), payment._links.scaRedirect.href, psu, {
      watch: (_step, page) => pages.push(page.html),
    });
    expect(pages.some((page) => page.includes('1 USD = 1.73 BGN'))).toBe(true);
    await world.advance(pastHolidays);
    expect((await readAccount(psu)).balances).toEqual({ interimAvailable: '7.00', expected: '7.00' });
  });

  it('returns 400 EXECUTION_DATE_INVALID for a future date with a currency conversion (spec 1.4)', async () => {
    const { iban } = await person('BGN', '500.00');
    const requestedExecutionDate = dayFrom(await sandboxNow(world), 3);
    const answer = await post('cross-border-credit-transfer', iban, { ...inUsd, requestedExecutionDate });
    expect([answer.status, listCodes(answer), listPaths(answer)]).toEqual([
      400,
      ['EXECUTION_DATE_INVALID'],
      ['requestedExecutionDate'],
    ]);
    expect((await post('cross-border-credit-transfer', iban, { requestedExecutionDate })).status).toBe(201);
  });

  it('returns 400 PAYMENT_FAILED for a currency conversion within one account (spec 1.5)', async () => {
    const { iban } = await person('BGN', '500.00');
    const answer = await post('SEPA-Credit-Transfer', iban, {
      creditorAccount: { iban },
      creditorAgent: undefined,
    });
    expect([answer.status, listCodes(answer)]).toEqual([400, ['PAYMENT_FAILED']]);
  });

  it('leaves a payment in ACCP with fundsAvailable=false if the funds cover the amount but not the fee', async () => {
    const psu = await person('BGN', '12.50');
    const payment = created(await post('domestic-credit-transfer-BGN', psu.iban));
    await walkAndApprove(world.browser(), payment._links.scaRedirect.href, psu);
    await world.advance(pastHolidays);
    const path = `/v1/payments/domestic-credit-transfer-BGN/${payment.paymentId}`;
    expect(await readStatus(tpp, await tpp.applicationToken(), path)).toMatchObject({
      transactionStatus: 'ACCP',
      fundsAvailable: false,
      tppMessages: [{ category: 'WARNING', code: 'FUNDS_NOT_AVAILABLE' }],
    });
    expect((await readAccount(psu)).balances).toEqual({ interimAvailable: '12.50', expected: '12.50' });
  });

  it('accepts exactly thirteen currencies (spec 1.6)', async () => {
    const { iban } = await person('BGN', '500.00');
    const taken: string[] = [];
    for (const currency of 'BGN USD EUR JPY CHF AUD CAD DKK HUF NOK SEK PLN RON'.split(' ')) {
      const answer = await post('cross-border-credit-transfer', iban, {
        instructedAmount: { currency, amount: '100' },
      });
      if (answer.status === 201) taken.push(currency);
    }
    expect(taken).toHaveLength(13);
    const answer = await post('cross-border-credit-transfer', iban, {
      instructedAmount: { currency: 'GBP', amount: '1.00' },
    });
    expect([answer.status, listCodes(answer)]).toEqual([400, ['PAYMENT_FAILED']]);
  });

  it('holds a payment for a Saturday until the start of the next banking day', async () => {
    const psu = await person('BGN', '100.00');
    const now = await sandboxNow(world);
    const days = [1, 2, 3, 4, 5, 6, 7].map((ahead) => dayFrom(now, ahead));
    const saturday = days.find((day) => new Date(`${day}T12:00:00Z`).getUTCDay() === 6) ?? '';
    const payment = created(
      await post('domestic-credit-transfer-BGN', psu.iban, { requestedExecutionDate: saturday }),
    );
    await walkAndApprove(world.browser(), payment._links.scaRedirect.href, psu);
    const path = `/v1/payments/domestic-credit-transfer-BGN/${payment.paymentId}`;
    const status = async () =>
      (await readStatus(tpp, await tpp.applicationToken(), path))['transactionStatus'];
    const seconds = (Date.parse(`${saturday}T12:00:00Z`) - Date.parse(now)) / 1000;
    await world.advance(`PT${Math.ceil(seconds)}S`);
    expect(await status()).toBe('ACCP');
    await world.advance('P7D');
    expect(await status()).toBe('ACSC');
  });
});
