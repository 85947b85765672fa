import { describe, expect, it } from '@jest/globals';
import { ConfigError, readConfig, serviceConfig } from '../config.js';
import { portalConfig, readPortal } from './portal-config.js';

const settings = {
  SANDBOX: false,
  PORTAL: 'documents',
  BASE_URL: 'https://xs2a.bank.example',
  PAGES_URL: 'https://pages.bank.example',
} as const;
const read = (env: NodeJS.ProcessEnv) => readConfig({ SANDBOX: serviceConfig.SANDBOX, ...portalConfig }, env);
const env = { BASE_URL: settings.BASE_URL };

describe('the setting PORTAL', () => {
  it('is off unless it is set', () => {
    expect(read(env).PORTAL).toBe('off');
  });

  it('does not allow sandbox outside the sandbox', () => {
    expect(() => read({ ...env, PORTAL: 'sandbox' })).toThrow('PORTAL is not off or documents');
    expect(read({ ...env, PORTAL: 'sandbox', SANDBOX: 'true' }).PORTAL).toBe('sandbox');
  });

  it('allows documents outside the sandbox only where the PSU’s pages have an origin of their own (contract 1)', () => {
    expect(readPortal(settings)).toBe('documents');
    const sameOrigin = [
      'https://xs2a.bank.example/pages',
      'https://xs2a.bank.example:443',
      'https://XS2A.bank.example',
    ];
    for (const PAGES_URL of [undefined, settings.BASE_URL, ...sameOrigin])
      expect(() => readPortal({ ...settings, PAGES_URL })).toThrow(ConfigError);
    expect(readPortal({ ...settings, PAGES_URL: undefined, PORTAL: 'off' })).toBe('off');
    expect(readPortal({ ...settings, PAGES_URL: undefined, SANDBOX: true })).toBe('documents');
  });
});
