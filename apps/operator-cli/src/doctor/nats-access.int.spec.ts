import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { natsConfiguration } from '@xs2a/nats/permissions/server-configuration';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptedWithoutCredentials, securityOf } from './nats-access.js';

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

describe('the doctor check of access to nats-server (CVE-2023-47090; quality, Security)', () => {
  it('accepts the configuration of this project, which rejects clients without credentials', async () => {
    expect(await acceptedWithoutCredentials(ours)).toEqual([]);
  });

  it('detects a server that accepts everyone', async () => {
    expect(await acceptedWithoutCredentials(open)).toContain('without credentials');
  });

  it('does not mistake a missing answer for a refusal', async () => {
    await expect(acceptedWithoutCredentials('nats://operator:secret@127.0.0.1:1')).rejects.toThrow(/refused/);
  });

  it.each([
    ['1.4.1', 'open'],
    ['2.9.10', 'open'],
    ['2.9.25', 'open'],
    ['2.10.22', 'open'],
    ['2.10.26', 'open'],
    ['2.10.27', 'behind'],
    ['2.10.29', 'behind'],
    ['2.11.0', 'open'],
    ['2.11.1', 'behind'],
    ['2.11.15', 'behind'],
    ['2.11.16', 'current'],
    ['2.12.6-RC.1', 'behind'],
    ['2.12.7', 'current'],
    ['2.14.0', 'current'],
    ['2.15.2', 'current'],
    ['3.0.0', 'current'],
  ])(
    'rates version %s as %s according to its known vulnerabilities (CVE-2025-30215, CVE-2026-33249)',
    (version, expected) => {
      expect(securityOf(version)).toBe(expected);
    },
  );
});
