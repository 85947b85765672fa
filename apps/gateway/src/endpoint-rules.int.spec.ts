import { Kvm } from '@nats-io/kv';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { tppBucket, type TppRecord, type TppRole, tppRoles } from '@xs2a/contracts/auth.contract';
import { endpointIds, endpointRules, listRoutes } from './endpoint-rules.js';
import { readCode, consentId, GatewayUnderTest, paymentId, product } from './testing/gateway-under-test.js';

const gateway = new GatewayUnderTest();
const statuses = ['active', 'blocked'] as const;
const toName = (role: TppRole, status: TppRecord['status']): string => `${role}-${status}`;
const storeTpp = async (record: Pick<TppRecord, 'clientId' | 'roles' | 'status'>): Promise<void> => {
  const bucket = await new Kvm(gateway.nats).open(tppBucket);
  await bucket.put(
    record.clientId,
    JSON.stringify({ name: record.clientId, redirectUris: [], version: 1, ...record }),
  );
};

beforeAll(async () => {
  await gateway.start();
  for (const role of tppRoles)
    for (const status of statuses) await storeTpp({ clientId: toName(role, status), roles: [role], status });
}, 30_000);
afterAll(async () => gateway.stop());
beforeEach(() => gateway.reset());

/** The required PSD2 role and kind of token (contract 4), by first path segment. */
const wanted: Readonly<Record<string, readonly [role: TppRole | 'any', grant: 'application' | 'user']>> = {
  payments: ['PSP_PI', 'application'],
  'periodic-payments': ['PSP_PI', 'application'],
  'bulk-payments': ['PSP_PI', 'application'],
  'signing-baskets': ['PSP_PI', 'application'],
  consents: ['PSP_AI', 'application'],
  accounts: ['PSP_AI', 'user'],
  'funds-confirmations': ['PSP_IC', 'user'],
  sandbox: ['any', 'application'],
};

const makeToken = async (clientId: string, grant: 'application' | 'user'): Promise<string> =>
  gateway.token({
    client_id: clientId,
    scope: tppRoles.join(' '),
    grant_kind: grant,
    ...(grant === 'user' ? { sub: 'ivan', consent_id: consentId } : {}),
  });

const routes = endpointIds
  .filter((id) => endpointRules[id].token !== 'none' && endpointRules[id].forPayees !== true)
  .flatMap((id) =>
    listRoutes(endpointRules[id]).map((route) => ({
      method: endpointRules[id].method,
      group: route.split('/')[1] ?? '',
      path: route.replace(':paymentProduct', product).replaceAll(/:\w+/g, paymentId),
    })),
  );

describe('the checks of TPP role and status at every endpoint (contract 3, 4)', () => {
  it('cover every group of paths', () => {
    expect([...new Set(routes.map(({ group }) => group))].filter((group) => !(group in wanted))).toEqual([]);
  });

  it('deny everything to a blocked TPP, and allow an active TPP exactly what its role permits, for every route × role × status', async () => {
    const counted = { allowed: 0, ROLE_INVALID: 0, CERTIFICATE_BLOCKED: 0 };
    for (const { method, path, group } of routes) {
      const [role, grant] = wanted[group] ?? ['any', 'application'];
      const stranger = readCode(await gateway.call(method, path));
      expect([method, path, stranger]).toEqual([method, path, '401 TOKEN_UNKNOWN']);
      for (const held of tppRoles)
        for (const status of statuses) {
          const bearer = await makeToken(toName(held, status), grant);
          const answer = await gateway.call(method, path, {
            bearer,
            body: method === 'POST' || method === 'PATCH' ? '{}' : undefined,
          });
          const expected =
            status === 'blocked'
              ? 'CERTIFICATE_BLOCKED'
              : role === 'any' || role === held
                ? 'allowed'
                : 'ROLE_INVALID';
          const code = answer.status === 401 ? readCode(answer).slice('401 '.length) : 'allowed';
          expect([method, path, held, status, code]).toEqual([method, path, held, status, expected]);
          counted[expected] += 1;
        }
    }
    const total = routes.length * tppRoles.length * statuses.length;
    expect(counted.allowed + counted.ROLE_INVALID + counted.CERTIFICATE_BLOCKED).toBe(total);
    process.stderr.write(
      `counts: ${total} calls (${routes.length} routes × ${tppRoles.length} roles × active, blocked): ${counted.allowed} allowed, ${counted.ROLE_INVALID} ROLE_INVALID, ${counted.CERTIFICATE_BLOCKED} CERTIFICATE_BLOCKED\n`,
    );
  });

  it('follow changes in the registry within a second, without a restart', async () => {
    const path = `/payments/${product}/${paymentId}/status`;
    const bearer = await makeToken('PSP_PI-active', 'application');
    expect((await gateway.call('GET', path, { bearer })).status).toBe(200);
    await storeTpp({ clientId: 'PSP_PI-active', roles: ['PSP_PI'], status: 'blocked' });
    const storedAt = performance.now();
    while ((await gateway.call('GET', path, { bearer })).status === 200)
      expect(performance.now() - storedAt).toBeLessThan(1000);
    expect(readCode(await gateway.call('GET', path, { bearer }))).toBe('401 CERTIFICATE_BLOCKED');
    await storeTpp({ clientId: 'PSP_PI-active', roles: ['PSP_PI'], status: 'active' });
    while ((await gateway.call('GET', path, { bearer })).status === 401)
      expect(performance.now() - storedAt).toBeLessThan(2000);
  });
});
