import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayUnderTest, issuer } from '../../testing/gateway-under-test.js';

const gateway = new GatewayUnderTest();
beforeAll(async () => gateway.start(), 30_000);
afterAll(async () => gateway.stop());
beforeEach(() => gateway.reset());

/**
 * Sends tokens with an unknown key id until readiness has this status. Each such token makes the gateway fetch the
 * keys again, at most once a second.
 */
const untilReady = async (status: number): Promise<Record<string, unknown>> => {
  const end = performance.now() + 10_000;
  for (;;) {
    await gateway.call('GET', '/v1/accounts', { bearer: await gateway.token({}, { kid: 'none' }) });
    const answer = await gateway.call('GET', '/health/ready');
    if (answer.status === status) return answer.body['checks'] as Record<string, unknown>;
    if (performance.now() > end) throw new Error(`/health/ready still answers ${answer.status}`);
  }
};
const loggedWith = (text: string): string[] => gateway.logged.filter((line) => line.includes(text));

describe('the BASE_URL settings of the gateway and the authorization server (docs/how-to/deploy.md)', () => {
  it('make the gateway unready while they differ, and one log line explains why', async () => {
    const other = 'https://other.bank.example';
    const problem = `BASE_URL is ${issuer}, but the authorization server uses ${other}: every token is rejected`;
    gateway.issuerOfAuth = other;
    expect(await untilReady(503)).toMatchObject({ keys: problem, tpps: 'ok' });
    expect(loggedWith(problem)).toHaveLength(1);
    gateway.issuerOfAuth = issuer;
    expect(await untilReady(200)).toMatchObject({ keys: 'ok' });
    expect(loggedWith('loaded the keys of the authorization server')).toHaveLength(1);
  }, 30_000);
});
