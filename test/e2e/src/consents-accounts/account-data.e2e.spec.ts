import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import {
  authorised,
  awayFromMidnight,
  listCodes,
  consentBody,
  consented,
  dayFrom,
  domesticPayment,
  initiate,
  present,
  resourceIds,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { homeCurrency } from '@xs2a/test-support/home';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
  await awayFromMidnight(world);
});
afterAll(async () => world.stop());

type Json = Record<string, unknown>;
const inBgn = (amount: string): object => ({ currency: homeCurrency, amount });

/** Creates a PSU with one account, and a TPP's consent to it. */
const customer = async (account: object = { opening: '1000.00' }, access?: readonly string[]) => {
  const created = await tpp.call('POST', '/sandbox/psus', await tpp.applicationToken(), {
    json: { name: 'Тест Тестов', accounts: [{ currency: homeCurrency, ...account }] },
  });
  const psu = parseJson<FreshPsu & Json>(created);
  const iban = psu.accounts[0]?.iban ?? '';
  const references = Object.fromEntries((access ?? []).map((type) => [type, [{ iban }]]));
  const changes = access === undefined ? {} : { access: references };
  const body = consentBody([iban], dayFrom(await sandboxNow(world), 30), changes);
  const { consentId, tokens } = await consented(world, tpp, psu, body);
  const [resourceId = ''] = await resourceIds(tpp, tokens.access_token);
  const get = async (tail: string): Promise<Answer> =>
    tpp.call('GET', `/v1/accounts/${resourceId}${tail}`, tokens.access_token, present);
  const read = async <Body = Json>(tail: string): Promise<Body> => parseJson<Body & Json>(await get(tail));
  return { psu, iban, consentId, token: tokens.access_token, resourceId, get, read };
};
type Customer = Awaited<ReturnType<typeof customer>>;
const readBalances = async ({ read }: Customer): Promise<Json> => {
  const { balances } = await read<{ balances: { balanceType: string; balanceAmount: Json }[] }>('/balances');
  return Object.fromEntries(balances.map((one) => [one.balanceType, one.balanceAmount['amount']]));
};
interface Entry {
  readonly transactionId: string;
  readonly transactionAmount: Json;
}
const readHistory = async ({ read }: Customer, query = ''): Promise<Partial<Record<string, Entry[]>>> =>
  (await read<{ transactions: Partial<Record<string, Entry[]>> }>(`/transactions${query}`)).transactions;
const pay = async ({ psu, iban }: Customer, amount: string): Promise<void> => {
  const application = await tpp.applicationToken('PSP_PI');
  const { scaRedirect } = await initiate(tpp, application, domesticPayment(iban, amount));
  await walkAndApprove(world.browser(), scaRedirect, psu);
};

describe('balances (spec 2.2, 3.1)', () => {
  it('include the credit limit, and change when a payment is settled, not when it is signed', async () => {
    const one = await customer({ opening: '1000.00', creditLimit: '200.00' });
    expect(await readBalances(one)).toEqual({ interimAvailable: '1200.00', expected: '1200.00' });
    await pay(one, '300.00');
    expect(await readBalances(one)).toEqual({ interimAvailable: '1200.00', expected: '1200.00' });
    await world.advance('PT1M');
    expect(await readBalances(one)).toEqual({ interimAvailable: '900.00', expected: '900.00' });
    const { balances } = await one.read<{ balances: Json[] }>('/balances');
    const referenceDate = dayFrom(await sandboxNow(world), 0);
    for (const balance of balances)
      expect(balance).toMatchObject({ creditLimitIncluded: true, referenceDate });
  });

  it('can fall below zero by up to the credit limit, as the funds confirmation shows', async () => {
    const one = await customer({ opening: '10.00', creditLimit: '20.00' });
    await pay(one, '25.00');
    await world.advance('PT1M');
    expect(await readBalances(one)).toEqual({ interimAvailable: '5.00', expected: '5.00' });
    const { access_token } = await authorised(world, tpp, one.psu, 'PSP_IC');
    const covered = async (amount: string): Promise<string> =>
      (
        await tpp.call('POST', '/v1/funds-confirmations', access_token, {
          json: { instructedAmount: inBgn(amount) },
        })
      ).text;
    expect([await covered('5.00'), await covered('5.01')]).toEqual([
      '{"fundsAvailable":true}',
      '{"fundsAvailable":false}',
    ]);
  });
});

describe('withBalance (contract 6)', () => {
  it('adds balances to the list, the account and the transactions if the consent covers them', async () => {
    const one = await customer({ opening: '7.00' });
    const list = async (query: string) =>
      parseJson<{ accounts: Json[] }>(await tpp.call('GET', `/v1/accounts${query}`, one.token, present))
        .accounts;
    const shown = [
      (await list('?withBalance=true'))[0],
      (await one.read<{ account: Json }>('?withBalance=true')).account,
      await one.read('/transactions?withBalance=true'),
    ];
    for (const answer of shown)
      expect(answer?.['balances']).toEqual(
        ['interimAvailable', 'expected'].map((balanceType) =>
          expect.objectContaining({ balanceType, balanceAmount: inBgn('7.00') }),
        ),
      );
    const plain = [
      (await list(''))[0],
      (await one.read<{ account: Json }>('')).account,
      await one.read('/transactions'),
    ];
    expect(plain.map((answer) => answer?.['balances'])).toEqual([undefined, undefined, undefined]);
  });

  it('adds nothing without a consent to balances, and includes only links to consented data', async () => {
    const one = await customer({ opening: '7.00' }, ['accounts', 'transactions']);
    const { account } = await one.read<{ account: Json & { _links: Json } }>('?withBalance=true');
    expect([account['balances'], Object.keys(account['_links'])]).toEqual([undefined, ['transactions']]);
    expect((await one.read('/transactions?withBalance=true'))['balances']).toBeUndefined();
  });
});

describe('a single transaction (contract 6)', () => {
  it('is the same entry as in the list: pending, then booked 5 minutes later under the same id (spec 3.1)', async () => {
    const one = await customer();
    await pay(one, '12.50');
    await world.advance('PT1M');
    const [pending] = (await readHistory(one))['pending'] ?? [];
    const path = `/transactions/${pending?.transactionId}`;
    expect(await one.read(path)).toEqual({ transactionsDetails: pending });
    expect(pending).not.toHaveProperty('bookingDate');
    await world.advance('PT5M');
    const { access_token } = await authorised(world, tpp, one.psu, 'PSP_AI', one.consentId);
    const later = await tpp.call('GET', `/v1/accounts/${one.resourceId}${path}`, access_token, present);
    expect(parseJson(later)).toEqual({
      transactionsDetails: {
        ...pending,
        entryReference: pending?.transactionId,
        bookingDate: dayFrom(await sandboxNow(world), 0),
      },
    });
  });

  it('of another account gets the same response as an unknown transaction', async () => {
    const [mine, theirs] = [await customer(), await customer()];
    const { transactionId } = parseJson<{ transactionId: string }>(
      await tpp.call('POST', `/sandbox/accounts/${theirs.iban}/deposit`, await tpp.applicationToken(), {
        json: inBgn('1.00'),
      }),
    );
    expect((await theirs.get(`/transactions/${transactionId}`)).status).toBe(200);
    const answers = [];
    for (const id of [transactionId, randomUUID().replaceAll('-', ''), randomUUID(), 'x', '%00'])
      answers.push(await mine.get(`/transactions/${id}`));
    expect(answers.map((answer) => [answer.status, ...listCodes(answer)])).toEqual(
      answers.map(() => [404, 'RESOURCE_UNKNOWN']),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });
});

describe('the transactions query (spec 4.4, contract 6)', () => {
  it('selects booked and pending entries with bookingStatus, both by default, and interprets dates as days in Sofia', async () => {
    const one = await customer();
    const today = dayFrom(await sandboxNow(world), 0);
    await tpp.call('POST', `/sandbox/accounts/${one.iban}/deposit`, await tpp.applicationToken(), {
      json: inBgn('1.00'),
    });
    await pay(one, '2.00');
    await world.advance('PT1M');
    const counts = async (query: string): Promise<unknown> => {
      const { booked, pending } = await readHistory(one, query);
      return [booked?.length, pending?.length];
    };
    expect(await counts('')).toEqual([1, 1]);
    expect(await counts('?bookingStatus=both')).toEqual([1, 1]);
    expect(await counts('?bookingStatus=booked')).toEqual([1, undefined]);
    expect(await counts('?bookingStatus=pending')).toEqual([undefined, 1]);
    expect(await counts(`?dateFrom=${today}&dateTo=${today}`)).toEqual([1, 1]);
    const yesterday = dayFrom(await sandboxNow(world), -1);
    expect(await counts(`?dateTo=${yesterday}`)).toEqual([0, 0]);
  });

  it('has a pageSize of 50 by default and 500 at most (spec 8)', async () => {
    const ivan = { psuId: 'ivan', password: 'sandbox', accounts: [] };
    const iban = 'BG25XSBK92001000000001';
    const body = consentBody([iban], dayFrom(await sandboxNow(world), 30));
    const { tokens } = await consented(world, tpp, ivan, body);
    const [id = ''] = await resourceIds(tpp, tokens.access_token);
    const page = async (query: string): Promise<Answer> =>
      tpp.call(
        'GET',
        `/v1/accounts/${id}/transactions?dateFrom=2000-01-01${query}`,
        tokens.access_token,
        present,
      );
    const bookedIn = (answer: Answer): number =>
      parseJson<{ transactions: { booked: Entry[] } }>(answer).transactions.booked.length;
    expect(bookedIn(await page(''))).toBe(50);
    expect(bookedIn(await page('&pageSize=1'))).toBe(1);
    expect(bookedIn(await page('&pageSize=500'))).toBeGreaterThan(50);
    const over = await page('&pageSize=501');
    expect([over.status, listCodes(over)]).toEqual([400, ['FORMAT_ERROR']]);
  });
});

describe('the account id (contract 6)', () => {
  it('never changes: another consent and another TPP see the same resourceId', async () => {
    const one = await customer();
    const other = world.tpp('sandbox-tpp-2');
    const body = consentBody([one.iban], dayFrom(await sandboxNow(world), 30));
    const { tokens } = await consented(world, other, one.psu, body);
    expect(await resourceIds(other, tokens.access_token)).toEqual([one.resourceId]);
  });
});

describe('call counters as a TPP sees them (spec 8, contract 3)', () => {
  it('are visible in headers: X-Unattended-Remaining counts down to 0, then Retry-After is sent; neither is sent if the PSU is present', async () => {
    const one = await customer();
    const path = `/v1/accounts/${one.resourceId}/balances`;
    const left: unknown[] = [];
    for (let call = 0; call < 4; call += 1) {
      const answer = await tpp.call('GET', path, one.token);
      left.push(answer.headers.get('x-unattended-remaining'), answer.headers.get('retry-after'));
    }
    expect(left).toEqual(['3', null, '2', null, '1', null, '0', null]);
    const refused = await tpp.call('GET', path, one.token);
    expect([refused.status, listCodes(refused)]).toEqual([429, ['ACCESS_EXCEEDED']]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
    const attended = await one.get('/balances');
    expect([attended.status, attended.headers.get('x-unattended-remaining')]).toEqual([200, null]);
  });
});
