import { describe, expect, it } from '@jest/globals';
import { readConfig, serviceConfig } from '@xs2a/runtime/config';
import { config } from '../config.js';
import { portalUrl } from './portal-proxy.js';

const read = (env: NodeJS.ProcessEnv) =>
  readConfig(
    { ...serviceConfig, ...config },
    {
      NATS_URL: 'tls://gateway:secret@nats.bank.example:4222',
      PROFILE_FILE: 'production.json',
      PORT: '0',
      BASE_URL: 'https://xs2a.bank.example',
      AUTH_URL: 'http://auth:8080',
      GATEWAY_SECRET: 'x'.repeat(40),
      ...env,
    },
  );
const portal = { PORTAL: 'documents', PORTAL_URL: 'http://portal:8080' };

describe('the developer portal behind the gateway (contract 1)', () => {
  it('is not served unless PORTAL says so, whatever its address', () => {
    expect(portalUrl(read({ PORTAL_URL: portal.PORTAL_URL }))).toBeUndefined();
  });

  it('is served outside the sandbox where the PSU’s pages have an origin of their own', () => {
    expect(portalUrl(read({ ...portal, PAGES_URL: 'https://pages.bank.example' }))).toBe(portal.PORTAL_URL);
    expect(() => portalUrl(read(portal))).toThrow('PAGES_URL must be another origin than BASE_URL');
  });

  it('needs its address', () => {
    expect(() => portalUrl(read({ PORTAL: 'sandbox', SANDBOX: 'true' }))).toThrow(
      'PORTAL_URL is missing: it is needed because PORTAL is sandbox',
    );
  });
});
