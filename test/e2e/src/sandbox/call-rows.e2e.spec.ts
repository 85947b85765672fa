// Lane: long (it starts a sandbox of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool } from '@xs2a/postgres/pool';
import { allMetrics } from '@xs2a/test-support/metrics';
import {
  authorised,
  consentBody,
  consented,
  dayFrom,
  domesticPath,
  domesticPayment,
  elsewhere,
  initiate,
  present,
  readStatus,
  resourceIds,
  sandboxNow,
  until,
} from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { randomUUID } from 'node:crypto';

let world: World;
let pool: ReturnType<typeof createPool>;
let tpp: TppClient;
beforeAll(async () => {
  world = await World.start();
  const url = world.sandbox.databaseUrl('xs2a_owner');
  pool = createPool({ url, name: 'call-rows', max: 2 });
  tpp = await world.newTpp(['PSP_AI', 'PSP_PI', 'PSP_IC']);
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await world?.stop();
});

type Row = Readonly<Record<string, unknown>>;
/** Waits until the console has the row of a request. The gateway reports its calls every five seconds. */
const rowOf = async (requestId: string): Promise<Row> => {
  const find = async (): Promise<Row | undefined> =>
    (await pool.query<Row>('SELECT * FROM console.call WHERE request_id = $1', [requestId])).rows[0];
  return (await until(find, (row) => row !== undefined)) as Row;
};

describe('the row of a call (docs/adr/0077)', () => {
  it('has the code and the field of the first violation, and of a field that does not exist only a question mark', async () => {
    const token = await tpp.applicationToken('PSP_PI');
    const iban = (await world.person()).accounts[0]?.iban ?? '';
    const violations = [
      [{ instructedAmount: { currency: 'BGN', amount: '12,50' } }, 'instructedAmount.amount'],
      [{ BG80BNBG96611020345678: 1 }, '?'],
      [{ debtorAccount: { iban, IvanIvanov: 1 } }, 'debtorAccount.?'],
    ] as const;
    const sent: (readonly [requestId: string, path: string])[] = [];
    for (const [changes, path] of violations) {
      const requestId = randomUUID();
      await tpp.call('POST', domesticPath, token, {
        json: domesticPayment(iban, '12.50', changes),
        headers: { 'x-request-id': requestId },
      });
      sent.push([requestId, path]);
    }
    for (const [requestId, path] of sent)
      expect(await rowOf(requestId)).toMatchObject({
        tpp_id: tpp.credentials.clientId,
        operation: 'initiatePayment',
        status: 400,
        code: 'FORMAT_ERROR',
        path,
        resource_id: null,
      });
  });

  it('has real time while the sandbox clock is years ahead', async () => {
    await world.advance('P2Y');
    const requestId = randomUUID();
    const before = Date.now();
    await tpp.call('GET', '/v1/consents', await tpp.applicationToken(), {
      headers: { 'x-request-id': requestId },
    });
    const at = ((await rowOf(requestId))['at'] as Date).getTime();
    expect(at).toBeGreaterThanOrEqual(before - 1);
    expect(at).toBeLessThanOrEqual(Date.now());
  });

  it('contains no IBAN, name, PSU-ID, text or token after a payment, a consent and a funds confirmation; neither do metrics', async () => {
    const psu = await world.person('1000.00');
    const iban = psu.accounts[0]?.iban ?? '';
    const token = await tpp.applicationToken();
    const named = { 'psu-id': psu.psuId, ...present.headers };
    const payment = await initiate(tpp, token, domesticPayment(iban), named);
    await walkAndApprove(world.browser(), payment.scaRedirect, psu);
    await world.advance('PT1M');
    expect(await readStatus(tpp, token, payment.path)).toMatchObject({ transactionStatus: 'ACSC' });
    const validUntil = dayFrom(await sandboxNow(world), 30);
    const { consentId, tokens } = await consented(world, tpp, psu, consentBody([iban], validUntil));
    const [account = ''] = await resourceIds(tpp, tokens.access_token);
    const period = '?bookingStatus=both';
    await tpp.call('GET', `/v1/accounts/${account}/transactions${period}`, tokens.access_token, present);
    const funds = await authorised(world, tpp, psu, 'PSP_IC');
    await tpp.call('POST', '/v1/funds-confirmations', funds.access_token, {
      json: { account: { iban }, instructedAmount: { currency: 'BGN', amount: '1.00' } },
    });
    const requestId = randomUUID();
    await tpp.call('PATCH', `/sandbox/accounts/${iban}`, token, {
      json: { status: 'enabled', [iban]: psu.psuId },
      headers: { 'x-request-id': requestId },
    });
    expect(await rowOf(requestId)).toMatchObject({ operation: 'changeAccount', path: '?' });
    const { rows } = await pool.query<Row & { text: string }>(
      'SELECT c.*, c::text AS text FROM console.call c',
    );
    const operations = new Set(rows.map(({ operation }) => operation));
    for (const operation of ['initiatePayment', 'createConsent', 'listTransactions', 'confirmFunds'])
      expect(operations).toContain(operation);
    expect(rows.filter(({ resource_id: id }) => id === payment.paymentId).length).toBeGreaterThan(1);
    expect(rows.filter(({ resource_id: id }) => id === consentId).length).toBeGreaterThan(1);
    const text = rows.map((row) => row.text).join('\n');
    const secrets = [iban, elsewhere, psu.psuId, psu.password, 'Petar', 'Invoice', 'E2E-1', '198.51.100.7'];
    const metrics = await allMetrics(world);
    for (const secret of [...secrets, account, token, tokens.access_token, funds.access_token]) {
      expect(text).not.toContain(secret);
      expect(metrics).not.toContain(secret);
    }
    for (const id of [payment.paymentId, consentId]) expect(metrics).not.toContain(id);
  });

  it('is missing for no call while the console is down: they are stored when it is back', async () => {
    const requestId = randomUUID();
    await world.sandbox.services.console.stop();
    const answer = await tpp.call('GET', '/v1/consents', await tpp.applicationToken(), {
      headers: { 'x-request-id': requestId },
    });
    expect(answer.status).toBe(200);
    await world.sandbox.services.console.start();
    expect(await rowOf(requestId)).toMatchObject({ operation: 'listConsents', status: 200 });
  }, 60_000);
});
