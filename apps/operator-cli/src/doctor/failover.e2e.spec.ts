// Lane: long (the operator command, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectOnce } from '@xs2a/nats/connection';
import { lastPublished } from '@xs2a/event-store/publishing/jetstream-copy';
import { advance, finalStatus, insist, sign } from '@xs2a/test-support/persistent-tpp';
import { authorised, consentBody, consented, type Initiated, until } from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { parseJson } from '@xs2a/tpp-client/http';
import { Client } from 'pg';
import { makeOperator } from '../testing/command-process.js';

let world: World;
let psu: FreshPsu;
beforeAll(async () => {
  world = await World.around({ standby: { synchronous: false } });
  psu = await world.person('100.00');
}, 120_000);
afterAll(async () => world.stop(), 30_000);

const signed = async (): Promise<Initiated> => {
  const payment = await insist(world, psu, '10.00');
  await sign(world, payment, psu);
  return payment;
};
const remove = async (path: string, scope: string): Promise<number> => {
  const tpp = world.tpp();
  return (await tpp.call('DELETE', path, await tpp.applicationToken(scope))).status;
};
const sql = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> => {
  const client = new Client({ connectionString: world.sandbox.databaseUrl('postgres') });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
};
/** Resolves once everything in the database has been published to the streams. */
const allPublished = async (): Promise<void> => {
  const nats = await connectOnce(world.sandbox.natsUrl(), 'test');
  for (const resource of ['payments', 'consents'] as const)
    await until(
      async () => {
        const [row] = await sql(`SELECT (SELECT max(pos) FROM ${resource}.log)::int AS pos,
          (SELECT count(*) FROM ${resource}.unsequenced)::int AS waiting`);
        return row?.['waiting'] === 0 && row['pos'] === (await lastPublished(nats, resource));
      },
      (done) => done,
    );
  await nats.close();
};

describe('an asynchronous failover that loses the last seconds (docs/how-to/fail-over.md)', () => {
  it('every payment in the database except cancelled ones is settled, and the lost events are counted and listed', async () => {
    const { databases } = world.sandbox;
    const tpp = world.tpp();
    const { xs2a, json } = makeOperator(world.dataDir);
    const [cancelled, kept] = [await signed(), await signed()];
    const validUntil = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
    const ibans = psu.accounts.map(({ iban }) => iban);
    const { consentId, tokens } = await consented(world, tpp, psu, consentBody(ibans, validUntil));
    await databases.standby.current.caughtUp();

    databases.standby.current.cutOff();
    expect(await remove(cancelled.path, 'PSP_PI')).toBe(204);
    expect(await remove(`/v1/consents/${consentId}`, 'PSP_AI')).toBe(204);
    const gone = await insist(world, psu, '10.00');
    await allPublished();
    await databases.failOver();

    const status = async ({ path }: Initiated): Promise<unknown> => {
      const answer = await tpp.call('GET', `${path}/status`, await tpp.applicationToken('PSP_PI'));
      return answer.status === 200
        ? parseJson<Record<string, unknown>>(answer)['transactionStatus']
        : answer.status;
    };
    const later = await signed();
    await advance(world, 'PT1M');
    for (const payment of [kept, later])
      expect(await finalStatus(world, payment)).toMatchObject({ transactionStatus: 'ACSC' });
    expect([await status(cancelled), await status(gone)]).toEqual(['CANC', 404]);
    const headers = { 'consent-id': consentId };
    const read = await tpp.call('GET', '/v1/accounts', tokens.access_token, { headers });
    expect(read.status).toBe(401);

    const lost = await json<{ streamId: string; type: string; state: string; reason: string | null }[]>(
      'events',
      'lost',
      'list',
    );
    expect(lost.flat().map(({ streamId, type, state, reason }) => [streamId, type, state, reason])).toEqual(
      expect.arrayContaining([
        [cancelled.paymentId, 'cancelled', 'released', 'cancelled again'],
        [consentId, 'terminated-by-tpp', 'released', 'terminated-by-tpp again'],
        [gone.paymentId, 'initiated', 'noted', null],
      ]),
    );
    const doctor = await xs2a('doctor');
    expect([doctor.code, doctor.stdout]).toEqual([
      0,
      expect.stringMatching(/! lost events +the database went back .* 1 cancelled, 1 initiated/),
    ]);

    const { access_token } = await authorised(world, tpp, psu, 'PSP_IC');
    const covers = async (amount: string): Promise<unknown> => {
      const asked = { json: { instructedAmount: { currency: 'BGN', amount } } };
      return parseJson<Record<string, unknown>>(
        await tpp.call('POST', '/v1/funds-confirmations', access_token, asked),
      )['fundsAvailable'];
    };
    // 100 − 10 − 10: the cancelled payment is not booked, and the other two are booked once each.
    expect([await covers('80.00'), await covers('80.01')]).toEqual([true, false]);
  }, 90_000);

  it('a payment whose lost event cannot be repeated stays on hold until an operator releases it with a reason', async () => {
    const { xs2a, oneJson } = makeOperator(world.dataDir);
    const held = await signed();
    await sql(
      `INSERT INTO payments.lost_event (event_id, stream_id, version, pos, type, schema_version, data, actor, occurred_at, holds)
       VALUES (gen_random_uuid(), $1, 9, 9999, 'of-tomorrow', 1, '{}', 'tpp', now(), true)`,
      [held.paymentId],
    );
    const other = await signed();
    await advance(world, 'PT1M');
    await finalStatus(world, other);
    expect(await xs2a('doctor')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /✗ lost events +payments and consents waiting for a decision: 1.*\n +Run: npm run xs2a -- events lost list --waiting/,
      ),
    });
    expect((await xs2a('events', 'lost', 'list', '--waiting')).stdout).toContain(held.paymentId);
    expect(await oneJson('events', 'lost', 'show', held.paymentId)).toMatchObject({ status: 'ACCP' });
    const reason = 'the customer confirmed it by telephone';
    expect(await xs2a('events', 'lost', 'release', held.paymentId, '--reason', reason)).toMatchObject({
      code: 0,
    });
    expect(await finalStatus(world, held)).toMatchObject({ transactionStatus: 'ACSC' });
    expect((await xs2a('events', 'lost', 'show', held.paymentId)).stdout).toMatch(
      new RegExp(`released by \\S+@\\S+: ${reason}`),
    );
    expect(await xs2a('events', 'lost', 'release', held.paymentId, '--reason', reason)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not blocked by a lost event'),
    });
  }, 60_000);
});
