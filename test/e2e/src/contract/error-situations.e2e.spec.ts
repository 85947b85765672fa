import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import { look, submit } from '../pages/page-visitor.js';
import {
  listCodes,
  consentBody,
  consented,
  dayFrom,
  domesticPath,
  domesticPayment,
  initiate,
  listPaths,
  sandboxNow,
} from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { accountsInOtherCurrencies, otherCurrency } from '@xs2a/test-support/home';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let token: string;
let psu: FreshPsu;
let iban: string;
let now: string;

beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
  token = await tpp.applicationToken();
  psu = await world.person('1000.00', '5.00');
  iban = psu.accounts[0]?.iban ?? '';
  now = await sandboxNow(world);
});
afterAll(async () => world.stop());

const post = async (changes: Record<string, unknown>, headers: Record<string, string> = {}) =>
  tpp.call('POST', domesticPath, token, { json: domesticPayment(iban, '1.00', changes), headers });
const outcome = (answer: { status: number; text: string; headers: Headers }): unknown => [
  answer.status,
  listCodes(answer),
  listPaths(answer),
];

/** Returns status and codes, without the paths. */
const verdict = (answer: { status: number; text: string; headers: Headers }): unknown => [
  answer.status,
  listCodes(answer),
];

describe('error situations (contract 3)', () => {
  it('details of another payment type: refused with 403 PRODUCT_INVALID, naming the matching product', async () => {
    const answer = await post({ creditorAccount: { iban: 'TR330006100519786457841326' } });
    expect([answer.status, listCodes(answer)]).toEqual([403, ['PRODUCT_INVALID']]);
    expect(answer.text).toContain('cross-border-credit-transfer');
  });

  it('a currency that the profile does not support: refused with 400 PAYMENT_FAILED', async () => {
    expect(outcome(await post({ instructedAmount: { currency: otherCurrency, amount: '1.00' } }))).toEqual([
      400,
      ['PAYMENT_FAILED'],
      ['instructedAmount.currency'],
    ]);
    expect(verdict(await post({ instructedAmount: { currency: 'XXX', amount: '1.00' } }))).toEqual([
      400,
      ['PAYMENT_FAILED'],
    ]);
  });

  it('an execution date in the past: refused with 400 EXECUTION_DATE_INVALID; a date that does not exist: FORMAT_ERROR', async () => {
    expect(outcome(await post({ requestedExecutionDate: dayFrom(now, -1) }))).toEqual([
      400,
      ['EXECUTION_DATE_INVALID'],
      ['requestedExecutionDate'],
    ]);
    expect(outcome(await post({ requestedExecutionDate: '2026-02-30' }))).toEqual([
      400,
      ['FORMAT_ERROR'],
      ['requestedExecutionDate'],
    ]);
  });

  it('a debtor account that cannot pay or is also the creditor account: refused with 400 PAYMENT_FAILED', async () => {
    const failed = async (body: Record<string, unknown>): Promise<unknown> =>
      outcome(await tpp.call('POST', domesticPath, token, { json: body }));
    const causes = [
      domesticPayment('BG88XSBK92001000000031'),
      domesticPayment('BG45XSBK92001500000012'),
      ...accountsInOtherCurrencies.map((account) => domesticPayment(account)),
      domesticPayment('BG26RZBB91551023456789', '1.00', {
        creditorAccount: { iban: 'BG39BNBG96613100195002' },
      }),
    ];
    const wrongCurrency = { ...domesticPayment(iban), debtorAccount: { iban, currency: otherCurrency } };
    for (const body of [...causes, wrongCurrency])
      expect(await failed(body)).toEqual([400, ['PAYMENT_FAILED'], ['debtorAccount']]);
    expect(await failed(domesticPayment(iban, '1.00', { creditorAccount: { iban } }))).toEqual([
      400,
      ['PAYMENT_FAILED'],
      ['creditorAccount'],
    ]);
  });

  it('the authorisation of a resource in a final status: leads to a page without a sign-in form', async () => {
    const payment = await initiate(tpp, token, domesticPayment(iban));
    await tpp.call('DELETE', payment.path, token);
    const page = await world.browser().open(payment.scaRedirect);
    expect(page.status).toBeLessThan(500);
    expect(page.forms.flatMap(({ inputs }) => inputs.map(({ name }) => name))).not.toContain('psuId');
  });

  it('a Consent-ID that differs from the token: refused with 400 CONSENT_UNKNOWN; wrong query values: refused with errors that name the parameter', async () => {
    const { tokens } = await consented(world, tpp, psu, consentBody([iban], dayFrom(now, 30)));
    const get = async (path: string, headers: Record<string, string> = {}) =>
      tpp.call('GET', path, tokens.access_token, {
        headers: { 'psu-ip-address': '198.51.100.7', ...headers },
      });
    expect(verdict(await get('/v1/accounts', { 'consent-id': randomUUID() }))).toEqual([
      400,
      ['CONSENT_UNKNOWN'],
    ]);
    const { accounts } = parseJson<{ accounts: { resourceId: string }[] }>(await get('/v1/accounts'));
    const path = `/v1/accounts/${accounts[0]?.resourceId}/transactions`;
    for (const [query, code, parameter] of [
      ['pageSize=0', 'FORMAT_ERROR', 'pageSize'],
      ['pageSize=501', 'FORMAT_ERROR', 'pageSize'],
      ['pageSize=x', 'FORMAT_ERROR', 'pageSize'],
      ['dateFrom=2026-13-01', 'FORMAT_ERROR', 'dateFrom'],
      ['bookingStatus=maybe', 'FORMAT_ERROR', 'bookingStatus'],
      ['cursor=forged', 'FORMAT_ERROR', 'cursor'],
      [`dateFrom=${dayFrom(now, -1)}&dateTo=${dayFrom(now, -2)}`, 'PERIOD_INVALID', 'dateTo'],
    ] as const) {
      const answer = await get(`${path}?${query}`);
      expect([query, answer.status, listCodes(answer)]).toEqual([query, 400, [code]]);
      expect(listPaths(answer)[0]).toMatch(parameter === 'dateTo' ? /date(From|To)/ : new RegExp(parameter));
    }
  });

  it('a consent with neither PSU-ID nor PSU-Corporate-ID, with an unknown corporate, or with wrong arrays: refused', async () => {
    const body = consentBody([iban], dayFrom(now, 30));
    const create = async (json: unknown, headers: Record<string, string>): Promise<unknown> =>
      verdict(await tpp.call('POST', '/v1/consents', token, { json, headers }));
    expect(await create(body, {})).toEqual([400, ['FORMAT_ERROR']]);
    expect(await create(body, { 'psu-corporate-id': 'nobody' })).toMatchObject([
      401,
      ['CORPORATE_ID_INVALID'],
    ]);
    const who = { 'psu-id': psu.psuId };
    for (const changes of [
      { access: {} },
      { access: { accounts: [] } },
      { access: { accounts: [{ iban }], balances: [], transactions: [{ iban }] } },
      { access: { accounts: [{ iban: 'BG00XSBK92001000000001' }] } },
      { validUntil: dayFrom(now, -1) },
      { frequencyPerDay: 0 },
      { frequencyPerDay: 1.5 },
      { recurringIndicator: false, frequencyPerDay: 4 },
      { recurringIndicator: 'yes' },
      { combinedServiceIndicator: 'perhaps' },
      { extra: 1 },
    ]) {
      expect([changes, await create({ ...body, ...changes }, who)]).toMatchObject([
        changes,
        [400, ['FORMAT_ERROR']],
      ]);
    }
  });

  it('an unpublished API version: refused with 400 PARAMETER_NOT_SUPPORTED; every response names the version that served it', async () => {
    const { tokens } = await consented(world, tpp, psu, consentBody([iban], dayFrom(now, 30)));
    const get = async (version?: string) =>
      tpp.call('GET', '/v1/accounts', tokens.access_token, {
        headers: {
          'psu-ip-address': '198.51.100.7',
          ...(version === undefined ? {} : { 'x-api-version': version }),
        },
      });
    expect(verdict(await get('9.9.9'))).toEqual([400, ['PARAMETER_NOT_SUPPORTED']]);
    expect((await get('1.3.2')).headers.get('x-api-version')).toBe('1.3.2');
    expect((await get()).headers.get('x-api-version')).toBe('1.3.2.2');
  });

  it('errors from /oauth2: have the RFC 6749 format', async () => {
    const answer = await send('POST', `${world.baseUrl}/oauth2/token`, {
      form: new URLSearchParams({ grant_type: 'password' }),
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(typeof parseJson(answer)['error']).toBe('string');
  });
});

describe('a signed payment', () => {
  it('has a link that shows no sign-in form when opened again', async () => {
    const payment = await initiate(tpp, token, domesticPayment(iban));
    await walkAndApprove(world.browser(), payment.scaRedirect, psu);
    const page = await world.browser().open(payment.scaRedirect);
    expect(page.forms.flatMap(({ inputs }) => inputs.map(({ name }) => name))).not.toContain('psuId');
  });
});

describe('the language of the pages (contract 12)', () => {
  it('is, after sign-in, the one that the PSU last requested, whatever the language of the browser', async () => {
    const person = await world.person('10.00');
    const readLanguage = ({ text }: { readonly text: string }): string | undefined =>
      /<html lang="(\w+)"/.exec(text)?.[1];
    /** Returns the languages of the first page and of the review page after sign-in; the browser prefers English. */
    const languages = async (query: string): Promise<unknown> => {
      const { scaRedirect } = await initiate(tpp, token, domesticPayment(person.accounts[0]?.iban ?? ''));
      const first = await look(`${scaRedirect}${query}`);
      const { psuId, password } = person;
      const form = { csrf: first.csrf, step: first.step, psuId, password, decision: 'approve' };
      const { cookie } = await submit(scaRedirect, first.cookie, form);
      const review = await look(scaRedirect, cookie);
      return [readLanguage(first), readLanguage(review), review.step];
    };
    expect(await languages('')).toEqual(['en', 'en', 'review']);
    expect(await languages('?lang=bg')).toEqual(['bg', 'bg', 'review']);
    expect(await languages('')).toEqual(['en', 'bg', 'review']);
    expect(await languages('?lang=en')).toEqual(['en', 'en', 'review']);
    expect(await languages('?lang=xx')).toEqual(['en', 'en', 'review']);
  });
});
