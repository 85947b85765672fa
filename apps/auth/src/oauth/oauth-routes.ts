import { oauthMethods } from '@xs2a/contracts/oauth-paths';
import type { FastifyInstance } from 'fastify';
import type { Provider } from 'oidc-provider';

const absent = JSON.stringify({
  error: 'invalid_request',
  error_description: 'There is no such endpoint. See /.well-known/oauth-authorization-server.',
});

/**
 * Passes requests for the authorization server's paths, if spelled exactly, to oidc-provider without reading the
 * bodies.
 */
export const mountProvider = async (
  fastify: FastifyInstance,
  provider: () => Pick<Provider, 'callback'>,
): Promise<void> => {
  await fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const url of ['/oauth2', '/oauth2/*', '/.well-known', '/.well-known/*'])
      scope.all(url, (request, reply) => {
        const [path = ''] = (request.raw.url ?? '').split('?', 1);
        if (oauthMethods(path) === undefined) {
          reply.code(404).header('cache-control', 'no-store').type('application/json').send(absent);
          return;
        }
        reply.hijack();
        void provider().callback()(request.raw, reply.raw);
      });
  });
};
