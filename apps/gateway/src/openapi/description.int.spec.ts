import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GatewayUnderTest } from '../testing/gateway-under-test.js';

const gateway = new GatewayUnderTest();
beforeAll(async () => gateway.start(), 30_000);
afterAll(async () => gateway.stop());

describe('GET /openapi.json (contract 1)', () => {
  const ask = async (accepted?: string): Promise<string | null> => {
    const headers = { 'accept-encoding': accepted ?? 'identity' };
    const answer = await gateway.call('GET', '/openapi.json', { headers });
    expect([answer.status, answer.body['openapi'], answer.headers.get('vary')]).toEqual([
      200,
      '3.0.3',
      'accept-encoding',
    ]);
    return answer.headers.get('content-encoding');
  };

  it('sends the compressed description to a client that accepts gzip', async () => {
    for (const accepted of ['gzip', 'br, gzip', 'GZIP;q=0.5', 'deflate,gzip ;q=1, *;q=0'])
      expect([accepted, await ask(accepted)]).toEqual([accepted, 'gzip']);
  });

  it('sends the uncompressed description to any other client', async () => {
    for (const accepted of [undefined, 'br', 'gzip;q=0', 'x-gzipped', 'gzip;q=0.000, br'])
      expect([accepted, await ask(accepted)]).toEqual([accepted, null]);
  });

  it('returns 304 without a body to a client that has the current description', async () => {
    for (const encoding of ['gzip', 'identity']) {
      const headers = { 'accept-encoding': encoding };
      const first = await gateway.call('GET', '/openapi.json', { headers });
      const tag = first.headers.get('etag') ?? '';
      expect([tag.length > 20, first.headers.get('cache-control')]).toEqual([true, 'no-cache']);
      for (const known of [tag, `"other", W/${tag}`, '*']) {
        const again = await gateway.call('GET', '/openapi.json', {
          headers: { ...headers, 'if-none-match': known },
        });
        const { status, text } = again;
        expect([status, text, again.headers.get('etag')]).toEqual([304, '', tag]);
      }
    }
  });

  it('sends the description again if the day, and thus the dates of its examples, or the encoding changed', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const tag = (await gateway.call('GET', '/openapi.json', { headers })).headers.get('etag') ?? '';
    const other = { 'accept-encoding': 'identity', 'if-none-match': tag };
    expect((await gateway.call('GET', '/openapi.json', { headers: other })).status).toBe(200);
    gateway.clock.raiseTo(gateway.clock.offsetMs + 2 * 86_400_000);
    const later = await gateway.call('GET', '/openapi.json', {
      headers: { ...headers, 'if-none-match': tag },
    });
    expect([later.status, later.headers.get('etag') === tag]).toEqual([200, false]);
  });
});
