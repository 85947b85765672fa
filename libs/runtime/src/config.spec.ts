import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  coreBankConfig,
  readCoreBank,
  count,
  days,
  flag,
  migrationConfig,
  natsUrl,
  optional,
  port,
  publicUrl,
  readConfig,
  serviceConfig,
  text,
  url,
} from './config.js';

describe('the choice of core bank (contract 1)', () => {
  it.each([
    [true, undefined, 'sandbox'],
    [true, 'sandbox', 'sandbox'],
    [true, 'nats', 'nats'],
    [false, 'nats', 'nats'],
  ] as const)('with SANDBOX=%s and CORE_BANK=%s is %s', (SANDBOX, CORE_BANK, expected) => {
    expect(readCoreBank({ SANDBOX, CORE_BANK })).toBe(expected);
  });

  it('allows a separate NATS server without encryption only in the sandbox', () => {
    const reading = (SANDBOX: string, scheme: string) => () =>
      readConfig(
        { SANDBOX: serviceConfig.SANDBOX, ...coreBankConfig },
        { SANDBOX, CORE_BANK: 'nats', CORE_BANK_NATS_URL: `${scheme}://bank:4222` },
      );
    expect(reading('false', 'nats')).toThrow('CORE_BANK_NATS_URL');
    expect(reading('false', 'tls')).not.toThrow();
    expect(reading('true', 'nats')).not.toThrow();
  });

  it.each([undefined, 'sandbox'] as const)(
    'does not allow the sandbox core bank if SANDBOX=false and CORE_BANK=%s',
    (CORE_BANK) => {
      expect(() => readCoreBank({ SANDBOX: false, CORE_BANK })).toThrow(
        'CORE_BANK must be nats where SANDBOX is',
      );
    },
  );
});

describe('the configuration (quality, Security; contract 1)', () => {
  const spec = {
    PORT: port(8080),
    NATS_URL: url(),
    SANDBOX: flag(false),
    POOL: count(10),
    KEY: optional(text()),
  };

  it('is parsed by type, with defaults applied', () => {
    expect(readConfig(spec, { NATS_URL: 'nats://127.0.0.1:4222', SANDBOX: 'true' })).toEqual({
      PORT: 8080,
      NATS_URL: 'nats://127.0.0.1:4222',
      SANDBOX: true,
      POOL: 10,
      KEY: undefined,
    });
  });

  it('lists every invalid variable at once, but never a value', () => {
    const wrong = { PORT: '99999', SANDBOX: 'yes', POOL: '0', NATS_URL: 'secret-thing' };
    expect(() => readConfig(spec, wrong)).toThrow(
      /PORT is not a port.*NATS_URL is not a URL.*SANDBOX is not true or false.*POOL is not/,
    );
    expect(() => readConfig(spec, wrong)).not.toThrow(/secret-thing/);
  });

  it('rejects a public URL without TLS outside the sandbox, together with all other errors', () => {
    const origin = { SANDBOX: flag(false), BASE_URL: publicUrl(), PORT: port() };
    const read = (env: NodeJS.ProcessEnv) => (): unknown => readConfig(origin, { PORT: '1', ...env });
    for (const SANDBOX of [undefined, 'false', 'yes'])
      expect(read({ SANDBOX, BASE_URL: 'http://bank.example', PORT: 'x' })).toThrow(
        /PORT is not a port.*BASE_URL is not an https URL, as it must be outside the sandbox/,
      );
    expect(read({ BASE_URL: 'https://bank.example' })).not.toThrow();
    expect(read({ SANDBOX: 'true', BASE_URL: 'http://127.0.0.1:8080' })).not.toThrow();
  });

  it('rejects NATS without encryption outside the sandbox, because passwords and codes pass through it', () => {
    const read = (env: NodeJS.ProcessEnv) => (): unknown =>
      readConfig({ SANDBOX: flag(false), NATS_URL: natsUrl() }, env);
    for (const NATS_URL of [
      'nats://u:p@nats:4222',
      'http://nats:4222',
      'tls://u:p@10.0.0.1:4222',
      'tls://u:p@[fd00::1]:4222',
      'tls://nats?ca=x',
    ])
      expect(read({ NATS_URL })).toThrow(
        /^configuration: NATS_URL is not a tls:\/\/ URL with host names, .* must be outside the sandbox$/,
      );
    expect(read({ NATS_URL: 'tls://u:p@nats-0:4222,nats-1:4222?ca_file=/ca.crt' })).not.toThrow();
    expect(read({ SANDBOX: 'true', NATS_URL: 'nats://u:p@nats:4222' })).not.toThrow();
  });

  it('rejects PostgreSQL without verified encryption outside the sandbox, and explains the fix', () => {
    const read = (env: NodeJS.ProcessEnv) => (): unknown => readConfig(migrationConfig, env);
    const plain = 'postgres://xs2a_owner:geheim@db:5432/xs2a';
    for (const MIGRATION_DATABASE_URL of [plain, `${plain}?sslmode=require`]) {
      expect(read({ MIGRATION_DATABASE_URL })).toThrow(
        /^configuration: MIGRATION_DATABASE_URL is not a postgres:\/\/ URL with a host and \?sslmode=verify-full \(&sslrootcert=FILE .*\), as it must be outside the sandbox$/,
      );
      expect(read({ MIGRATION_DATABASE_URL })).not.toThrow(/geheim/);
      expect(read({ SANDBOX: 'true', MIGRATION_DATABASE_URL })).not.toThrow();
    }
    expect(read({ MIGRATION_DATABASE_URL: `${plain}?sslmode=verify-full` })).not.toThrow();
  });

  it('reports a missing variable by name', () => {
    expect(() => readConfig(spec, {})).toThrow('configuration: NATS_URL is missing: a URL');
  });

  it('reads a secret from the file named by NAME_FILE', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'xs2a-config-')), 'key');
    writeFileSync(file, 'from a file\n');
    expect(readConfig({ KEY: text() }, { KEY_FILE: file })).toEqual({ KEY: 'from a file' });
    expect(() => readConfig({ KEY: text() }, { KEY_FILE: `${file}-gone` })).toThrow(
      'KEY_FILE names a file that cannot be read',
    );
  });
});

describe('a retention period', () => {
  const spec = { KEPT: days(31, 396)(90) };

  it.each([
    [undefined, 90],
    ['31', 31],
    ['396', 396],
  ])('of %s is accepted', (KEPT, expected) => {
    expect(readConfig(spec, KEPT === undefined ? {} : { KEPT })).toEqual({ KEPT: expected });
  });

  it.each(['30', '397', '0', '-1', '90.5', '1e2', ''])(
    'of %s is rejected, and the error states the bounds',
    (KEPT) => {
      expect(() => readConfig(spec, { KEPT })).toThrow('KEPT is not a whole number of days from 31 to 396');
    },
  );
});
