import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { oauthPaths } from '@xs2a/contracts/oauth-paths';
import Fastify, { type FastifyInstance } from 'fastify';
import { mountProvider } from './oauth-routes.js';

describe('the authorization server (contract 1)', () => {
  let server: FastifyInstance;
  beforeAll(async () => {
    server = Fastify();
    await mountProvider(server, () => ({
      callback: () => async (_request, response) => {
        response.end('provider');
      },
    }));
  });
  afterAll(async () => server.close());

  const resumption = '/oauth2/authorize/Yz-1_a';
  const all = [...oauthPaths, resumption];

  it.each(all)('routes %s to the provider, with any query', async (path) => {
    for (const url of [path, `${path}?a=b`]) expect((await server.inject(url)).body).toBe('provider');
  });

  it.each([
    ...oauthPaths.map((path) => path.replace(/[^/]+$/, (name) => name.toUpperCase())),
    '/oauth2/AUTHORIZE/Yz-1_a',
    ...all.flatMap((path) => [
      `${path}/`,
      `${path}//`,
      path.replace(/[^/]$/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
      path.replace(/\/(?=[^/]+$)/, '//'),
      `${path}/x/y`,
      `${path};a=b`,
    ]),
    '/oauth2',
    '/oauth2/',
    '/oauth2/session/end',
    '/.well-known',
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/',
  ])('answers %s with 404 in the form of RFC 6749', async (path) => {
    for (const method of ['GET', 'POST'] as const) {
      const { statusCode, body } = await server.inject({ method, url: path });
      expect([method, statusCode, JSON.parse(body)]).toEqual([
        method,
        404,
        { error: 'invalid_request', error_description: expect.any(String) },
      ]);
    }
  });
});
