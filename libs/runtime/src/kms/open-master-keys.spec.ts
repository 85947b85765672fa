import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ServerAuthority } from '@xs2a/qwac/testing/server-authority';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseMasterKeys } from '../master-keys.js';
import { answerJson, closedByKms, KmsStandIn } from '../testing/kms-stand-in.js';
import { openKeys } from './key-opener.js';
import { withMasterKeys } from './open-master-keys.js';
import { transitKeys } from './transit.js';

const secret = Buffer.alloc(32, 7).toString('base64');
const ciphertext = closedByKms(secret);

let kms: KmsStandIn;

beforeEach(async () => {
  kms = await KmsStandIn.start();
});
afterEach(async () => kms.stop());

const env = (changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  SANDBOX: 'true',
  MASTER_KEYS: `2027:${ciphertext}`,
  MASTER_KEYS_KMS_URL: kms.url(),
  MASTER_KEYS_KMS_TOKEN: kms.token,
  ...changes,
});
const opener = (changes: Partial<Parameters<typeof transitKeys>[0]> = {}) =>
  transitKeys({ url: kms.url(), token: kms.token, pauseMs: 0, ...changes });
const problem = async (opening: Promise<unknown>): Promise<string> => {
  const error = await opening.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error('it was opened');
  for (const hidden of [secret, kms.token, ciphertext]) expect(error.message).not.toContain(hidden);
  return error.message;
};

describe('master keys that a KMS decrypts', () => {
  it('equal the same keys delivered in plain text, with the same names and in the same order', async () => {
    const other = Buffer.alloc(32, 8).toString('base64');
    const keys = `2027:${ciphertext}\n2026:${closedByKms(other)}\n`;
    const opened = await withMasterKeys(env({ MASTER_KEYS: keys }));
    expect(opened['MASTER_KEYS']).toBe(`2027:${secret} 2026:${other}`);
    const key = Buffer.alloc(32, 3);
    const delivered = parseMasterKeys(`2027:${secret}`);
    const wrapped = parseMasterKeys(opened['MASTER_KEYS'] ?? '')?.wrap(key);
    expect(wrapped && delivered?.unwrap(wrapped)).toEqual(key);
    expect(process.env['MASTER_KEYS']).toBeUndefined();
  });

  it('can be read from files, as can the token, and their settings can have a service prefix', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'xs2a-kms-'));
    writeFileSync(join(folder, 'keys'), `2027:${ciphertext}\n`);
    writeFileSync(join(folder, 'token'), `${kms.token}\n`);
    const opened = await withMasterKeys(
      {
        SANDBOX: 'true',
        PAYMENTS_MASTER_KEYS_FILE: join(folder, 'keys'),
        PAYMENTS_MASTER_KEYS_KMS_URL: kms.url(),
        PAYMENTS_MASTER_KEYS_KMS_TOKEN_FILE: join(folder, 'token'),
      },
      'PAYMENTS_',
    );
    rmSync(folder, { recursive: true });
    expect(opened['PAYMENTS_MASTER_KEYS']).toBe(`2027:${secret}`);
  });

  it.each([
    ['token', { token: 'hvs.another' }, 'the token is not valid, or may not decrypt'],
    ['key', { url: '/v1/transit/decrypt/other' }, 'there is no such key or path'],
  ])(
    'are refused immediately, with the reason, if the KMS is called with the wrong %s',
    async (_, changes, reason) => {
      const path = 'url' in changes ? { url: new URL(changes.url, kms.url()).href } : changes;
      expect(await problem(openKeys(`2027:${ciphertext}`, opener(path)))).toMatch(reason);
      expect(kms.asked).toBe(1);
    },
  );

  it('are refused if they are not ciphertexts; the KMS repeats their text in its error, but our error does not', async () => {
    expect(await problem(openKeys(`2027:${secret}`, opener()))).toMatch('it is not a ciphertext');
  });

  it('are requested a limited number of times while the KMS is sealed or down', async () => {
    kms.before = (response) =>
      kms.asked < 3 && (answerJson(response, 503, { errors: ['Vault is sealed'] }), true);
    expect(await openKeys(`2027:${ciphertext}`, opener())).toBe(`2027:${secret}`);
    expect(kms.asked).toBe(3);
    [kms.asked, kms.before] = [0, (response) => (response.destroy(), true)];
    await problem(openKeys(`2027:${ciphertext}`, opener()));
    expect(kms.asked).toBe(5);
  });

  it('are not awaited for longer than the time limit', async () => {
    kms.before = () => true;
    const waiting = openKeys(`2027:${ciphertext}`, opener({ answerWithinMs: 50, attempts: 2 }));
    expect(await problem(waiting)).toMatch('no answer within 50 ms');
    expect(kms.asked).toBe(2);
  });

  it('are not read from a response that has no plaintext or never ends', async () => {
    kms.before = (response) => (answerJson(response, 200, { data: {} }), true);
    expect(await problem(openKeys(`2027:${ciphertext}`, opener()))).toMatch('its answer has no plaintext');
    kms.before = (response) => (response.end('x'.repeat(70_000)), true);
    expect(await problem(openKeys(`2027:${ciphertext}`, opener({ attempts: 1 })))).toMatch('too long');
  });

  it('are requested only over TLS, from a server whose certificate was signed by the authority of the bank', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'xs2a-kms-'));
    const authority = new ServerAuthority('Bank');
    writeFileSync(join(folder, 'ca.crt'), authority.certificate);
    writeFileSync(join(folder, 'other.crt'), new ServerAuthority('Bank').certificate);
    const { certificate: cert, privateKey: key } = authority.issue('localhost');
    const tls = await KmsStandIn.start({ cert, key });
    const at = async (host: string, file: string): Promise<unknown> => {
      const url = `${tls.url(host)}${file === '' ? '' : `?ca_file=${join(folder, file)}`}`;
      return openKeys(`2027:${ciphertext}`, opener({ url, attempts: 1 }));
    };
    try {
      expect(await at('localhost', 'ca.crt')).toBe(`2027:${secret}`);
      for (const file of ['other.crt', ''])
        expect(await problem(at('localhost', file))).toMatch(/certificate/);
      expect(await problem(at('127.0.0.1', 'ca.crt'))).toMatch("does not match certificate's altnames");
      expect(await problem(at('localhost', 'none.crt'))).toMatch('no such file');
    } finally {
      await tls.stop();
      rmSync(folder, { recursive: true });
    }
  });

  it('are requested only over TLS outside the sandbox', async () => {
    expect(await problem(withMasterKeys(env({ SANDBOX: 'false' })))).toMatch(
      'MASTER_KEYS_KMS_URL is not an https URL',
    );
    expect(kms.asked).toBe(0);
  });
});

describe('master keys without a KMS', () => {
  it('are used unchanged, and may be absent', async () => {
    const [plain, none] = [{ MASTER_KEYS: `2027:${secret}` }, { SANDBOX: 'true' }];
    expect(await withMasterKeys(plain)).toEqual(plain);
    expect(await withMasterKeys(none)).toEqual(none);
  });
});
