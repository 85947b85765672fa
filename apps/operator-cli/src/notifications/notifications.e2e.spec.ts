// Lane: long (the operator command, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueuedNotification } from '@xs2a/contracts/notifications.contract';
import { freePort } from '@xs2a/local-servers/free-port';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { type Sandbox, startSandbox } from '@xs2a/sandbox/sandbox';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import type { HeardNotification } from './listener.js';
import { ended, launch, makeOperator } from '../testing/command-process.js';
import { Customer } from '../testing/customer.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-notifications-'));
const { xs2a, oneJson } = makeOperator(folder);
let sandbox: Sandbox;
let owner: Pool;
let customer: Customer;
beforeAll(async () => {
  sandbox = await startSandbox({ dataDir: folder, port: 0, sourceMaps: false });
  owner = new Pool({ connectionString: sandbox.databaseUrl('xs2a_owner'), max: 2 });
  owner.on('error', () => undefined);
  customer = await Customer.of(sandbox.baseUrl);
}, 120_000);
afterAll(async () => {
  await owner?.end();
  await sandbox?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

/** Creates a payment for a TPP that receives notifications at this origin, and then cancels it. */
const cancelled = async (origin: string): Promise<string> => {
  const redirectUri = `${origin}/callback`;
  const json = { name: 'Notified', redirectUris: [redirectUri], roles: ['PSP_PI'] };
  const { clientId, clientSecret } = parseJson<{ clientId: string; clientSecret: string }>(
    await send('POST', `${sandbox.baseUrl}/sandbox/tpps`, { json }),
  );
  const tpp = new TppClient(sandbox.baseUrl, { clientId, clientSecret, redirectUri });
  const token = await tpp.applicationToken('PSP_PI');
  const path = '/v1/payments/domestic-credit-transfer-BGN';
  const created = await tpp.call('POST', path, token, {
    headers: { 'tpp-notification-uri': `${origin}/push?customer=CANARY` },
    json: customer.body(),
  });
  const { paymentId } = parseJson<{ paymentId: string }>(created);
  await tpp.call('DELETE', `${path}/${paymentId}`, token);
  return clientId;
};

describe('the xs2a notifications command (docs/runbooks/push-fails.md)', () => {
  it('listen shows received notifications and verifies them with the published keys', async () => {
    const port = await freePort();
    const args = ['notifications', 'listen', '--port', String(port), '--base-url', sandbox.baseUrl, '--json'];
    const child = launch(folder, args);
    const run = ended(child);
    const lines: string[] = [];
    const next = async (): Promise<string> => {
      while (lines.length === 0) {
        const data = await new Promise<Buffer>((resolve) => child.stdout?.once('data', resolve));
        lines.push(...data.toString().trim().split('\n'));
      }
      return lines.shift() ?? '';
    };
    expect(JSON.parse(await next())).toEqual({ listening: `http://127.0.0.1:${port}` });
    await cancelled(`http://127.0.0.1:${port}`);
    const heard = JSON.parse(await next()) as HeardNotification;
    expect(heard).toMatchObject({
      path: '/push?customer=CANARY',
      verified: true,
      body: { transactionStatus: 'CANC' },
    });
    const forged = { body: '{"transactionStatus":"ACSC"}', method: 'POST' };
    await fetch(`http://127.0.0.1:${port}/push`, forged);
    expect(JSON.parse(await next())).toMatchObject({ verified: false, refused: 'no detached JWS' });
    child.kill('SIGINT');
    await run;
  });

  it('list shows retries with their reason, and a dead letter is listed, replayed and delivered', async () => {
    const receiver = await HttpReceiver.start();
    receiver.behaviour = () => 410;
    const tpp = await cancelled(receiver.url);
    await receiver.received(2);
    const [failing] = await oneJson<QueuedNotification[]>('notifications', 'list', '--tpp', tpp);
    expect(failing).toMatchObject({
      state: 'failing',
      tells: 'CANC failed',
      reason: 'HTTP 410',
      uri: `${receiver.url}/…`,
    });
    // A TPP may include its customer's name in the path.
    for (const format of [[], ['--json']])
      expect((await xs2a('notifications', 'list', ...format)).stdout).not.toMatch(/push|CANARY/);
    expect((await xs2a('doctor')).stdout).toMatch(/! status push +.*failing receivers: /);

    await owner.query(
      `UPDATE notifications.notification SET first_failed_at = now() - interval '24 hours', next_try_at = now()
       WHERE tpp_id = $1`,
      [tpp],
    );
    await receiver.received(receiver.posts.length + 1);
    const dead = async (): Promise<QueuedNotification[]> =>
      oneJson('notifications', 'dead-letters', '--tpp', tpp);
    let letters = await dead();
    while (letters.length === 0) letters = await dead();
    expect(letters).toMatchObject([{ id: failing?.id, state: 'dead', tppId: tpp }]);
    expect((await xs2a('doctor')).stdout).toMatch(/! status push +.*1 dead letters/);

    receiver.behaviour = () => 204;
    const unknown = '01890a5d-ac96-774b-bcce-b302099a8057';
    const replayed = await xs2a(
      ...(['notifications', 'replay', failing?.id ?? '', unknown, '--reason', 'case 4711'] as const),
    );
    expect(replayed).toMatchObject({ code: 1, stdout: expect.stringContaining('✓ 1 notification will') });
    expect(replayed.stdout).toContain(`✗ ${unknown}`);
    let delivered: QueuedNotification[] = [];
    while (delivered.length === 0)
      delivered = await oneJson('notifications', 'list', '--tpp', tpp, '--state', 'delivered');
    expect(delivered[0]?.id).toBe(failing?.id);
    expect(receiver.posts.at(-1)?.headers['x-request-id']).toBe(failing?.id);
    expect((await xs2a('notifications', 'list')).stdout).toContain('No such notifications.');
    await receiver.stop();
  });
});
