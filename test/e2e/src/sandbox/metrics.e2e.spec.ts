// Lane: long (it starts a sandbox of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '@xs2a/sandbox/layout';
import { serviceNames } from '@xs2a/sandbox/services/service-table';
import { metricOf } from '@xs2a/test-support/metrics';
import {
  consentBody,
  consented,
  dayFrom,
  domesticPayment,
  initiate,
  sandboxNow,
  until,
} from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { send } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 120_000);
afterAll(async () => world?.stop());

const basic = (name: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
  'content-type': 'application/x-www-form-urlencoded',
});

describe('the metrics of the running services (docs/metrics.md)', () => {
  it('name the release of each process', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    for (const service of serviceNames)
      expect([service, await metricOf(world, service, 'xs2a_build_info')]).toEqual([
        service,
        { [version]: 1 },
      ]);
  });

  it('compare the clocks of all services and PostgreSQL, which run on the same host here', async () => {
    const differences = await until(
      async () => ({
        payments: await metricOf(world, 'payments', 'xs2a_clock_difference_seconds'),
        console: await metricOf(world, 'console', 'xs2a_clock_difference_seconds'),
      }),
      (found) =>
        'postgres' in found.payments && ['postgres', ...serviceNames].every((name) => name in found.console),
    );
    const seconds = [...Object.values(differences.payments), ...Object.values(differences.console)];
    expect(Math.max(...seconds.map(Math.abs))).toBeLessThan(1);
  });

  it('have the database connections of each service with a pool', async () => {
    const { busy, idle } = await metricOf(world, 'payments', 'xs2a_pool_connections');
    const { '': max } = await metricOf(world, 'payments', 'xs2a_pool_max_connections');
    expect((busy ?? 0) + (idle ?? 0)).toBeGreaterThan(0);
    expect((busy ?? 0) + (idle ?? 0)).toBeLessThanOrEqual(max ?? 0);
    expect(await metricOf(world, 'gateway', 'xs2a_pool_max_connections')).toEqual({ '': 0 });
  });

  it('count tokens by grant and outcome, and name no grant that a client invents', async () => {
    const { clientId, clientSecret } = world.tpp().credentials;
    const url = `${world.baseUrl}/oauth2/token`;
    const tokens = async (): Promise<Record<string, number>> => metricOf(world, 'auth', 'xs2a_tokens_total');
    const before = await tokens();
    await world.tpp().applicationToken();
    const wrongly = [
      [basic(clientId, 'wrong'), 'grant_type=client_credentials&scope=PSP_PI'],
      [basic(clientId, clientSecret ?? ''), 'grant_type=refresh_token&refresh_token=nothing'],
      [basic(clientId, clientSecret ?? ''), 'grant_type=BG80BNBG96611020345678'],
    ] as const;
    for (const [headers, body] of wrongly) await send('POST', url, { headers, raw: body });
    // Refused before the request is read.
    const early = { authorization: 'Bearer x', 'content-type': 'application/x-www-form-urlencoded' };
    const { status } = await send('POST', url, { headers: early, raw: 'grant_type=client_credentials' });
    expect(status).toBe(401);
    const after = await tokens();
    const more = Object.entries(after).map(([labels, value]) => [labels, value - (before[labels] ?? 0)]);
    expect(Object.fromEntries(more.filter(([, count]) => count !== 0))).toEqual({
      'client_credentials issued': 1,
      'client_credentials invalid_client': 1,
      'refresh_token invalid_grant': 1,
      'other unsupported_grant_type': 1,
      'other invalid_client': 1,
    });
  });

  it('follow a payment through SCA and settlement, and calls without the PSU', async () => {
    const tpp = world.tpp();
    const psu = await world.person('1000.00');
    const iban = psu.accounts[0]?.iban ?? '';
    const { scaRedirect } = await initiate(tpp, await tpp.applicationToken(), domesticPayment(iban));
    await walkAndApprove(world.browser(), scaRedirect, psu);
    expect(await metricOf(world, 'auth', 'xs2a_sca_steps_total')).toMatchObject({
      'payment sign-in passed': 1,
      'payment code right': 1,
      'payment decision authorised': 1,
    });
    expect(await metricOf(world, 'auth', 'xs2a_sca_codes_total')).toEqual({ shown: 1 });
    await world.advance('PT1M1S');
    await until(
      async () => metricOf(world, 'payments', 'xs2a_payments_ended_total'),
      ({ ACSC }) => ACSC === 1,
    );
    const validUntil = dayFrom(await sandboxNow(world), 30);
    const { tokens, consentId } = await consented(world, tpp, psu, consentBody([iban], validUntil));
    const headers = { 'consent-id': consentId };
    for (const expected of [200, 200, 200, 200, 429])
      expect((await tpp.call('GET', '/v1/accounts', tokens.access_token, { headers })).status).toBe(expected);
    expect(await metricOf(world, 'consents', 'xs2a_unattended_calls_refused_total')).toEqual({ accounts: 1 });
  }, 60_000);
});
