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
    /** Undefined on health probes, and on requests that were answered before they were counted. */
    share: RequestShare | undefined;
  }
}

/** The maximum size in bytes of a body for which no endpoint sets a limit: forms sent to the authorization server. */
const formBytes = 64 * 1024;

/**
 * A body counts with its declared length, but at most with the limit up to which it is read. A body of undeclared
 * length counts with that limit.
 */
const bodyBytes = ({ headers, routeOptions: { config, bodyLimit = formBytes } }: FastifyRequest): number => {
  const max = config.endpoint === undefined ? formBytes : bodyLimit;
  return headers['transfer-encoding'] === undefined
    ? Math.min(Number(headers['content-length'] ?? 0), max)
    : max;
};

/**
 * True for the health probes that an orchestrator sends every few seconds, possibly from the same address as
 * clients.
 */
const isProbe = ({ url }: FastifyRequest): boolean => url.startsWith('/health/');

export const shareExceeded = { ...fail('shareExceeded'), retryAfter: 1 };

/** Keeps a request's share occupied until the endpoint's handler ends, and queues the large bodies of each TPP. */
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
 * Counts each request towards its client's share once its headers have arrived (contract 3). Excess requests are
 * refused in one of three places: endpoints refuse them at the token stage (`checks/share.ts`), paths of the
 * authorization server refuse them in their own format (`auth-proxy.ts`), and all others are refused here. Returns
 * a function that takes a share for a request whose URL the router could not parse, because no hook runs for such a
 * request.
 */
export const shareRequests = (
  fastify: FastifyInstance,
  max: UnderWay,
): ((request: FastifyRequest) => RequestShare) => {
  holdShares(fastify);
  const [tpps, addresses] = [new Shares(max), new Shares(max)];
  const takeShare = ({ isFromProxy, ip, headers }: FastifyRequest, bytes: number): RequestShare => {
    const address = clientKey({ isFromProxy, peer: ip, forwardedFor: headers['x-forwarded-for'] });
    return new RequestShare(tpps, addresses, { address, bytes });
  };
  fastify.decorateRequest('share', undefined);
  fastify.addHook('onRequest', (request, reply, done) => {
    if (isProbe(request)) return done();
    const share = takeShare(request, bodyBytes(request));
    request.share = share;
    reply.raw.on('close', () => share.close());
    const isAnsweredLater =
      request.routeOptions.config.endpoint !== undefined || isAuthPath(request.url) || request.is404;
    return share.isExceeded && !isAnsweredLater ? refuse(reply, [shareExceeded]) : done();
  });
  return (request) => takeShare(request, 0);
};
