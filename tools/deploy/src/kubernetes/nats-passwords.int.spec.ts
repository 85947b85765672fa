// Lane: long (it takes half a minute).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { connectAs } from '@xs2a/nats/connection';
import { parseCredentials, parseStreamCredentials } from '@xs2a/nats/nats-url';
import {
  callUsers,
  migrationUser,
  natsUsers,
  type NatsUser,
  operatorUser,
  streamUsers,
} from '@xs2a/nats/permissions/rights';
import { natsConfiguration, natsPasswordVariable } from '@xs2a/nats/permissions/server-configuration';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@xs2a/sandbox/layout';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-nats-passwords-'));
const secrets = join(folder, 'secrets');
const read = (secret: string, key: string): string => readFileSync(join(secrets, secret, key), 'utf8').trim();
const secretOf = (user: NatsUser): string => {
  if (user === migrationUser) return 'xs2a-migrations';
  return user === operatorUser ? 'xs2a-operator' : `xs2a-${user}`;
};
/** Returns a program's URL with this test's server instead of the cluster's. */
const urlOf = (user: NatsUser): string =>
  read(secretOf(user), 'nats-url').replace('@nats:4222', `@127.0.0.1:${server.port}`);
let server: NatsServer;

beforeAll(async () => {
  execFileSync(join(root, 'deploy/make-secrets.sh'), [secrets], { stdio: 'ignore' });
  // nats-server gets the secret `nats` as its environment (k8s/overlays/sandbox/nats.yaml).
  for (const name of readdirSync(join(secrets, 'nats'))) process.env[name] = read('nats', name);
  server = await startNats({
    dataDir: join(folder, 'nats'),
    accounts: natsConfiguration((user) => `$${natsPasswordVariable(user)}`),
  });
}, 30_000);
afterAll(async () => {
  for (const name of readdirSync(join(secrets, 'nats'))) delete process.env[name];
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('NATS passwords in Kubernetes (docs/how-to/deploy-nats.md)', () => {
  it('are given only to nats-server, as bcrypt hashes of the lowest cost', () => {
    const given = natsUsers.map((user) => read('nats', natsPasswordVariable(user)));
    expect(given.filter((text) => !/^"\$2a\$04\$[./A-Za-z0-9]{53}"$/.test(text))).toEqual([]);
    expect(new Set(given).size).toBe(natsUsers.length);
  });

  it.each(callUsers)('allow %s to connect to CALLS with its URL', async (user) => {
    await (await connectAs(parseCredentials(urlOf(user)), { reconnect: false })).close();
  });

  it.each(streamUsers)('allow %s to connect to STREAMS with its URL', async (user) => {
    await (await connectAs(parseStreamCredentials(urlOf(user)), { reconnect: false })).close();
  });

  it('are not accepted in hashed form', async () => {
    const pass = read('nats', natsPasswordVariable('payments')).replaceAll('"', '');
    const credentials = { ...parseCredentials(urlOf('payments')), pass };
    await expect(connectAs(credentials, { reconnect: false })).rejects.toThrow('Authorization Violation');
  });

  it('are not in the NATS configuration, which refers to environment variables set from the secret', () => {
    const files = execFileSync('git', ['ls-files', 'deploy', 'k8s'], { cwd: root, encoding: 'utf8' });
    const plain = files
      .trim()
      .split('\n')
      .filter((file) => file.includes('nats'))
      .flatMap((file) =>
        readFileSync(join(root, file), 'utf8')
          .split('\n')
          .filter((line) => /\bpass(?:word)?["']?\s*[:=]/i.test(line) && !line.trimStart().startsWith('#'))
          .filter((line) => !/\bpassword["']?:\s*(?:<<\s*)?["']?\$NATS_PASSWORD_[A-Z_]+/.test(line))
          .map((line) => `${file}: ${line.trim()}`),
      );
    expect(plain).toEqual([]);
  });
});
