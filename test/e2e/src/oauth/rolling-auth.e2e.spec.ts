// Lane: alone (no call may take longer than its timeout while processes start).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Balancer } from '@xs2a/sandbox/processes/balancer';
import { send } from '@xs2a/tpp-client/http';
import { freePort } from '@xs2a/local-servers/free-port';
import { runLoad } from '@xs2a/test-support/load';
import { domesticPayment, initiate } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';

const balancer = new Balancer();
let world: World;
let first: string;
beforeAll(async () => {
  const port = await freePort();
  first = `http://127.0.0.1:${port}`;
  balancer.targets = [first];
  world = await World.start({
    auth: { PORT: String(port) },
    gateway: { AUTH_URL: await balancer.start() },
  });
});
afterAll(async () => {
  await world.stop();
  balancer.stop();
});

describe('rolling restart of the authorization server (quality: reliability)', () => {
  it('drains on SIGTERM: tokens are issued and pages are shown throughout, and no request fails', async () => {
    const tpp = world.tpp();
    const psu = await world.person();
    const token = await tpp.applicationToken();
    const { scaRedirect } = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''));
    const { sandbox } = world;
    const outcomes = new Map<number, number>();
    const restarted = new AbortController();
    const ask = async (): Promise<void> => {
      const answers = [
        await tpp.tokenRequest({ grant_type: 'client_credentials', scope: 'PSP_PI' }),
        await send('GET', scaRedirect),
      ];
      for (const { status } of answers) outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
    };
    const asking = runLoad(ask, { stop: restarted.signal, clients: 4 });
    for (let round = 0; round < 2; round += 1) {
      const second = await sandbox.startAnotherAuth();
      balancer.targets = [second.url];
      await sandbox.services.auth.restart();
      balancer.targets = [first];
      await second.stop();
    }
    restarted.abort();
    await asking;
    process.stderr.write(
      `counts: rolling restart of auth: ${[...outcomes].map(([status, count]) => `${status}: ${count}`).join(', ')}\n`,
    );
    expect([...outcomes.keys()]).toEqual([200]);
  }, 60_000);
});
