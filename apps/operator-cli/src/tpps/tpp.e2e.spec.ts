// Lane: long, first (the operator command, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TppView } from '@xs2a/contracts/auth.contract';
import { parseJson } from '@xs2a/tpp-client/http';
import { makeLayout } from '@xs2a/sandbox/layout';
import { type Sandbox, startSandbox } from '@xs2a/sandbox/sandbox';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ended, launch, type Ran, parseValues } from '../testing/command-process.js';
import type { CertificateFiles } from './tpps.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-cli-tpp-'));
const redirectUri = 'https://acme.example/cb';
let sandbox: Sandbox;

const xs2a = async (...args: readonly string[]): Promise<Ran> => ended(launch(folder, args));
const json = async <Value>(...args: readonly string[]): Promise<Value> => {
  const [value] = parseValues<Value>(await xs2a(...args, '--json'));
  if (value === undefined) throw new Error('it answered nothing');
  return value;
};
interface Added {
  readonly clientId: string;
  readonly clientSecret: string;
}
const add = async (...args: readonly string[]): Promise<Added> =>
  json<Added>('tpp', 'add', '--name', 'Acme', '--redirect-uri', redirectUri, ...args);
const toClient = ({ clientId, clientSecret }: Added): TppClient =>
  new TppClient(sandbox.baseUrl, { clientId, clientSecret, redirectUri });
const readCode = async (
  client: TppClient,
  token: string,
  headers: Record<string, string> = {},
): Promise<string> => {
  const answer = await client.call('GET', '/sandbox/clock', token, { headers });
  const { tppMessages } = parseJson<{ tppMessages?: { code: string }[] }>(answer);
  return `${answer.status} ${tppMessages?.[0]?.code ?? ''}`.trim();
};

beforeAll(async () => {
  sandbox = await startSandbox({ dataDir: folder, port: 0, sourceMaps: false });
}, 120_000);
afterAll(async () => {
  await sandbox?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

describe('xs2a tpp', () => {
  it('registers a TPP that can be used immediately, and lists and shows it without its secret', async () => {
    const added = await add('--role', 'PSP_AI', '--role', 'PSP_PI');
    const client = toClient(added);
    expect(await readCode(client, await client.applicationToken())).toBe('200');
    const listed = await json<TppView[]>('tpp', 'list');
    expect(listed.map(({ clientId }) => clientId)).toEqual(
      expect.arrayContaining(['sandbox-tpp', added.clientId]),
    );
    const { stdout } = await xs2a('tpp', 'show', added.clientId);
    expect(stdout).toMatch(/roles +PSP_AI PSP_PI\n/);
    expect(stdout).toContain('0 for account information (PSP_AI), 0 for funds confirmation (PSP_IC)');
    expect(stdout).toMatch(/valid tokens +all that have not expired$/m);
    expect(stdout).toContain(redirectUri);
    expect(stdout + JSON.stringify(listed)).not.toContain(added.clientSecret);
  });

  it('reports all violations in a registration', async () => {
    const { code, stderr } = await xs2a(
      'tpp',
      'add',
      '--name',
      'Acme',
      '--redirect-uri',
      'http://acme.example/cb',
      '--role',
      'ADMIN',
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/redirectUris: .*\nroles: /);
    expect(await xs2a('tpp', 'show', 'nobody')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('xs2a -- tpp list'),
    });
    expect((await xs2a('tpp', 'add', '--name', 'Acme')).code).toBe(2);
    expect((await xs2a('tpp', 'certificate', 'acme', '--roles', 'PSP_XX')).code).toBe(2);
    expect((await xs2a('tpp', 'certificate', '../acme')).code).toBe(2);
  });

  it('gives a TPP a new secret: the old one ends at once, and tokens stay valid', async () => {
    const added = await add('--role', 'PSP_PI');
    const old = toClient(added);
    const token = await old.applicationToken('PSP_PI');
    const rotated = await json<Added>('tpp', 'rotate-secret', added.clientId, '--reason', 'case 4711');
    await expect(old.applicationToken('PSP_PI')).rejects.toThrow('invalid_client');
    expect(await readCode(old, await toClient(rotated).applicationToken('PSP_PI'))).toBe('200');
    expect(await readCode(old, token)).toBe('200');
    const { stdout } = await xs2a('actions', 'list', '--act', 'rotate-secret');
    expect(stdout).toContain('case 4711');
    expect(stdout).not.toContain(rotated.clientSecret);
  });

  it('blocks a TPP within a second; its old tokens and grants stay invalid after unblocking', async () => {
    const client = toClient(await add('--role', 'PSP_PI'));
    const token = await client.applicationToken('PSP_PI');
    expect(await readCode(client, token)).toBe('200');
    const view = await json<TppView>('tpp', 'block', client.credentials.clientId, '--reason', 'case 4711');
    const blockedAt = performance.now();
    expect(view.status).toBe('blocked');
    while ((await readCode(client, token)) === '200')
      expect(performance.now() - blockedAt).toBeLessThan(10_000);
    const waited = Math.round(performance.now() - blockedAt);
    process.stderr.write(`counts: a blocked TPP was refused ${waited} ms after the command had ended\n`);
    expect(await readCode(client, token)).toBe('401 CERTIFICATE_BLOCKED');
    await expect(client.applicationToken('PSP_PI')).rejects.toThrow('invalid_client');
    await xs2a('tpp', 'unblock', client.credentials.clientId, '--reason', 'case 4711');
    const fresh = await client.applicationToken('PSP_PI');
    while ((await readCode(client, token)) === '401 CERTIFICATE_BLOCKED')
      expect(performance.now() - blockedAt).toBeLessThan(20_000);
    expect(await readCode(client, token)).toBe('401 TOKEN_INVALID');
    expect(await readCode(client, fresh)).toBe('200');
  });
});

describe('a gateway that is down when a TPP is blocked', () => {
  it('refuses that TPP from its first response after startup', async () => {
    const client = toClient(await add('--role', 'PSP_PI'));
    const token = await client.applicationToken('PSP_PI');
    expect(await readCode(client, token)).toBe('200');
    sandbox.services.gateway.kill('SIGKILL');
    await json<TppView>('tpp', 'block', client.credentials.clientId, '--reason', 'case 4711');
    const firstAnswer = async (): Promise<string> =>
      readCode(client, token).catch(async (error: unknown) => {
        // Nothing listens there yet. The name is compared because Jest's realm has a different TypeError.
        if (Reflect.get(Object(error), 'name') !== 'TypeError') throw error;
        await setTimeout(50);
        return firstAnswer();
      });
    expect(await firstAnswer()).toBe('401 CERTIFICATE_BLOCKED');
  });
});

describe('xs2a tpp certificate', () => {
  it('creates a QWAC that the registry and the gateway accept, with a key that only its owner can read', async () => {
    const files = await json<CertificateFiles>(
      'tpp',
      'certificate',
      'acme',
      '--roles',
      'PSP_AI,PSP_PI',
      '--organization-identifier',
      'PSDBG-BNB-7',
    );
    expect(statSync(files.privateKey).mode & 0o777).toBe(0o600);
    expect(statSync(makeLayout(folder).testAuthority.privateKey).mode & 0o777).toBe(0o600);
    const roles = ['--role', 'PSP_AI', '--role', 'PSP_PI'];
    const client = toClient(await add(...roles, '--certificate', files.certificate));
    const token = await client.applicationToken();
    const secret = readFileSync(makeLayout(folder).secret('proxy-secret'), 'utf8').trim();
    const pem = readFileSync(files.certificate, 'utf8');
    const shown = { 'x-proxy-secret': secret, 'x-ssl-client-cert': encodeURIComponent(pem) };
    expect(await readCode(client, token, shown)).toBe('200');
    const other = await json<CertificateFiles>(
      'tpp',
      'certificate',
      'other',
      '--organization-identifier',
      'PSDBG-BNB-8',
    );
    const foreign = encodeURIComponent(readFileSync(other.certificate, 'utf8'));
    expect(await readCode(client, token, { ...shown, 'x-ssl-client-cert': foreign })).toBe(
      '401 CERTIFICATE_INVALID',
    );
    expect(await readCode(client, token, { 'x-ssl-client-cert': foreign })).toBe('200');
  });
});
