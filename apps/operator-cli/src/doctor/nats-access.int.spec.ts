import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { natsConfiguration } from '@xs2a/nats/permissions/server-configuration';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isVulnerable, acceptedWithoutCredentials } from './nats-access.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-access-'));
const servers: NatsServer[] = [];
const start = async (name: string, accounts: string): Promise<string> => {
  const server = await startNats({ dataDir: join(folder, name), accounts });
  servers.push(server);
  return server.url.replace('nats://', 'nats://operator:secret@');
};
let ours: string;
let open: string;
beforeAll(async () => {
  ours = await start(
    'ours',
    natsConfiguration(() => '"secret"'),
  );
  open = await start('open', '');
});
afterAll(async () => {
  await Promise.all(servers.map(async (server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
});

describe('doctor, access to nats-server (CVE-2023-47090)', () => {
  it('our configuration accepts nobody without credentials', async () => {
    expect(await acceptedWithoutCredentials(ours)).toEqual([]);
  });

  it('a server that is open to anybody is found', async () => {
    expect(await acceptedWithoutCredentials(open)).toContain('without credentials');
  });

  it('a server that does not answer is no server that refuses', async () => {
    await expect(acceptedWithoutCredentials('nats://operator:secret@127.0.0.1:1')).rejects.toThrow(/refused/);
  });

  it.each([
    ['2.8.4', true],
    ['2.9.10', true],
    ['2.9.22', true],
    ['2.9.23', false],
    ['2.10.1', true],
    ['2.10.2', false],
    ['2.10.22', false],
    ['2.11.0', false],
    ['2.12.1-RC.1', false],
    ['3.0.0', false],
  ])('version %s is among those that are known to be open: %s', (version, expected) => {
    expect(isVulnerable(version)).toBe(expected);
  });
});
