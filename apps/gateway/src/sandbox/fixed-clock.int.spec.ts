import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayUnderTest, readCode } from '../testing/gateway-under-test.js';

const gateway = new GatewayUnderTest({ SANDBOX_CLOCK: 'fixed' });
beforeAll(async () => gateway.start(), 30_000);
afterAll(async () => gateway.stop());
beforeEach(() => gateway.reset());

const move = async (body: string, bearer?: string): Promise<string> =>
  readCode(await gateway.call('POST', '/sandbox/clock', { bearer, body }));

describe('a sandbox whose clock is fixed (contract 13)', () => {
  it('refuses to move it with 403 SERVICE_BLOCKED, after the checks of the token and before the body is read', async () => {
    const body = JSON.stringify({ advance: 'PT1M' });
    expect(await move(body)).toBe('401 TOKEN_UNKNOWN');
    expect(await move(body, await gateway.token({ client_id: 'barred' }))).toBe('401 CERTIFICATE_BLOCKED');
    expect(await move(body, await gateway.token())).toBe('403 SERVICE_BLOCKED');
    expect(await move('{', await gateway.token())).toBe('403 SERVICE_BLOCKED');
    expect(gateway.asked).toEqual([]);
    expect(gateway.clock.offsetMs).toBe(0);
  });

  it('lets a TPP change only the people and accounts that this TPP created, and only its own registration', async () => {
    const bearer = await gateway.token();
    for (const subject of ['deposit', 'change-account-status', 'simulate'])
      gateway.answers.set(`svc.accounts.sandbox.${subject}`, () => ({ ok: { transactionId: 'a' } }));
    gateway.answers.set('svc.auth.sandbox.set-tpp-status', () => ({ ok: {} }));
    const body = '{"status":"blocked"}';
    await gateway.call('POST', '/sandbox/accounts/BG1/deposit', { bearer, body });
    await gateway.call('PATCH', '/sandbox/accounts/BG1', { bearer, body });
    await gateway.call('POST', '/sandbox/simulate', { bearer, body });
    expect(gateway.asked.map(({ request }) => request['createdBy'])).toEqual(['tpp', 'tpp', 'tpp']);
    gateway.asked.length = 0;
    const block = async (clientId: string) =>
      gateway.call('PATCH', `/sandbox/tpps/${clientId}`, { bearer, body });
    const other = await block('ai-only');
    expect(readCode(other)).toBe('404 RESOURCE_UNKNOWN');
    expect((await block('a.b')).body).toEqual(other.body);
    expect(gateway.asked).toEqual([]);
    expect((await block('tpp')).body).toEqual({ clientId: 'tpp', status: 'blocked' });
  });

  it('still shows the time', async () => {
    const answer = await gateway.call('GET', '/sandbox/clock', { bearer: await gateway.token() });
    expect(answer.status).toBe(200);
    expect(String(answer.body['now']) <= String(answer.headers.get('x-sandbox-clock'))).toBe(true);
  });
});
