import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@xs2a/observability/logger';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { KeySet } from './key-set.js';

const issuer = 'https://bank.example';
let jwk: JWK;
beforeAll(async () => {
  const { publicKey } = await generateKeyPair('ES256');
  jwk = { ...(await exportJWK(publicKey)), kid: 'k1' };
});

type Auth = Readonly<{ keys?: readonly JWK[]; issuer?: string; status?: number }>;

/**
 * A key set with an authorization server that the test controls. It fetches the keys on every request for an
 * unknown key.
 */
const setUp = (first: Auth | undefined) => {
  let auth = first;
  const logged: { readonly level: string; readonly msg: string }[] = [];
  const write = (line: string): void => void logged.push(JSON.parse(line) as (typeof logged)[number]);
  const set = new KeySet({
    authUrl: 'http://auth.internal:8080',
    gatewaySecret: 'secret',
    issuer,
    logger: createLogger('gateway', 'info', { destination: { write } }),
    minPauseMs: 0,
    fetch: async (url) => {
      if (auth === undefined) throw new TypeError('fetch failed');
      const { status = 200, keys = [jwk] } = auth;
      const body =
        url === 'http://auth.internal:8080/oauth2/jwks' ? { keys } : { issuer: auth.issuer ?? issuer };
      return Response.json(body, { status });
    },
  });
  return {
    set,
    logged: () => logged.map(({ level, msg }) => `${level} ${msg}`),
    ask: async (now: Auth | undefined) => {
      auth = now;
      await set.find('unknown');
    },
  };
};

describe('the log about the keys of the authorization server', () => {
  it('logs each reason for a failed read only once, and logs when the keys have been loaded', async () => {
    const { set, ask, logged } = setUp(undefined);
    await ask(undefined);
    await ask(undefined);
    expect(set.problem).toBe('the keys of the authorization server are not loaded');
    await ask({ status: 503 });
    await ask({ keys: [] });
    await ask({});
    await ask({});
    expect(set.problem).toBeUndefined();
    expect(logged()).toEqual([
      'warn the keys of the authorization server cannot be read: TypeError: fetch failed',
      'warn the keys of the authorization server cannot be read: Error: /oauth2/jwks is answered 503',
      'warn the keys of the authorization server cannot be read: Error: the authorization server publishes no P-256 key',
      'info loaded the keys of the authorization server',
    ]);
  });

  it('states that the server is down even while the known keys remain valid', async () => {
    const { set, ask, logged } = setUp({});
    await ask({});
    await ask(undefined);
    expect(set.problem).toBeUndefined();
    expect(set.has('k1')).toBe(true);
    expect(logged()).toEqual([
      'warn the keys of the authorization server cannot be read: TypeError: fetch failed',
    ]);
  });
});

describe('an authorization server with another BASE_URL', () => {
  it('is reported as a problem, even if the mismatch appears only later', async () => {
    const { set, ask, logged } = setUp({});
    const problem =
      'BASE_URL is https://bank.example, but the authorization server uses https://other.example: every token is rejected';
    await ask({});
    await ask({ issuer: 'https://other.example' });
    expect(set.problem).toBe(problem);
    await ask({ issuer });
    expect(set.problem).toBeUndefined();
    expect(logged()).toEqual([`warn ${problem}`, 'info loaded the keys of the authorization server']);
  });
});
