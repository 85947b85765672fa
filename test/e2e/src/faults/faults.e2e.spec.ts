// Lane: long (processes are frozen, killed or overloaded).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '@xs2a/tpp-client/http';
import { ledgerViolations } from '@xs2a/core-banking/sandbox/ledger/ledger-invariants';
import { createPool } from '@xs2a/postgres/pool';
import { advance, finalStatus, insist, sign } from '@xs2a/test-support/persistent-tpp';
import { authorised, domesticPath, domesticPayment, until } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(async () => world.stop());

describe('kill -9 during work (quality: reliability)', () => {
  // The database comes before NATS, because a consumer whose session ended would unsubscribe from a server
  // that dies at that moment.
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
    'of %s, followed by a restart, loses no acknowledged payment and books none twice',
    async (victims) => {
      const psu = await world.person('1000.00');
      const before = await Promise.all(
        ['10.00', '20.00', '30.00'].map(async (amount) => insist(world, psu, amount)),
      );
      for (const payment of before) await sign(world, payment, psu);
      const settling = advance(world, 'PT1M');
      for (const victim of victims.split(' and ')) world.kill(victim);
      const during = await insist(world, psu, '40.00');
      await settling;
      await sign(world, during, psu);
      await advance(world, 'PT1M');
      for (const payment of [...before, during])
        expect(await finalStatus(world, payment)).toMatchObject({
          transactionStatus: 'ACSC',
          fundsAvailable: true,
        });
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
      // The balance is exactly 1000 − 10 − 20 − 30 − 40, so nothing was booked twice.
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

  it('leads to 503 with Retry-After in under 2 s while a service is down, and to recovery without intervention', async () => {
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
    expect((await insist(world, psu, '1.00')).path).toContain(domesticPath);
  }, 60_000);
});
