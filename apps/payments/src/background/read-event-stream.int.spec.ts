import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { connectOnce } from '@xs2a/nats/connection';
import { createPool } from '@xs2a/postgres/pool';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReadEventStreamHandler } from './read-event-stream.handler.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-event-stream-'));
/** An unreachable database: in these tests the report fails at JetStream, before its first SQL query. */
const pool = createPool({ url: 'postgres://nobody@127.0.0.1:1/none', name: 'test' });
let server: NatsServer;
let nats: Awaited<ReturnType<typeof connectOnce>>;
beforeAll(async () => {
  const accounts = 'accounts { PLAIN { users: [{ user: plain, password: plain }] } }\nno_auth_user: plain';
  server = await startNats({ dataDir: folder, accounts });
  nats = await connectOnce(server.url, 'test');
}, 30_000);
afterAll(async () => {
  await nats.close();
  await server.stop();
  await pool.end();
  rmSync(folder, { recursive: true, force: true });
});

describe('the report on the JetStream stream PAYMENTS', () => {
  const report = async () => new ReadEventStreamHandler(pool, nats).execute();
  const natsIsDown = { failures: [{ failure: 'dependencyDown', retryAfter: 1, dependency: 'nats' }] };

  it('fails with dependencyDown of nats if JetStream is not enabled for the account', async () => {
    await expect(report()).rejects.toMatchObject(natsIsDown);
  });

  it('fails with dependencyDown of nats if JetStream does not respond', async () => {
    process.kill(server.pid, 'SIGSTOP');
    try {
      await expect(report()).rejects.toMatchObject(natsIsDown);
    } finally {
      process.kill(server.pid, 'SIGCONT');
    }
  });
});
