// Lane: long (it starts a sandbox of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { makeLayout, readJson, secretIn, writePrivately } from '@xs2a/sandbox/layout';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { generateKeyPairSync } from 'node:crypto';
import { freePort } from '@xs2a/local-servers/free-port';
import { authorised, until } from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let psu: FreshPsu;

/** The authorization server's own address, for use while the gateway is down. */
let auth: string;

beforeAll(async () => {
  const port = await freePort();
  auth = `http://127.0.0.1:${port}`;
  world = await World.start({ auth: { PORT: String(port) }, gateway: { AUTH_URL: auth } });
  tpp = world.tpp();
  psu = await world.person('1000.00');
});
afterAll(async () => world.stop());

interface KeyFile {
  readonly keys: readonly Record<string, unknown>[];
}
const newKey = (kid: string): Record<string, unknown> => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  kid,
});
const readKeyId = (token: string): unknown =>
  (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid?: string }).kid;
const published = async (): Promise<unknown[]> => {
  const { keys } = parseJson<{ keys: { kid: string; d?: string; purpose?: string }[] }>(
    await send('GET', `${world.baseUrl}/oauth2/jwks`),
  );
  expect(keys.filter(({ d }) => d !== undefined)).toEqual([]);
  return keys.filter(({ purpose }) => purpose === undefined).map(({ kid }) => kid);
};
const statusWith = async (token: string): Promise<number> =>
  (await send('GET', `${world.baseUrl}/sandbox/clock`, { headers: { authorization: `Bearer ${token}` } }))
    .status;
const withKeys = async (keys: KeyFile['keys']): Promise<void> => {
  writePrivately(makeLayout(world.sandbox.dataDir).keys, JSON.stringify({ keys }));
  await world.sandbox.services.auth.restart();
};

describe('signing key rotation (contract 4; docs/how-to/rotate-keys.md)', () => {
  it('publishes a key, signs with it, then withdraws it, without invalidating a token early or restarting a gateway', async () => {
    const { keys } = readJson<KeyFile>(makeLayout(world.sandbox.dataDir).keys) ?? { keys: [] };
    const [old] = keys;
    if (old === undefined) throw new Error('the sandbox has no signing key');
    const next = newKey('next');
    const gateway = world.sandbox.services.gateway.pid;
    const before = await tpp.applicationToken();

    await withKeys([old, next]);
    expect(await published()).toEqual([old['kid'], 'next']);
    expect(readKeyId(await tpp.applicationToken())).toBe(old['kid']);

    await withKeys([next, old]);
    const after = await tpp.applicationToken();
    expect(readKeyId(after)).toBe('next');
    expect([await statusWith(before), await statusWith(after)]).toEqual([200, 200]);

    await withKeys([next]);
    expect(await published()).toEqual(['next']);
    // A token with an unknown key id makes the gateway fetch the keys; otherwise the gateway fetches them
    // every minute.
    const [header = '', ...rest] = after.split('.');
    const strange = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(header, 'base64url').toString()), kid: 'strange' }),
    ).toString('base64url');
    await until(
      async () => [await statusWith([strange, ...rest].join('.')), await statusWith(before)],
      ([, withdrawn]) => withdrawn === 401,
      10,
    );
    expect(await statusWith(after)).toBe(200);
    expect(world.sandbox.services.gateway.pid).toBe(gateway);
  });
});

describe('revocation (contract 4)', () => {
  const funds = { json: { instructedAmount: { currency: 'BGN', amount: '1.00' } } };
  const ask = async (token: string): Promise<number> =>
    (await tpp.call('POST', '/v1/funds-confirmations', token, funds)).status;

  it('reaches a running gateway within a second, and a restarted one before it serves requests', async () => {
    const one = await authorised(world, tpp, psu, 'PSP_IC');
    const other = await authorised(world, tpp, psu, 'PSP_IC');
    const revoke = async (baseUrl: string, token: string): Promise<void> => {
      const { clientId, clientSecret = '' } = tpp.credentials;
      const answer = await send('POST', `${baseUrl}/oauth2/revoke`, {
        form: new URLSearchParams({ token, client_id: clientId, client_secret: clientSecret }),
        headers: { 'x-gateway-secret': secretIn(makeLayout(world.dataDir).secret('gateway-secret')) },
      });
      expect(answer.status).toBe(200);
    };
    expect([await ask(one.access_token), await ask(other.access_token)]).toEqual([200, 200]);
    const revoked = performance.now();
    await revoke(world.baseUrl, one.refresh_token ?? '');
    await until(
      async () => ask(one.access_token),
      (status) => status === 401,
      1,
    );
    expect(performance.now() - revoked).toBeLessThan(1000);

    await world.sandbox.services.gateway.stop();
    await revoke(auth, other.refresh_token ?? '');
    await world.sandbox.services.gateway.start();
    expect(await ask(other.access_token)).toBe(401);
    const third = await authorised(world, tpp, psu, 'PSP_IC');
    expect(await ask(third.access_token)).toBe(200);
  });
});
