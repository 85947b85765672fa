import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import {
  authorised,
  consentBody,
  consented,
  createConsent,
  dayFrom,
  listCodes,
  listPaths,
  present,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { bodyOf, type FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

type Json = Record<string, unknown>;
interface Entry {
  readonly transactionId: string;
  readonly entryReference: string;
  readonly bookingDate: string;
  readonly transactionAmount: { readonly currency: string; readonly amount: string };
  readonly accountCurrencyAmount?: Json;
  readonly currencyExchange?: readonly Json[];
  readonly remittanceInformationUnstructured?: string;
}

const iban = 'BG25XSBK92001000000001';
const ivan: FreshPsu = { psuId: 'ivan', password: 'sandbox', accounts: [] };
const inEuro = (amount: string): Json => ({ currency: 'EUR', amount });
const levExchange = {
  sourceCurrency: 'BGN',
  targetCurrency: 'EUR',
  unitCurrency: 'EUR',
  exchangeRate: '1.95583',
  quotationDate: '2026-01-01',
};

let world: World;
let tpp: TppClient;
let token: string;
let path: string;
beforeAll(async () => {
  world = await World.inEuro();
  tpp = world.tpp();
  const until = dayFrom(await sandboxNow(world), 30);
  token = (await consented(world, tpp, ivan, consentBody([iban], until))).tokens.access_token;
  const { accounts } = parseJson<{ accounts: { resourceId: string }[] }>(await get('/v1/accounts'));
  path = `/v1/accounts/${accounts[0]?.resourceId ?? ''}`;
}, 120_000);
afterAll(async () => world.stop());

const get = async (url: string): Promise<Answer> => tpp.call('GET', url, token, present);
/** All booked entries of these pages, newest first. */
const booked = async (url: string): Promise<readonly Entry[]> => {
  const { transactions } = bodyOf<{
    transactions: { booked: Entry[]; _links: { next?: { href: string } } };
  }>(await get(url), 200);
  const { next } = transactions._links;
  return next === undefined ? transactions.booked : [...transactions.booked, ...(await booked(next.href))];
};
const whole = (): string => `${path}/transactions?dateFrom=2025-12-01&bookingStatus=booked`;

describe('accounts of a bank in euro (contract E5.1)', () => {
  it('have their balances in euro', async () => {
    expect(parseJson(await get(path))).toMatchObject({ account: { iban, currency: 'EUR' } });
    expect(parseJson(await get(`${path}/balances`))).toMatchObject({
      account: { iban, currency: 'EUR' },
      balances: [{ balanceAmount: inEuro('2556.46') }, { balanceAmount: inEuro('2556.46') }],
    });
  });

  it('confirm funds in euro, and none in leva', async () => {
    const { access_token } = await authorised(world, tpp, ivan, 'PSP_IC');
    const ask = async (json: Json): Promise<Answer> =>
      tpp.call('POST', '/v1/funds-confirmations', access_token, { json });
    const covered = async (amount: string): Promise<string> =>
      (await ask({ account: { iban }, instructedAmount: inEuro(amount) })).text;
    expect(await covered('2556.46')).toBe('{"fundsAvailable":true}');
    expect(await covered('2556.47')).toBe('{"fundsAvailable":false}');
    const inLeva = await ask({
      account: { iban },
      instructedAmount: { currency: 'BGN', amount: '1.00' },
    });
    expect([inLeva.status, listPaths(inLeva)]).toEqual([400, ['instructedAmount.currency']]);
  });
});

describe('entries from before the lev ended (contract E5.2)', () => {
  it('are in leva as booked, with the rate and the amount in euro for information', async () => {
    const december = (await booked(whole())).filter(({ bookingDate }) => bookingDate.startsWith('2025-12'));
    expect(december.length).toBeGreaterThan(5);
    for (const { transactionAmount, accountCurrencyAmount, currencyExchange } of december) {
      expect(transactionAmount.currency).toBe('BGN');
      expect(accountCurrencyAmount).toEqual(
        inEuro((Math.round(Number(transactionAmount.amount) * 51.129_188) / 100).toFixed(2)),
      );
      expect(currencyExchange).toEqual([levExchange]);
    }
    const [one] = december;
    const details = parseJson(await get(`${path}/transactions/${one?.transactionId ?? ''}`));
    expect(details).toEqual({ transactionsDetails: one });
  });
});

const isConversion = ({ remittanceInformationUnstructured: text }: Entry): boolean =>
  text === 'Превалутиране в евро 1,95583';

describe('the conversion of an account (contract E5.3)', () => {
  it('is two entries on the first day of the euro: the leva out, the euro in', async () => {
    const entries = await booked(whole());
    const [into, out, ...others] = entries.filter(isConversion);
    expect(others).toEqual([]);
    expect([out?.bookingDate, out?.transactionAmount.currency]).toEqual(['2026-01-01', 'BGN']);
    expect(into).toMatchObject({
      bookingDate: '2026-01-01',
      bankTransactionCode: 'ACMT-MDOP-OTHR',
      currencyExchange: [levExchange],
    });
    const cents = ({ transactionAmount: { currency, amount } }: Entry): number =>
      currency === 'EUR' ? Math.round(Number(amount) * 100) : 0;
    expect(entries.reduce((sum, entry) => sum + cents(entry), 0)).toBe(255_646);
  });

  it('is reported once after the last entry in leva, which is reported no more (contract E5.4)', async () => {
    const entries = await booked(whole());
    const last = entries.find(({ bookingDate }) => bookingDate < '2026-01-01');
    const since = async (reference: string): Promise<readonly Entry[]> =>
      booked(`${whole()}&entryReferenceFrom=${reference}`);
    const reported = await since(last?.entryReference ?? '');
    expect(reported).toEqual(entries.slice(0, entries.indexOf(last as Entry)));
    expect(reported.filter(isConversion)).toHaveLength(2);
    const newest = reported.find(isConversion)?.entryReference ?? '';
    expect((await since(newest)).filter(isConversion)).toEqual([]);
  });
});

describe('a consent that names the lev (contract E5.5)', () => {
  it('is created as submitted and rejected when the PSU authorises it', async () => {
    const access = { accounts: [{ iban, currency: 'BGN' }] };
    const until = dayFrom(await sandboxNow(world), 30);
    const created = await createConsent(tpp, 'ivan', consentBody([], until, { access }));
    const { consentId, _links } = bodyOf<{
      consentId: string;
      _links: { scaRedirect: { href: string } };
    }>(created, 201);
    const read = async (tail = ''): Promise<Json> =>
      parseJson<Json>(
        await tpp.call('GET', `/v1/consents/${consentId}${tail}`, await tpp.applicationToken('PSP_AI')),
      );
    expect(await read()).toMatchObject({ access });
    await walkAndApprove(world.browser(), _links.scaRedirect.href, ivan);
    expect(await read('/status')).toEqual({ consentStatus: 'rejected' });
  });
});

describe('the sandbox of a bank in euro (contract E8.4)', () => {
  const post = async (url: string, json: Json): Promise<Answer> =>
    tpp.call('POST', url, await tpp.applicationToken(), { json });
  const account = { currency: 'EUR', opening: '10.00' };

  it('opens accounts with holders and limits, and companies with their names', async () => {
    const corporateId = 'lyra';
    const body = {
      accounts: [{ ...account, instantLimit: '5.00', holders: ['Мария Георгиева'] }],
      corporateId,
      corporateName: 'Лира ООД',
      otherNames: ['Lyra OOD'],
      eik: '999999995',
      payeeVerificationOptOut: true,
    };
    const created = await post('/sandbox/psus', body);
    expect([created.status, parseJson(created)]).toMatchObject([201, { accounts: [{ currency: 'EUR' }] }]);
    const joined = await post('/sandbox/psus', { corporateId, corporateName: 'Друга ООД' });
    expect([joined.status, listCodes(joined), listPaths(joined)]).toEqual([
      400,
      ['FORMAT_ERROR'],
      ['corporateName'],
    ]);
  });

  it.each([
    ['/sandbox/psus', { accounts: [{ ...account, currency: 'BGN' }] }, 'accounts[0].currency'],
    ['/sandbox/psus', { accounts: [{ ...account, instantLimit: 'x' }] }, 'accounts[0].instantLimit'],
    ['/sandbox/psus', { accounts: [account], corporateId: 'vega', eik: '1' }, 'eik'],
    ['/sandbox/psus', { accounts: [account], corporateId: 'vega', eik: '999999994' }, 'eik'],
    [`/sandbox/accounts/${iban}/deposit`, { currency: 'BGN', amount: '1.00' }, 'currency'],
  ])('refuses, at %s, %j', async (url, body, path) => {
    const answer = await post(url, body);
    expect([answer.status, listCodes(answer), listPaths(answer)]).toEqual([400, ['FORMAT_ERROR'], [path]]);
  });
});
