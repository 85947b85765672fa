import { afterAll, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { startNatsCluster } from '@xs2a/local-servers/nats-cluster';
import { natsConfiguration } from '@xs2a/nats/permissions/server-configuration';
import { startNats } from '@xs2a/local-servers/nats-server';
import { connectOnce } from '@xs2a/nats/connection';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverStorages } from './server-storage.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-storage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const accounts = natsConfiguration((user) => JSON.stringify(`password-of-${user}`));
const asOperator = (url: string): string => url.replace('nats://', 'nats://operator:password-of-operator@');

describe('the usage of JetStream storage', () => {
  it('is reported for a server together with its limit', async () => {
    const server = await startNats({ dataDir: join(folder, 'one'), accounts, maxFileStore: '1MB' });
    const url = asOperator(server.url);
    const connection = await connectOnce(url, 'test');
    try {
      const { streams } = await jetstreamManager(connection);
      await streams.add({ name: 'FILLED', subjects: ['filled'], storage: 'file' });
      for (let count = 0; count < 9; count += 1)
        await jetstream(connection).publish('filled', 'x'.repeat(100_000));
      const [storage, ...others] = (await serverStorages(url)) ?? [];
      expect(others).toEqual([]);
      expect(storage?.limit).toBe(1024 ** 2);
      expect(storage?.used).toBe((await streams.info('FILLED')).state.bytes);
      expect(storage?.used).toBeGreaterThan(900_000);
    } finally {
      await connection.close();
      await server.stop();
    }
  });

  it('is reported for each server of a cluster, whichever server is asked', async () => {
    const cluster = await startNatsCluster({ dataDir: join(folder, 'three'), accounts });
    try {
      const storages = await serverStorages(asOperator(cluster.url));
      expect(storages?.map(({ server, limit }) => [server, limit])).toEqual(
        [1, 2, 3].map((node) => [`node-${node}`, 10 * 1024 ** 3]),
      );
    } finally {
      await cluster.stop();
    }
  }, 60_000);

  it('is unknown if the servers have no system user', async () => {
    const server = await startNats({
      dataDir: join(folder, 'other'),
      accounts: 'accounts { ONE { jetstream: enabled, users: [{ user: operator, password: "x" }] } }',
    });
    expect(await serverStorages(server.url.replace('nats://', 'nats://operator:x@'))).toBeUndefined();
    await server.stop();
  });
});
