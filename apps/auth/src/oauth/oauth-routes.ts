import type { FastifyInstance } from 'fastify';
import type { Provider } from 'oidc-provider';

/** Hands the paths of the authorization server to oidc-provider, with their bodies unread. */
export const mountProvider = async (fastify: FastifyInstance, provider: () => Provider): Promise<void> => {
  await fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const url of ['/oauth2/*', '/.well-known/*'])
      scope.all(url, (request, reply) => {
        reply.hijack();
        void provider().callback()(request.raw, reply.raw);
      });
  });
};
