import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Connections } from './connections.js';

const before = { ...process.env };
beforeEach(() => {
  process.env['DATABASE_URL'] = 'postgres://xs2a_owner:secret@db:5432/xs2a';
  process.env['NATS_URL'] = 'nats://operator:secret@nats:4222';
});
afterEach(() => {
  process.env = { ...before };
});

describe('servers that DATABASE_URL and NATS_URL name', () => {
  it('are judged as a bank’s', () => {
    expect(Connections.find()).toMatchObject({ isSandbox: false, hasSandboxRules: false });
  });

  it('are judged as a sandbox’s where SANDBOX says so, as in Compose', () => {
    process.env['SANDBOX'] = 'true';
    expect(Connections.find()).toMatchObject({ isSandbox: false, hasSandboxRules: true });
  });
});
