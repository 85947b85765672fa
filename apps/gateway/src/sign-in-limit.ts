import type { FastifyRequest } from 'fastify';
import { clientKey, isLoopback } from './edge/client-address.js';
import { type BucketSize, TokenBuckets } from './edge/token-buckets.js';
import { pathOf } from './public-path.js';

/** Steps on the pages and authorization requests from one address: 30 signatures in a row, and one every two seconds. */
const oneClient: BucketSize = { burst: 120, perSecond: 2 };
/** Tests and benchmarks on the machine of a sandbox, and all clients of a proxy that does not name them. */
const manyClients: BucketSize = { burst: 6000, perSecond: 200 };

/** Under /oauth2 these are for programs that prove who they are, or cost nothing; all else counts as an authorization request. */
const uncounted = /^\/oauth2\/(?:token|par|revoke|jwks|authorize\/[\w-]+)$/;

const isCounted = ({
  method,
  url,
  routeOptions,
}: Pick<FastifyRequest, 'method' | 'url' | 'routeOptions'>): boolean => {
  // By the route, whatever spelling of an address it takes.
  const route = routeOptions.url ?? '';
  if (route.startsWith('/sca')) return method === 'POST';
  return route.startsWith('/oauth2') && method !== 'OPTIONS' && !uncounted.test(pathOf(url));
};

/**
 * Limits how often one client sends forms to the SCA pages and begins authorization requests: each costs a password hash or
 * a row in the database, and neither needs a proof of who sends it.
 */
export class SignInLimit {
  private readonly buckets: TokenBuckets;

  constructor(
    clock: { nowMs(): number },
    private readonly isSandbox: boolean,
  ) {
    this.buckets = new TokenBuckets(clock);
  }

  /** Undefined: it may go on; otherwise so many seconds to wait. */
  secondsToWait(request: FastifyRequest): number | undefined {
    if (!isCounted(request)) return undefined;
    const key = clientKey({
      isFromProxy: request.isFromProxy,
      peer: request.ip,
      forwardedFor: request.headers['x-forwarded-for'],
    });
    if (key === undefined) return this.buckets.take('unnamed clients of the proxy', manyClients);
    return this.buckets.take(key, this.isSandbox && isLoopback(key) ? manyClients : oneClient);
  }
}
