import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jsonOf, send } from '@xs2a/sandbox/http';
import { walkAndApprove } from '@xs2a/sandbox/psu-walk';
import { ledgerViolations } from '@xs2a/core-banking/sandbox/ledger-invariants';
import { createPool } from '@xs2a/postgres/pool';
import { randomUUID } from 'node:crypto';
import { authorised, domesticPath, domesticPayment, type Initiated, statusOf, until } from './requests.js';
import { type FreshPsu, World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(async () => world.stop());

/** Sends until somebody answers for good, as a TPP does that got a 503 or lost the connection: with the same key. */
const insist = async (psu: FreshPsu, amount: string): Promise<Initiated> => {
  const tpp = world.tpp();
  const headers = { 'idempotency-key': randomUUID() };
  return until(
    async (): Promise<Initiated | undefined> => {
      try {
        const token = await tpp.applicationToken();
        const answer = await tpp.call('POST', domesticPath, token, {
          json: domesticPayment(psu.accounts[0]?.iban ?? '', amount),
          headers,
        });
        if (answer.status !== 201) return undefined;
        const { paymentId, _links } = jsonOf<{
          paymentId: string;
          _links: { scaRedirect: { href: string } };
        }>(answer);
        return { paymentId, path: `${domesticPath}/${paymentId}`, scaRedirect: _links.scaRedirect.href };
      } catch {
        return undefined;
      }
    },
    (payment) => payment !== undefined,
    40,
  ) as Promise<Initiated>;
};
const sign = async ({ scaRedirect, path }: Initiated, psu: FreshPsu): Promise<void> => {
  const tpp = world.tpp();
  await until(
    async () => {
      try {
        await walkAndApprove(world.browser(), scaRedirect, psu);
        return jsonOf(await tpp.call('GET', `${path}/authorisations`, await tpp.applicationToken()));
      } catch {
        return undefined;
      }
    },
    (value) => value !== undefined,
    40,
  );
};
const finalStatus = async ({ path }: Initiated): Promise<Record<string, unknown>> => {
  const tpp = world.tpp();
  return until(
    async () => {
      try {
        return await statusOf(tpp, await tpp.applicationToken(), path);
      } catch {
        return {};
      }
    },
    (status) => status['transactionStatus'] === 'ACSC',
    60,
  );
};
const advance = async (duration: string): Promise<unknown> =>
  until(
    async () => world.advance(duration).catch(() => undefined),
    (now) => now !== undefined,
    40,
  );

describe('kill -9 in the middle (quality: reliability)', () => {
  // The database before NATS: a consumer whose session ended takes leave of a server that dies in that moment.
  it.each([
    'payments',
    'settlement-worker',
    'accounts',
    'gateway and auth',
    'consents and funds-confirmation',
    'nats-server',
    'postgres',
    'nats-server and postgres',
    'postgres and nats-server',
  ])(
    '%s killed and started again: no acknowledged payment is lost, none is booked twice',
    async (victims) => {
      const psu = await world.person('1000.00');
      const before = await Promise.all(
        ['10.00', '20.00', '30.00'].map(async (amount) => insist(psu, amount)),
      );
      for (const payment of before) await sign(payment, psu);
      const settling = advance('PT1M');
      for (const victim of victims.split(' and ')) world.kill(victim);
      const during = await insist(psu, '40.00');
      await settling;
      await sign(during, psu);
      await advance('PT1M');
      for (const payment of [...before, during])
        expect(await finalStatus(payment)).toMatchObject({ transactionStatus: 'ACSC', fundsAvailable: true });
      const tpp = world.tpp();
      const { access_token } = await authorised(world, tpp, psu, 'PSP_IC');
      const ask = async (amount: string): Promise<string> => {
        const json = { instructedAmount: { currency: 'BGN', amount } };
        const { text } = await until(
          async () => tpp.call('POST', '/v1/funds-confirmations', access_token, { json }),
          ({ status }) => status !== 503,
          10,
        );
        return text;
      };
      // 1000 − 10 − 20 − 30 − 40: to the stotinka, so nothing was booked twice.
      expect([await ask('900.00'), await ask('900.01')]).toEqual([
        '{"fundsAvailable":true}',
        '{"fundsAvailable":false}',
      ]);
      const pool = createPool({
        url: world.sandbox.databaseUrl('xs2a_accounts'),
        name: 'invariants',
        max: 1,
      });
      expect(await ledgerViolations(pool)).toEqual([]);
      await pool.end();
    },
    120_000,
  );

  it('answers 503 with Retry-After in under 2 s while a service is away, and works again without help', async () => {
    const psu = await world.person();
    const tpp = world.tpp();
    const token = await tpp.applicationToken();
    world.kill('payments');
    const began = performance.now();
    const answer = await send('POST', `${world.baseUrl}${domesticPath}`, {
      json: domesticPayment(psu.accounts[0]?.iban ?? ''),
      headers: { authorization: `Bearer ${token}` },
    });
    expect(performance.now() - began).toBeLessThan(2000);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await insist(psu, '1.00')).path).toContain(domesticPath);
  }, 60_000);
});
