import { fail } from '@xs2a/domain/failure/failures';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '../edge/edge-adapter.js';
import { clientKey } from '../oauth-proxy/client-address.js';
import { isAuthPath } from '../oauth-proxy/auth-answers.js';
import { LargeBodies } from './large-bodies.js';
import { RequestShare } from './request-share.js';
import { Shares, type UnderWay } from './shares.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent on probes of health, and on requests that were answered before they were counted. */
    share: RequestShare | undefined;
  }
}

/** Most bytes of a body where no endpoint has a limit: forms of the authorization server. */
const formBytes = 64 * 1024;

/** A body counts as long as it says, and never as more than is read of it; one of unknown length as long as it may be. */
const bodyBytes = ({ headers, routeOptions: { config, bodyLimit = formBytes } }: FastifyRequest): number => {
  const max = config.endpoint === undefined ? formBytes : bodyLimit;
  return headers['transfer-encoding'] === undefined
    ? Math.min(Number(headers['content-length'] ?? 0), max)
    : max;
};

/** Asked every few seconds by an orchestrator, from an address that it may share with clients. */
const isProbe = ({ url }: FastifyRequest): boolean => url.startsWith('/health/');

export const shareExceeded = { ...fail('shareExceeded'), retryAfter: 1 };

/** The handler of an endpoint holds its request's share until it has ended; the large bodies of one TPP wait for each other. */
const holdShares = (fastify: FastifyInstance): void => {
  const largeBodies = new LargeBodies();
  fastify.addHook('onRoute', (route) => {
    if (route.config?.endpoint === undefined) return;
    const { handler } = route;
    route.handler = async function (request, reply) {
      const { share, caller, body } = request;
      const work = async (): Promise<unknown> => handler.call(this, request, reply);
      share?.beginWork();
      try {
        return await (caller !== undefined && Buffer.isBuffer(body)
          ? largeBodies.inTurn(caller.tpp.clientId, body.length, work)
          : work());
      } finally {
        share?.endWork();
      }
    };
  });
};

/**
 * Counts each request to its client's share from its head on (contract 3). An endpoint refuses what is beyond at the stage of the
 * token (`checks/share.ts`), the authorization server's paths in their form (`auth-proxy.ts`), and everything else here.
 */
export const shareRequests = (fastify: FastifyInstance, max: UnderWay): void => {
  holdShares(fastify);
  const [tpps, addresses] = [new Shares(max), new Shares(max)];
  fastify.decorateRequest('share', undefined);
  fastify.addHook('onRequest', (request, reply, done) => {
    if (isProbe(request)) return done();
    const { isFromProxy, ip, headers } = request;
    const address = clientKey({ isFromProxy, peer: ip, forwardedFor: headers['x-forwarded-for'] });
    const share = new RequestShare(tpps, addresses, { address, bytes: bodyBytes(request) });
    request.share = share;
    reply.raw.on('close', () => share.close());
    const isAnsweredLater =
      request.routeOptions.config.endpoint !== undefined || isAuthPath(request.url) || request.is404;
    return share.isExceeded && !isAnsweredLater ? refuse(reply, [shareExceeded]) : done();
  });
};
