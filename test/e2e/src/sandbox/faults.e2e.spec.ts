import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  domesticPath,
  domesticPayment,
  listCodes,
  listPaths,
  parseInitiated,
} from '@xs2a/test-support/requests';
import { bodyOf } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import type { Answer } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';

let world: World;
let tpp: TppClient;
let token: string;
let iban: string;
beforeAll(async () => {
  world = await World.ofLane();
  tpp = await world.newTpp(['PSP_AI', 'PSP_PI']);
  token = await tpp.applicationToken();
  iban = (await world.person()).accounts[0]?.iban ?? '';
}, 90_000);
afterAll(async () => world.stop());

const plan = async (json: unknown): Promise<Answer> => tpp.call('POST', '/sandbox/faults', token, { json });
const listed = async (): Promise<unknown> => bodyOf(await tpp.call('GET', '/sandbox/faults', token), 200);
const pay = async (key: string, by = tpp, bearer = token): Promise<Answer> =>
  by.call('POST', domesticPath, bearer, {
    json: domesticPayment(iban),
    headers: { 'idempotency-key': key },
  });
const countOfPayments = async (): Promise<number> => {
  const answer = await tpp.call('GET', '/sandbox/requests?pageSize=100', token);
  const { requests } = bodyOf<{ requests: { operation: string; status: number }[] }>(answer, 200);
  return requests.filter(({ operation, status }) => operation === 'initiatePayment' && status === 201).length;
};

describe('POST /sandbox/faults (contract 13)', () => {
  it('answers the next calls 503 and does nothing, so that a retry with the same key creates one payment', async () => {
    expect(
      bodyOf(await plan({ operation: 'initiatePayment', outcome: 'unavailable', calls: 2 }), 200),
    ).toEqual({
      faults: [{ operation: 'initiatePayment', outcome: 'unavailable', calls: 2 }],
    });
    const key = randomUUID();
    for (const left of [1, 0]) {
      const refused = await pay(key);
      expect([refused.status, listCodes(refused), refused.headers.get('retry-after')]).toEqual([
        503,
        ['INTERNAL_SERVER_ERROR'],
        '1',
      ]);
      expect(await listed()).toEqual({
        faults: left === 0 ? [] : [{ operation: 'initiatePayment', outcome: 'unavailable', calls: left }],
      });
    }
    expect((await pay(key)).status).toBe(201);
    expect(await countOfPayments()).toBe(1);
  });

  it('answers 429 with Retry-After', async () => {
    await plan({ operation: 'initiatePayment', outcome: 'too-many-requests' });
    const refused = await pay(randomUUID());
    expect([refused.status, listCodes(refused), refused.headers.get('retry-after')]).toEqual([
      429,
      ['ACCESS_EXCEEDED'],
      '1',
    ]);
  });

  it('loses an answer after the call was done, and the same key then finds the payment', async () => {
    await plan({ operation: 'initiatePayment', outcome: 'lost-answer' });
    const key = randomUUID();
    const before = await countOfPayments();
    // Not with the client of the tests, which sends a call again on a new connection.
    const lost = fetch(`${world.baseUrl}${domesticPath}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(domesticPayment(iban)),
    });
    await expect(lost).rejects.toThrow('fetch failed');
    const found = parseInitiated(await pay(key));
    const again = parseInitiated(await pay(key));
    expect(again.path).toBe(found.path);
    const payments = await tpp.call('GET', `${found.path}/status`, token);
    expect(bodyOf(payments, 200)).toEqual({ transactionStatus: 'RCVD' });
    // The answers of both repeats are in the log, that of the first call is not.
    expect(await countOfPayments()).toBe(before + 2);
  });

  it('hits no other TPP, no other operation, and no call that is refused before its body', async () => {
    await plan({ operation: 'initiatePayment', outcome: 'unavailable' });
    const other = await world.newTpp(['PSP_AI', 'PSP_PI']);
    expect((await pay(randomUUID(), other, await other.applicationToken())).status).toBe(201);
    expect((await tpp.call('GET', '/v1/consents', token)).status).toBe(200);
    expect((await tpp.call('POST', domesticPath, 'no-token', { json: {} })).status).toBe(401);
    expect((await pay(randomUUID())).status).toBe(503);
    await plan({ operation: 'initiatePayment', outcome: 'unavailable' });
    await plan({ operation: 'initiatePayment', outcome: 'none' });
    expect((await pay(randomUUID())).status).toBe(201);
  });

  it.each([
    [{ outcome: 'unavailable' }, 'operation'],
    [{ operation: 'planFault', outcome: 'unavailable' }, 'operation'],
    [{ operation: 'initiatePayment', outcome: 'crash' }, 'outcome'],
    [{ operation: 'initiatePayment', outcome: 'unavailable', calls: 0 }, 'calls'],
    [{ operation: 'initiatePayment', outcome: 'unavailable', calls: 101 }, 'calls'],
    [{ operation: 'initiatePayment', outcome: 'unavailable', calls: 1.5 }, 'calls'],
    [{ operation: 'initiatePayment', outcome: 'unavailable', tppId: 'x' }, 'tppId'],
  ])('refuses %j with the path %s', async (body, path) => {
    const refused = await plan(body);
    expect([refused.status, listCodes(refused), listPaths(refused)]).toEqual([400, ['FORMAT_ERROR'], [path]]);
    expect(await listed()).toEqual({ faults: [] });
  });
});
