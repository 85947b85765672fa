// Lane: long (it starts a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  consentBody,
  consented,
  dayFrom,
  type Initiated,
  parseInitiated,
  readStatus,
  sandboxNow,
  until,
} from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { parseJson } from '@xs2a/tpp-client/http';
import type { PsuBrowser } from '@xs2a/tpp-client/psu-browser';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { type EuroPsu, openEuroPerson, post } from './euro-world.js';

const product = 'instant-SEPA-credit-transfer';
const path = `/v1/payments/${product}`;
const [atOnce, silent, closed] = [
  'DE89370400440532013000',
  'BG03XSBV92001000000202',
  'BG73XSBV92001000000203',
];

let world: World;
let tpp: TppClient;
beforeAll(async () => {
  world = await World.inEuro();
  tpp = world.tpp();
}, 120_000);
afterAll(async () => world.stop());

type Json = Record<string, unknown>;
const transfer = (iban: string, amount = '25.00') => ({
  instructedAmount: { currency: 'EUR', amount },
  creditorAccount: { iban },
  creditorName: 'Max Mustermann',
  remittanceInformationUnstructured: 'Invoice 1',
});
const initiated = async (
  psu: EuroPsu,
  payee: string,
  change: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Initiated> =>
  parseInitiated(
    await post(tpp, path, { debtorAccount: { iban: psu.iban }, ...transfer(payee), ...change }, headers),
    path,
  );
const signed = async (psu: EuroPsu, payee: string, change: object = {}): Promise<Initiated> => {
  const payment = await initiated(psu, payee, change);
  await walkAndApprove(world.browser(), payment.scaRedirect, psu);
  return payment;
};
const ended = async (payment: Pick<Initiated, 'path'>): Promise<Json> =>
  until(
    async () => readStatus(tpp, await tpp.applicationToken(), payment.path),
    ({ transactionStatus }) => ['ACSC', 'PART', 'RJCT'].includes(String(transactionStatus)),
  );
const simulate = async ({ psuId }: EuroPsu, outcome: string): Promise<void> => {
  expect((await post(tpp, '/sandbox/simulate', { psuId, outcome })).status).toBe(200);
};

describe('an instant payment from outside (contract E3.2)', () => {
  it.each(['blocked', 'closed'])(
    'is RJCT with AC06 if the debtor account is %s between the review and the code',
    async (status) => {
      const psu = await openEuroPerson(tpp);
      const payment = await initiated(psu, atOnce);
      const token = await tpp.applicationToken();
      const browser = world.browser();
      const { psuId, password } = psu;
      const page = await browser.submit(
        await browser.open(payment.scaRedirect),
        { psuId, password },
        'approve',
      );
      const code = await browser.submit(page, {}, 'approve');
      await tpp.call('PATCH', `/sandbox/accounts/${psu.iban}`, token, { json: { status } });
      await browser.submit(code, { otp: '123456' }, 'approve');
      expect(await ended(payment)).toMatchObject({ transactionStatus: 'RJCT', reasonCode: 'AC06' });
    },
  );

  it('leads the browser to the TPP at the signature, although the payee’s bank is silent (contract E3.3)', async () => {
    const psu = await openEuroPerson(tpp);
    const to = 'http://127.0.0.1:8090/callback?outcome=';
    const headers = { 'tpp-redirect-uri': `${to}ok`, 'tpp-nok-redirect-uri': `${to}nok` };
    const payment = await initiated(psu, silent, {}, headers);
    const browser = world.browser();
    await walkAndApprove(browser, payment.scaRedirect, psu);
    expect(browser.leftTo).toBe(`${to}ok`);
    expect(await readStatus(tpp, await tpp.applicationToken(), payment.path)).not.toHaveProperty(
      'reasonCode',
    );
    expect(await ended(payment)).toEqual({
      transactionStatus: 'RJCT',
      reasonCode: 'AB05',
      tppMessages: [
        {
          category: 'ERROR',
          code: 'PAYMENT_FAILED',
          text: 'The payee’s bank did not answer in time. The account was not charged.',
        },
      ],
    });
  });

  it('with today as its day is paid at once (contract E3.6)', async () => {
    const requestedExecutionDate = dayFrom(await sandboxNow(world), 0);
    const payment = await signed(await openEuroPerson(tpp), atOnce, { requestedExecutionDate });
    expect(await ended(payment)).toMatchObject({ transactionStatus: 'ACSC' });
  });

  it('has the simulated outcome in place of that of the payee’s bank, as often as was asked (contract E8.4)', async () => {
    const psu = await openEuroPerson(tpp);
    const { psuId } = psu;
    expect(
      (await post(tpp, '/sandbox/simulate', { psuId, outcome: 'instant-offline', calls: 2 })).status,
    ).toBe(200);
    const reasons: unknown[] = [];
    for (let call = 0; call < 3; call += 1)
      reasons.push((await ended(await signed(psu, closed)))['reasonCode']);
    expect(reasons).toEqual(['AB08', 'AB08', 'AC04']);
  });

  it('can be slow or without an answer by simulation (contract E8.4)', async () => {
    const [late, lost] = [await openEuroPerson(tpp), await openEuroPerson(tpp)];
    await simulate(late, 'instant-slow');
    await simulate(lost, 'instant-timeout');
    const payments = [await signed(late, atOnce), await signed(lost, atOnce)];
    expect(await Promise.all(payments.map(ended))).toMatchObject([
      { transactionStatus: 'ACSC' },
      { transactionStatus: 'RJCT', reasonCode: 'AB05' },
    ]);
  });

  it('in a bulk without funds is RJCT with AM04, and so is the bulk (contract E3.8)', async () => {
    const psu = await openEuroPerson(tpp, '10.00');
    const at = `/v1/bulk-payments/${product}`;
    const payments = [transfer(atOnce), transfer(closed)];
    const bulk = parseInitiated(await post(tpp, at, { debtorAccount: { iban: psu.iban }, payments }), at);
    await walkAndApprove(world.browser(), bulk.scaRedirect, psu);
    const noFunds = { transactionStatus: 'RJCT', reasonCode: 'AM04', fundsAvailable: false };
    expect(await ended(bulk)).toMatchObject(noFunds);
    const read = parseJson(await tpp.call('GET', bulk.path, await tpp.applicationToken()));
    expect(read).toMatchObject({ payments: [noFunds, noFunds] });
  });
});

describe('the pages of an instant payment (contract E7.2)', () => {
  const seen = async (browser: PsuBrowser, url: string): Promise<string> =>
    (await browser.open(url)).text.replaceAll(/[ \n]+/g, ' ');
  it.each([
    [
      'en',
      'SEPA instant transfer',
      'at once, within 10 seconds',
      'The payee has the money.',
      'The transfer was not made. Your account was not charged.',
    ],
    [
      'bg',
      'Незабавен превод SEPA',
      'веднага, до 10 секунди',
      'Получателят има парите.',
      'Преводът не е изпълнен. Сметката Ви не е задължена.',
    ],
  ])('in %s: %s, %s, and how it ended', async (language, type, when, paid, notPaid) => {
    const psu = await openEuroPerson(tpp);
    for (const [payee, end] of [
      [atOnce, paid],
      [closed, notPaid],
    ] as const) {
      const payment = await initiated(psu, payee);
      const browser = world.browser(language);
      let review = '';
      await walkAndApprove(browser, payment.scaRedirect, psu, {
        watch: (step, { text }) => {
          if (step === 'review') review = text;
        },
      });
      expect([review.includes(type), review.includes(when)]).toEqual([true, true]);
      await ended(payment);
      expect(await seen(browser, payment.scaRedirect)).toContain(end);
    }
  });
});

describe('the lifetimes of the sandbox in euro (contract E1.2)', () => {
  it('are 180 days for a consent and 24 hours for its refresh token', async () => {
    const psu = await openEuroPerson(tpp);
    const now = await sandboxNow(world);
    const { consentId, tokens } = await consented(
      world,
      tpp,
      psu,
      consentBody([psu.iban], dayFrom(now, 300)),
    );
    const read = await tpp.call('GET', `/v1/consents/${consentId}`, await tpp.applicationToken());
    expect(parseJson(read)).toMatchObject({ consentStatus: 'valid', validUntil: dayFrom(now, 180) });
    expect(Reflect.get(tokens, 'refresh_token_expires_in')).toBe(86_400);
  });
});
