import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Kvm } from '@nats-io/kv';
import { tppBucket, type TppRecord } from '@xs2a/contracts/auth.contract';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { issueTestQwac, newSandboxAuthority } from '@xs2a/qwac/sandbox-authority';
import { testHashKeys } from '@xs2a/runtime/testing/test-master-keys';
import { readAnchors } from '@xs2a/qwac/trust-anchors';
import { generateKeyPairSync } from 'node:crypto';
import { BucketMirror } from '../bucket-mirror.js';
import { GrantBindings } from '../oauth/grants/grant-bindings.js';
import { TokenTransactions } from '../oauth/storage/token-transaction.js';
import { type AuthWorld, startAuthWorld } from '../testing/auth-world.js';
import type { Admission } from './tpp-certificate.js';
import { hashSecret, type RegisteredTpp, TppRegistry } from './tpp-registry.js';

let world: AuthWorld;
let registry: TppRegistry;
const authority = newSandboxAuthority(Date.now());
const { x, y } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
const publicPoint = { x, y };
const acme = { name: 'Acme', redirectUris: ['https://acme.example/cb'], roles: ['PSP_AI', 'PSP_PI'] };

const newRegistry = (admission: Admission): TppRegistry => {
  const { pool, nats, clock, logger } = world;
  return new TppRegistry(pool, nats, clock, logger, admission, { HASH_KEYS: testHashKeys });
};

beforeAll(async () => {
  world = await startAuthWorld();
  registry = newRegistry({
    isBank: false,
    clock: world.clock,
    anchors: readAnchors(authority.certificate),
  });
}, 60_000);
afterAll(async () => world.stop());

const register = async (body: object): Promise<string> => {
  const outcome = await registry.register(body, undefined);
  if ('taken' in outcome || !('clientId' in outcome.answer)) throw new Error(JSON.stringify(outcome));
  return outcome.answer.clientId;
};
const published = async (clientId: string): Promise<TppRecord | undefined> => {
  const entry = await (await new Kvm(world.nats).open(tppBucket)).get(clientId);
  return entry?.json<TppRecord>();
};

describe('registration with a certificate', () => {
  it('stores the organizationIdentifier and publishes it to the gateways', async () => {
    const certificate = issueTestQwac(
      { name: 'Acme', organizationIdentifier: 'PSDBG-BNB-77', roles: ['PSP_AI', 'PSP_PI'], days: 30 },
      authority,
      world.clock.nowMs(),
    ).certificate;
    const clientId = await register({ ...acme, certificate });
    expect(await registry.find(clientId)).toMatchObject({ organizationIdentifier: 'PSDBG-BNB-77' });
    expect(await published(clientId)).toMatchObject({ organizationIdentifier: 'PSDBG-BNB-77', version: 1 });
    expect(await registry.list()).toContainEqual(
      expect.objectContaining({ clientId, organizationIdentifier: 'PSDBG-BNB-77', keys: 0 }),
    );
  });

  it('shows neither the secret nor its hash to the operator', async () => {
    expect(JSON.stringify(await registry.list())).not.toMatch(/secret.?hash|[0-9a-f]{64}/i);
  });
});

describe('an idempotency key of a registration (contract 2)', () => {
  const owned = (key: string, hash: string) => ({ owner: '', key, path: 'POST /sandbox/tpps', hash });

  it('can be checked without the body, which does not claim it: refused if it was used with another body', async () => {
    for (const hash of ['a', 'b']) expect(await registry.checkKey(owned('k-1', hash))).toBeUndefined();
    await registry.register(acme, owned('k-1', 'h'));
    expect(await registry.checkKey(owned('k-1', 'h'))).toBeUndefined();
    expect(await registry.checkKey(owned('k-1', 'other'))).toBe('reused');
    expect(await registry.register(acme, owned('k-1', 'other'))).toEqual({ taken: 'reused' });
    expect(await registry.checkKey(undefined)).toBeUndefined();
  });
});

describe('finding a TPP by its client id', () => {
  it('returns every column as registered, and the time from which tokens are valid once the TPP was blocked', async () => {
    const jwks = { keys: [{ kty: 'EC', crv: 'P-256', ...publicPoint }] };
    const clientId = await register({ ...acme, jwks, tokenEndpointAuthMethod: 'private_key_jwt' });
    const registered = {
      ...acme,
      clientId,
      jwks,
      authMethod: 'private_key_jwt',
      secretHash: undefined,
      organizationIdentifier: undefined,
    };
    const before = await registry.find(clientId);
    expect(before).toEqual({ ...registered, status: 'active', tokensFrom: undefined, version: 1 });
    const { tokensFrom } = await registry.setStatus(clientId, 'blocked');
    expect(tokensFrom).toBeGreaterThan(0);
    expect(await registry.find(clientId)).toEqual({ ...before, status: 'blocked', tokensFrom, version: 2 });
  });

  it('stores only the hash of the secret', async () => {
    const { answer } = (await registry.register(acme, undefined)) as { answer: RegisteredTpp };
    const { clientId, clientSecret = '' } = answer;
    const found = await registry.find(clientId);
    expect(found?.secretHash).toBe(hashSecret(clientSecret));
    expect(clientSecret).toMatch(/^[\w-]{43}$/);
  });
});

describe('a new client secret', () => {
  it('replaces the old one at once and is stored only as a hash', async () => {
    const { answer } = (await registry.register(acme, undefined)) as { answer: RegisteredTpp };
    const { clientId, clientSecret = '' } = answer;
    const secrets = await Promise.all([registry.rotateSecret(clientId), registry.rotateSecret(clientId)]);
    const found = await registry.find(clientId);
    expect(new Set([clientSecret, ...secrets]).size).toBe(3);
    expect(secrets.map(hashSecret)).toContain(found?.secretHash);
    expect(found?.secretHash).not.toBe(hashSecret(clientSecret));
  });

  it('replaces the presented secret for exactly one of three parallel requests', async () => {
    const clientId = await register(acme);
    const tpp = await registry.find(clientId);
    if (tpp === undefined) throw new Error('not registered');
    const outcomes = await Promise.all(
      [1, 2, 3].map(async () => registry.replaceSecret(tpp, undefined, () => [])),
    );
    const given = outcomes.flatMap((outcome) =>
      'answer' in outcome && 'clientSecret' in outcome.answer ? [outcome.answer.clientSecret] : [],
    );
    expect(given.map(hashSecret)).toEqual([(await registry.find(clientId))?.secretHash]);
  });

  it('is refused to a TPP without a secret, and for an unknown client', async () => {
    const jwks = { keys: [{ kty: 'EC', crv: 'P-256', ...publicPoint }] };
    const clientId = await register({ ...acme, jwks, tokenEndpointAuthMethod: 'private_key_jwt' });
    await expect(registry.rotateSecret(clientId)).rejects.toThrow('fieldMalformed');
    expect((await registry.find(clientId))?.secretHash).toBeUndefined();
    for (const unknown of ['nobody', '../x'])
      await expect(registry.rotateSecret(unknown)).rejects.toThrow('resourceUnknown');
  });
});

describe('adding a redirect URI', () => {
  it('publishes it to the gateways, once, also if it is sent again and by several callers at once', async () => {
    const clientId = await register(acme);
    const uri = 'https://acme.example/second';
    const tpps = await Promise.all([1, 2, 3, 4].map(async () => registry.addRedirectUri(clientId, uri)));
    const redirectUris = [...acme.redirectUris, uri];
    for (const tpp of tpps) expect(tpp).toMatchObject({ redirectUris, version: 2 });
    expect(await registry.addRedirectUri(clientId, uri)).toMatchObject({ redirectUris, version: 2 });
    expect(await published(clientId)).toMatchObject({ redirectUris, version: 2 });
  });

  it('is possible until the TPP has 20, in any race', async () => {
    const clientId = await register(acme);
    const uris = Array.from({ length: 25 }, (_, index) => `https://acme.example/${index}`);
    const results = await Promise.allSettled(uris.map(async (uri) => registry.addRedirectUri(clientId, uri)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(19);
    const stored = await registry.find(clientId);
    expect(stored?.redirectUris).toHaveLength(20);
    expect(await published(clientId)).toMatchObject({ redirectUris: stored?.redirectUris, version: 20 });
    await expect(registry.addRedirectUri(clientId, 'https://acme.example/more')).rejects.toThrow(
      'fieldMalformed',
    );
    expect(await registry.addRedirectUri(clientId, 'https://acme.example/cb')).toEqual(stored);
  });

  it('is refused for an unknown client', async () => {
    await expect(registry.addRedirectUri('nobody', 'https://acme.example/')).rejects.toThrow(
      'resourceUnknown',
    );
  });
});

describe('blocking a TPP', () => {
  it('ends its grants permanently and leaves the grants of other TPPs unchanged', async () => {
    const { pool, clock } = world;
    const [blocked, other] = [await register(acme), await register(acme)];
    const bindings = new GrantBindings(new TokenTransactions(pool), clock, { refreshTokenSeconds: 3600 });
    for (const [clientId, grantId] of [
      [blocked, 'grant-1'],
      [other, 'grant-2'],
    ] as const) {
      await bindings.add({ grantId, clientId, psuId: 'ivan', scope: 'PSP_IC' });
      await pool.query(
        `INSERT INTO oidc_model (model, id_hash, grant_id, payload, expires_at)
         VALUES ('RefreshToken', $1, $2, '{}', now() + interval '1 day')`,
        [Buffer.from(grantId), grantId],
      );
    }
    const before = Math.floor(clock.nowMs() / 1000);
    const view = await registry.setStatus(blocked, 'blocked');
    expect(view.tokensFrom).toBeGreaterThan(before);
    expect(await published(blocked)).toMatchObject({
      status: 'blocked',
      tokensFrom: view.tokensFrom,
      version: 2,
    });
    const left = await pool.query<{ grant_id: string }>('SELECT grant_id FROM oidc_model');
    expect(left.rows).toEqual([{ grant_id: 'grant-2' }]);
    expect(await bindings.find('grant-1')).toBeUndefined();
    expect(await bindings.find('grant-2')).toBeDefined();
  });

  it('keeps its old tokens invalid even after unblocking, and new tokens are never issued in the same second as old ones', async () => {
    const clientId = await register(acme);
    const { tokensFrom = 0 } = await registry.setStatus(clientId, 'blocked');
    const view = await registry.setStatus(clientId, 'active');
    expect(view).toMatchObject({ status: 'active', tokensFrom, version: 3 });
    expect(world.clock.nowMs() / 1000).toBeGreaterThanOrEqual(tokensFrom);
    expect(await published(clientId)).toMatchObject({ status: 'active', tokensFrom });
  });

  it('is refused for an unknown client', async () => {
    for (const clientId of ['nobody', '', '../x', 'a b', 'x'.repeat(71)])
      await expect(registry.setStatus(clientId, 'blocked')).rejects.toThrow(CallFailed);
  });
});

describe('the grants of a TPP, as operators see them', () => {
  const refreshTokenSeconds = 3600;
  it('are counted by role, without those of other TPPs, until they expire or the TPP is blocked', async () => {
    const [clientId, other] = [await register(acme), await register(acme)];
    const { pool, clock } = world;
    const bindings = new GrantBindings(new TokenTransactions(pool), clock, { refreshTokenSeconds });
    const grant = async (of: string, grantId: string, consentId?: string): Promise<void> =>
      bindings.add({
        grantId: `${of} ${grantId}`,
        clientId: of,
        psuId: 'ivan',
        scope: consentId === undefined ? 'PSP_IC' : 'PSP_AI',
        consentId,
      });
    const consentId = '01890a5d-ac96-774b-bcce-b302099a8057';
    await grant(clientId, 'one', consentId);
    await grant(clientId, 'two', consentId);
    await grant(clientId, 'three');
    await grant(other, 'one', consentId);
    expect(await bindings.count(clientId)).toEqual({ PSP_AI: 2, PSP_IC: 1 });
    expect(await bindings.count(other)).toEqual({ PSP_AI: 1, PSP_IC: 0 });
    expect(await bindings.count('nobody')).toEqual({ PSP_AI: 0, PSP_IC: 0 });

    await registry.setStatus(other, 'blocked');
    expect(await bindings.count(other)).toEqual({ PSP_AI: 0, PSP_IC: 0 });
    expect(await bindings.count(clientId)).toEqual({ PSP_AI: 2, PSP_IC: 1 });

    clock.raiseTo(clock.offsetMs + (refreshTokenSeconds + 7200 + 1) * 1000);
    expect(await bindings.count(clientId)).toEqual({ PSP_AI: 0, PSP_IC: 0 });
  });
});

describe('a database restored from a backup while the gateways have newer data (architecture, The edge)', () => {
  it('is consistent with the gateways at the next start: TPPs registered after the backup are gone, and TPPs blocked after the backup stay blocked', async () => {
    const { owner, nats, clock } = world;
    const [stays, later, blocked] = [await register(acme), await register(acme), await register(acme)];
    await registry.setStatus(blocked, 'blocked');
    await registry.setStatus(blocked, 'active');
    await registry.setStatus(blocked, 'blocked');
    expect(await published(blocked)).toMatchObject({ status: 'blocked', version: 4 });
    await owner.query('DELETE FROM auth.tpp WHERE client_id = $1', [later]);
    await owner.query(
      `UPDATE auth.tpp SET status = 'active', version = 1, tokens_from = NULL WHERE client_id = $1`,
      [blocked],
    );
    const bucket = await new Kvm(nats).open(tppBucket);
    const started = newRegistry({ isBank: false, clock });
    const changes = await bucket.watch({ include: 'updates' });
    started.start();
    const changed = new Map<string, string>();
    for await (const entry of changes) {
      changed.set(entry.key, entry.operation);
      if (changed.has(later) && changed.has(blocked)) break;
    }
    started.stop();
    expect(Object.fromEntries(changed)).toEqual({ [later]: 'PURGE', [blocked]: 'PUT' });
    expect(await published(blocked)).toMatchObject({ status: 'active', version: 1 });
    expect(await published(stays)).toMatchObject({ status: 'active', version: 1 });
  });
});

describe('two processes that publish the same TPP to the gateways (architecture, The edge)', () => {
  it('always end with the newest state published, regardless of the order of their writes, in 200 races', async () => {
    const { nats, logger } = world;
    const truth = new Map<string, unknown>();
    const makeMirror = (): BucketMirror =>
      new BucketMirror({ nats, logger, bucket: 'RACE', entries: async () => new Map(truth) });
    const [one, two] = [makeMirror(), makeMirror()];
    const bucket = await new Kvm(nats).create('RACE');
    for (let round = 0; round < 200; round += 1) {
      const key = `tpp-${round}`;
      await Promise.all(
        [1, 2, 3, 4].map(async (version) => {
          truth.set(key, { version, status: version % 2 === 0 ? 'blocked' : 'active' });
          await (version % 2 === 0 ? one : two).publish(key);
        }),
      );
      expect((await bucket.get(key))?.json()).toEqual({ version: 4, status: 'blocked' });
    }
    process.stderr.write('counts: 200 races of 4 states of a TPP, the newest stayed\n');
  }, 60_000);
});
