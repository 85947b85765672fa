import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Connections } from './connections.js';

const before = { ...process.env };
beforeEach(() => {
  process.env['DATABASE_URL'] = 'postgres://xs2a_owner:secret@db:5432/xs2a?sslmode=verify-full';
  process.env['NATS_URL'] = 'tls://operator:secret@nats:4222';
});
afterEach(() => {
  process.env = { ...before };
});

describe('the servers in DATABASE_URL and NATS_URL', () => {
  it('are checked according to the rules for a bank', () => {
    expect(Connections.find()).toMatchObject({ isSandbox: false, hasSandboxRules: false });
  });

  it('are checked according to the rules for a sandbox if SANDBOX is set, as in Compose', () => {
    process.env['SANDBOX'] = 'true';
    process.env['DATABASE_URL'] = 'postgres://xs2a_owner:secret@db:5432/xs2a';
    process.env['NATS_URL'] = 'nats://operator:secret@nats:4222';
    expect(Connections.find()).toMatchObject({ isSandbox: false, hasSandboxRules: true });
  });

  it('require an encrypted connection, unless SANDBOX is true', () => {
    process.env['DATABASE_URL'] = 'postgres://xs2a_owner:secret@db:5432/xs2a';
    expect(() => Connections.find()).toThrow(
      'DATABASE_URL is not a postgres:// URL with a host and ?sslmode=verify-full',
    );
  });
});
