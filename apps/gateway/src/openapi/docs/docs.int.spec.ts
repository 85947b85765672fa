import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GatewayUnderTest } from '../../testing/gateway-under-test.js';

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
});
