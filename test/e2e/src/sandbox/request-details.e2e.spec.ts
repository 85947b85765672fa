import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool } from '@xs2a/postgres/pool';
import {
  consentBody,
  consented,
  dayFrom,
  domesticPath,
  domesticPayment,
  listCodes,
  listPaths,
  sandboxNow,
  until,
} from '@xs2a/test-support/requests';
import { bodyOf } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { type Answer, send, type Sending } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';

let world: World;
let pool: ReturnType<typeof createPool>;
let tpp: TppClient;
let token: string;
let iban: string;
beforeAll(async () => {
  world = await World.start({ gateway: { CALL_BODIES: 'true' } });
  pool = createPool({ url: world.sandbox.databaseUrl('xs2a_owner'), name: 'request-details', max: 2 });
  tpp = await world.newTpp(['PSP_AI', 'PSP_PI', 'PSP_IC']);
  token = await tpp.applicationToken();
  iban = (await world.person()).accounts[0]?.iban ?? '';
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await world?.stop();
});

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly bodyCut?: boolean;
}
interface Details {
  readonly operation: string;
  readonly status: number;
  readonly request?: Sent & { readonly method: string; readonly url: string };
  readonly response?: Sent;
}
const read = async (requestId: string, by = tpp, bearer = token): Promise<Answer> =>
  by.call('GET', `/sandbox/requests/${requestId}`, bearer);
/** Reads the calls with a request id, once there are so many. */
const detailsOf = async (requestId: string, count = 1): Promise<readonly Details[]> => {
  const find = async (): Promise<readonly Details[]> => {
    const answer = await read(requestId);
    return answer.status === 200 ? bodyOf<{ requests: Details[] }>(answer, 200).requests : [];
  };
  return until(find, (found) => found.length === count);
};
/** Makes a call and returns its request id and its answer. */
const call = async (
  method: string,
  path: string,
  { headers, ...sending }: Sending = {},
  bearer = token,
): Promise<readonly [requestId: string, answer: Answer]> => {
  const requestId = randomUUID();
  const answer = await tpp.call(method, path, bearer, {
    ...sending,
    headers: { ...headers, 'x-request-id': requestId },
  });
  return [requestId, answer];
};

describe('GET /sandbox/requests/{requestId} (contract 13)', () => {
  it('shows what the caller and the bank sent, so that a refusal explains itself', async () => {
    const json = domesticPayment(iban, '12.50', { instructedAmount: { currency: 'BGN', amount: '12,50' } });
    const [requestId, answer] = await call('POST', domesticPath, { json });
    expect(await detailsOf(requestId)).toEqual([
      {
        time: expect.any(String),
        operation: 'initiatePayment',
        status: 400,
        code: 'FORMAT_ERROR',
        failure: 'fieldMalformed',
        path: 'instructedAmount.amount',
        requestId,
        request: {
          method: 'POST',
          url: domesticPath,
          headers: expect.objectContaining({
            authorization: '(hidden)',
            'content-type': expect.stringContaining('application/json'),
            'x-request-id': requestId,
          }),
          body: JSON.stringify(json),
        },
        response: {
          headers: expect.objectContaining({
            'x-request-id': requestId,
            'x-sandbox-clock': expect.any(String),
          }),
          body: answer.text,
        },
      },
    ]);
  });

  it('shows all calls with the same X-Request-ID, such as a repeat, newest first', async () => {
    const headers = { 'x-request-id': randomUUID() };
    const json = domesticPayment(iban, '1.00');
    const paymentOf = (answer: Answer): unknown => bodyOf<{ paymentId: string }>(answer, 201).paymentId;
    const first = paymentOf(await tpp.call('POST', domesticPath, token, { json, headers }));
    expect(paymentOf(await tpp.call('POST', domesticPath, token, { json, headers }))).toBe(first);
    await tpp.call('GET', '/v1/consents', token, { headers });
    const found = await detailsOf(headers['x-request-id'], 3);
    expect(found.map(({ operation }) => operation)).toEqual([
      'listConsents',
      'initiatePayment',
      'initiatePayment',
    ]);
    for (const { response } of found.slice(1)) expect(response?.body).toContain(String(first));
  });

  it('answers the id of another TPP’s call, an unknown one and a malformed one alike', async () => {
    const [requestId] = await call('GET', '/v1/consents');
    await detailsOf(requestId);
    const other = await world.newTpp(['PSP_AI', 'PSP_PI']);
    const bearer = await other.applicationToken();
    const answers = await Promise.all(
      [requestId, requestId.toUpperCase(), randomUUID(), 'x', '%27'].map(async (id) =>
        read(id, other, bearer),
      ),
    );
    expect(answers.map(listCodes)).toEqual(answers.map(() => ['RESOURCE_UNKNOWN']));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(listPaths(answers[0] as Answer)).toEqual([]);
  });

  it('marks a body that was cut, and shows nothing of calls that read this log', async () => {
    const text = 'x'.repeat(40_000);
    const [long] = await call('POST', domesticPath, {
      json: domesticPayment(iban, '1.00', { creditorName: text }),
    });
    const [found] = await detailsOf(long);
    expect(found?.request).toMatchObject({
      bodyCut: true,
      body: expect.stringMatching(/^\{.{32000,32767}$/),
    });
    expect(found?.response).not.toHaveProperty('bodyCut');
    const [listing] = await call('GET', '/sandbox/requests');
    const [own] = await detailsOf(listing);
    expect(own).toMatchObject({ operation: 'listRequests', status: 200 });
    expect(own).not.toHaveProperty('response');
  });

  it('keeps no token, client secret, assertion, code, verifier or password in any row, whatever a TPP sends where', async () => {
    const { clientId, clientSecret = '' } = tpp.credentials;
    const psu = await world.person('10.00');
    const registered = await call('POST', '/sandbox/psus', {
      json: { accounts: [{ currency: 'BGN', opening: '1.00' }] },
      headers: { 'idempotency-key': 'CANARY-key' },
    });
    const { password } = bodyOf<{ password: string }>(registered[1], 201);
    const [created] = await detailsOf(registered[0]);
    expect(created?.request?.headers['idempotency-key']).toBe('(hidden)');
    const consent = consentBody([psu.accounts[0]?.iban ?? ''], dayFrom(await sandboxNow(world), 30));
    const { tokens } = await consented(world, tpp, psu, consent);
    const { access_token: user, refresh_token: refresh = '' } = tokens;
    const secrets = {
      client_secret: clientSecret,
      refresh_token: refresh,
      client_assertion: 'CANARY-assertion',
      code: 'CANARY-code',
      codeVerifier: 'CANARY-verifier',
      password: psu.password,
      access_token: 'CANARY-token',
    };
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const query = new URLSearchParams({ ...secrets, a: token }).toString();
    const headers = {
      cookie: 'session=CANARY-cookie',
      dpop: token,
      'proxy-authorization': `Basic ${basic}`,
      'x-proxy-secret': 'CANARY-proxy',
      'x-client-secret': clientSecret,
      signature: 'CANARY-signature',
      'tpp-notification-uri': 'http://127.0.0.1:8090/CANARY-inbox',
      'user-agent': `tpp ${token}`,
    };
    const sent = [
      await call('POST', `${domesticPath}?${query}`, {
        json: domesticPayment(iban, '1.00', secrets),
        headers,
      }),
      await call('POST', domesticPath, {
        json: { [token]: token, deep: [[{ ...secrets, note: user }]] },
        headers,
      }),
      await call('POST', '/v1/consents', {
        raw: query,
        headers: { ...headers, 'content-type': 'application/json' },
      }),
      await call('GET', `/v1/accounts?${query}`, { headers }, user),
    ];
    // A token request has no row, and so no content.
    await send('POST', `${world.baseUrl}/oauth2/token`, {
      form: new URLSearchParams({ grant_type: 'refresh_token', ...secrets, client_id: clientId }),
    });
    for (const [requestId] of [...sent, registered]) await detailsOf(requestId);
    const { rows } = await pool.query<{ text: string }>('SELECT c::text AS text FROM console.call_content c');
    const text = rows.map((row) => row.text).join('\n');
    expect(rows.length).toBeGreaterThanOrEqual(sent.length + 1);
    expect(text).toContain('(hidden)');
    expect(text).not.toMatch(/CANARY|eyJ/);
    for (const secret of [clientSecret, refresh, psu.password, password, basic, token, user])
      expect([secret.length > 5, text.includes(secret)]).toEqual([true, false]);
  });
});
