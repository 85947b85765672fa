import { describe, expect, it } from '@jest/globals';
import { readConfig, serviceConfig } from '@xs2a/runtime/config';
import { AccountsModule } from './accounts.module.js';
import { config } from './config.js';

const given = {
  NATS_URL: 'tls://localhost:4222',
  PROFILE_FILE: 'production.json',
  DATABASE_URL: 'postgres://localhost/xs2a?sslmode=verify-full',
  HASH_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
  SANDBOX_FIXTURES: 'fixtures.json',
};
const modulesFor = (more: Readonly<Record<string, string>>) => () =>
  AccountsModule.forRoot({ config: readConfig({ ...serviceConfig, ...config }, { ...given, ...more }) });

describe('the accounts service outside the sandbox (contract 1)', () => {
  it('does not start with the sandbox ledger, whether it is configured explicitly or by default', () => {
    expect(modulesFor({})).toThrow('CORE_BANK');
    expect(modulesFor({ CORE_BANK: 'sandbox' })).toThrow('CORE_BANK');
    expect(modulesFor({ CORE_BANK: 'nats' })).not.toThrow();
    expect(modulesFor({ SANDBOX: 'true' })).not.toThrow();
  });
});
