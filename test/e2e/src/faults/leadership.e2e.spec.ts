// Lane: nightly (waits are measured against a fifteen-second limit).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ledgerViolations } from '@xs2a/core-banking/sandbox/ledger/ledger-invariants';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { createPool } from '@xs2a/postgres/pool';
import { readPublishedEvents } from '@xs2a/sandbox/demo/event-stream';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { PsuBrowser } from '@xs2a/tpp-client/psu-browser';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { ServiceBehindNats } from '@xs2a/sandbox/services/service-table';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import { signal } from './frozen-processes.js';
import { domesticPayment, initiate, readStatus, until } from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

/** Services in which one instance leads some work: publishing, settlement, push. */
const led = [
  'payments',
  'consents',
  'settlement-worker',
  'notifications',
] as const satisfies ServiceBehindNats[];
/**
 * Within this time, PostgreSQL ends a silent session and another instance takes its lock; the 3 additional seconds
 * allow for two busy cores.
 */
const movesWithinSeconds = 15 + 3;

let world: World;
let receiver: HttpReceiver;
let tpp: TppClient;
let token: string;
let psu: FreshPsu;
let ledger: ReturnType<typeof createPool>;

beforeAll(async () => {
  world = await World.around({ twice: led });
  receiver = await HttpReceiver.start();
  const redirectUri = `${receiver.url}/callback`;
  const json = { name: 'Notified', redirectUris: [redirectUri], roles: ['PSP_AI', 'PSP_PI'] };
  const { clientId, clientSecret } = parseJson<{ clientId: string; clientSecret: string }>(
    await send('POST', `${world.baseUrl}/sandbox/tpps`, { json }),
  );
  tpp = new TppClient(world.baseUrl, { clientId, clientSecret, redirectUri });
  token = await tpp.applicationToken();
  psu = await world.person('1000.00');
  const url = world.sandbox.databaseUrl('xs2a_accounts');
  ledger = createPool({ url, name: 'invariants', max: 1 });
}, 90_000);
afterAll(async () => {
  await ledger.end();
  await receiver.stop();
  await world.stop();
});

const payment = async () =>
  initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''), {
    'tpp-notification-uri': `${receiver.url}/push`,
    'tpp-notification-content-preferred': 'status=PROCESS',
    'idempotency-key': randomUUID(),
  });
const isPublished = async (paymentId: string): Promise<boolean> =>
  (await readPublishedEvents(world.sandbox.natsUrl(), paymentId)).length > 0;
const isNotified = (paymentId: string): boolean =>
  receiver.posts.some(({ body }) => body.includes(paymentId));

describe('hanging leaders (quality, "Reliability")', () => {
  // The leader is in one of the two groups, so it is frozen in one of the runs.
  it.each(['services', 'seconds'] as const)(
    'are replaced when all %s are frozen at once: the others publish, settle and notify within 15 s, and the resumed instances do no harm',
    async (side) => {
      const signed = await payment();
      await walkAndApprove(new PsuBrowser(), signed.scaRedirect, psu);
      const pids = led.map((service) => world.sandbox[side][service]?.pid ?? 0);
      expect(Math.min(...pids)).toBeGreaterThan(0);
      signal(pids, 'SIGSTOP');
      const end = performance.now() + movesWithinSeconds * 1000;
      const within = async (isDone: () => Promise<boolean>) =>
        until(isDone, Boolean, (end - performance.now()) / 1000);
      try {
        // Settlement begins one minute after the signature, which is now. It does not matter whether all
        // services could be notified of the new time immediately.
        await tpp.call('POST', '/sandbox/clock', token, { json: { advance: 'PT61S' } });
        const fresh = await payment();
        await tpp.call('DELETE', fresh.path, token, { headers: { 'idempotency-key': randomUUID() } });
        await within(async () => isPublished(fresh.paymentId));
        const settling = new Set(['ACSP', 'ACSC']);
        await within(async () =>
          settling.has(String((await readStatus(tpp, token, signed.path))['transactionStatus'])),
        );
        while (!isNotified(fresh.paymentId)) await receiver.received(receiver.posts.length + 1);
        expect(performance.now()).toBeLessThan(end);
      } finally {
        signal(pids, 'SIGCONT');
      }
      // The frozen instance resumes alongside the new leader; nevertheless, each payment is held and posted
      // once.
      await world.advance('PT10M');
      expect((await readStatus(tpp, token, signed.path))['transactionStatus']).toBe('ACSC');
      const last = await payment();
      await until(async () => isPublished(last.paymentId), Boolean, 5);
      expect(await ledgerViolations(ledger)).toEqual([]);
    },
    90_000,
  );
});
