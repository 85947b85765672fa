import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { look, submit } from '../pages/page-visitor.js';
import {
  authorised,
  listCodes,
  domesticPayment,
  initiate,
  type Initiated,
  listPaths,
  readStatus,
  until,
} from '@xs2a/test-support/requests';
import { homeCurrency } from '@xs2a/test-support/home';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let token: string;
let psu: FreshPsu;
let iban: string;
beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
  psu = await world.person('100.00');
  iban = psu.accounts[0]?.iban ?? '';
  token = await tpp.applicationToken();
});
afterAll(async () => world.stop());

const simulate = async (json: object) =>
  tpp.call('POST', '/sandbox/simulate', await tpp.applicationToken(), { json });
const force = async (outcome: string, calls?: number): Promise<void> => {
  const answer = await simulate({ psuId: psu.psuId, outcome, ...(calls === undefined ? {} : { calls }) });
  expect([answer.status, parseJson(answer)]).toEqual([200, { psuId: psu.psuId, outcome, calls: calls ?? 1 }]);
};
const signed = async (): Promise<Initiated> => {
  const payment = await initiate(tpp, token, domesticPayment(iban, '1.00'));
  await walkAndApprove(world.browser(), payment.scaRedirect, psu);
  return payment;
};
const funds = async (accessToken: string) =>
  tpp.call('POST', '/v1/funds-confirmations', accessToken, {
    json: { instructedAmount: { currency: homeCurrency, amount: '1.00' } },
  });

describe('POST /sandbox/simulate', () => {
  it('insufficient-funds: leaves a payment unfunded although the balance covers it, and the next payment is settled', async () => {
    await force('insufficient-funds');
    const [first, second] = [await signed(), await signed()];
    await world.advance('PT1M');
    const ends = [await readStatus(tpp, token, first.path), await readStatus(tpp, token, second.path)];
    expect(
      ends.map(({ transactionStatus, fundsAvailable }) => [transactionStatus, fundsAvailable]).sort(),
    ).toEqual([
      ['ACCP', false],
      ['ACSC', true],
    ]);
  });

  it('insufficient-funds, core-bank-down and slow apply to a funds confirmation', async () => {
    const { access_token: accessToken } = await authorised(world, tpp, psu, 'PSP_IC');
    await force('insufficient-funds', 2);
    for (const fundsAvailable of [false, false, true])
      expect(parseJson(await funds(accessToken))).toEqual({ fundsAvailable });
    await force('core-bank-down', 2);
    const answers = [await funds(accessToken), await funds(accessToken), await funds(accessToken)];
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 200]);
    expect(answers[0]?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    await force('slow');
    const begun = performance.now();
    expect(parseJson(await funds(accessToken))).toEqual({ fundsAvailable: true });
    expect(performance.now() - begun).toBeGreaterThan(1400);
  });

  it('core-bank-down: delays settlement until the simulation ends', async () => {
    const payment = await signed();
    await force('core-bank-down', 2);
    await world.advance('PT1M').catch(() => undefined);
    await until(
      () => readStatus(tpp, token, payment.path),
      ({ transactionStatus }) => transactionStatus === 'ACSC',
    );
  });

  it('reject: makes the bank refuse once the PSU has signed in, and the TPP receives the reason', async () => {
    const payment = await initiate(tpp, token, domesticPayment(iban, '1.00'));
    await force('reject');
    await walkAndApprove(world.browser(), payment.scaRedirect, psu);
    expect(await readStatus(tpp, token, payment.path)).toMatchObject({
      transactionStatus: 'RJCT',
      tppMessages: [{ category: 'ERROR', code: 'PAYMENT_FAILED' }],
    });
  });

  it('none: ends the simulation; no other PSU was affected', async () => {
    await force('insufficient-funds', 100);
    const other = await world.person('10.00');
    const payment = await initiate(tpp, token, domesticPayment(other.accounts[0]?.iban ?? '', '1.00'));
    await walkAndApprove(world.browser(), payment.scaRedirect, other);
    await force('none');
    const own = await signed();
    await world.advance('PT1M');
    for (const { path } of [payment, own])
      expect(await readStatus(tpp, token, path)).toMatchObject({ transactionStatus: 'ACSC' });
  });

  it.each<[object, number, string, string[]]>([
    [{}, 400, 'FORMAT_ERROR', ['psuId', 'outcome']],
    [{ psuId: 'ivan', outcome: 'rain' }, 400, 'FORMAT_ERROR', ['outcome']],
    [{ psuId: 7, outcome: 'reject', calls: 0, x: 1 }, 400, 'FORMAT_ERROR', ['psuId', 'calls', 'x']],
    [{ psuId: 'ivan', outcome: 'reject', calls: 101 }, 400, 'FORMAT_ERROR', ['calls']],
    [{ psuId: 'nobody', outcome: 'reject' }, 404, 'RESOURCE_UNKNOWN', []],
  ])('refuses %j', async (json, status, code, paths) => {
    const answer = await simulate(json);
    expect([answer.status, [...new Set(listCodes(answer))]]).toEqual([status, [code]]);
    expect(listPaths(answer).filter((path) => path !== undefined)).toEqual(paths);
  });
});

interface Tried {
  readonly psu: FreshPsu;
  readonly accessToken: string;
  readonly signed: Initiated;
}
/** Creates a PSU with a funds confirmation consent and a payment that is signed but not yet due. */
const somebody = async (): Promise<Tried> => {
  const one = await world.person('100.00');
  const { access_token: accessToken } = await authorised(world, tpp, one, 'PSP_IC');
  const payment = await initiate(tpp, token, domesticPayment(one.accounts[0]?.iban ?? '', '1.00'));
  await walkAndApprove(world.browser(), payment.scaRedirect, one);
  return { psu: one, accessToken, signed: payment };
};
const statusText = async ({ path }: Initiated): Promise<string> => {
  const { transactionStatus, fundsAvailable } = await readStatus(tpp, token, path);
  return fundsAvailable === false ? `${String(transactionStatus)} without funds` : String(transactionStatus);
};
/** The points at which the bank is called for a PSU. Each function returns the result of that call. */
const moments: Readonly<Record<string, (tried: Tried) => Promise<string>>> = {
  'funds confirmation': async ({ accessToken }) => {
    const answer = await funds(accessToken);
    return answer.status === 200 ? String(parseJson(answer)['fundsAvailable']) : String(answer.status);
  },
  'sign-in': async ({ psu: { psuId, password, accounts } }) => {
    const payment = await initiate(tpp, token, domesticPayment(accounts[0]?.iban ?? '', '1.00'));
    const signIn = async (): Promise<number> => {
      const page = await look(payment.scaRedirect);
      const form = { csrf: page.csrf, step: 'sign-in', psuId, password, decision: 'approve' };
      return (await submit(payment.scaRedirect, page.cookie, form)).status;
    };
    if ((await signIn()) === 303) return statusText(payment);
    const before = await statusText(payment);
    return `503, ${before}; again: ${await signIn()}, ${await statusText(payment)}`;
  },
  settlement: async ({ signed: payment }) => {
    const isOnTime = await world.advance('PT1M').then(
      () => true,
      () => false,
    );
    const status = await until(
      () => statusText(payment),
      (now) => now !== 'ACCP' && now !== 'ACSP',
      100,
    );
    return isOnTime ? status : `${status} later`;
  },
};
const usual = { 'funds confirmation': 'true', 'sign-in': 'ACCP', settlement: 'ACSC' };

describe('each outcome at each point is either applied or kept for a later point', () => {
  it.each<[string, keyof typeof usual, string]>([
    ['insufficient-funds', 'funds confirmation', 'false'],
    ['insufficient-funds', 'sign-in', 'passes'],
    ['insufficient-funds', 'settlement', 'ACCP without funds'],
    ['core-bank-down', 'funds confirmation', '503'],
    ['core-bank-down', 'sign-in', '503, RCVD; again: 303, ACCP'],
    ['core-bank-down', 'settlement', 'ACSC'],
    ['reject', 'funds confirmation', 'passes'],
    ['reject', 'sign-in', 'RJCT'],
    ['reject', 'settlement', 'passes'],
    ['slow', 'funds confirmation', 'slow'],
    ['slow', 'sign-in', 'slow'],
    ['slow', 'settlement', 'slow'],
  ])('%s, %s: %s', async (outcome, moment, seen) => {
    const tried = await somebody();
    expect((await simulate({ psuId: tried.psu.psuId, outcome })).status).toBe(200);
    const begun = performance.now();
    const met = await moments[moment]?.(tried);
    const isSlow = performance.now() - begun > 1400;
    expect(met?.replace(' later', '')).toBe(['passes', 'slow'].includes(seen) ? usual[moment] : seen);
    if (seen === 'slow') expect(isSlow).toBe(true);
    // An outcome is kept until the point to which it applies, and is then used up.
    const next = outcome === 'reject' ? 'sign-in' : 'funds confirmation';
    const waiting = { 'insufficient-funds': 'false', reject: 'RJCT' }[outcome];
    expect(await moments[next]?.(tried)).toBe(seen === 'passes' ? waiting : usual[next]);
  });
});
