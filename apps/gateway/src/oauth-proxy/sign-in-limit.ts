import type { FastifyRequest } from 'fastify';
import { clientKey, isLoopback } from './client-address.js';
import { type BucketSize, TokenBuckets } from './token-buckets.js';
import { parsePath } from '../edge/public-path.js';

/**
 * Page steps and authorization requests from one address: enough for 30 signatures in a row, then one every two
 * seconds.
 */
const onePsu: BucketSize = { burst: 120, perSecond: 2 };
/** Pushed authorization requests from one address: a TPP's servers push those of all its customers. */
const oneTpp: BucketSize = { burst: 600, perSecond: 20 };
/** For tests and benchmarks on the machine of a sandbox, and for all clients of a proxy that does not name them. */
const manyClients: BucketSize = { burst: 6000, perSecond: 200 };

/** Form posts of the pages, and authorization requests. Only exact paths reach this check (`isProxied`). */
const isStep = ({ method, url }: SentRequest): boolean =>
  url.startsWith('/sca') ? method === 'POST' : parsePath(url) === '/oauth2/authorize' && method !== 'OPTIONS';

const isPush = ({ method, url }: SentRequest): boolean =>
  parsePath(url) === '/oauth2/par' && method === 'POST';

type SentRequest = Pick<FastifyRequest, 'method' | 'url'>;

/**
 * Limits how often one client sends forms to the SCA pages and starts or pushes authorization requests. Each costs
 * a password hash or a database row, and none requires authentication (a public client pushes with only its id).
 */
export class SignInLimit {
  private readonly steps: TokenBuckets;
  private readonly pushes: TokenBuckets;

  constructor(
    clock: { nowMs(): number },
    private readonly isSandbox: boolean,
  ) {
    this.steps = new TokenBuckets(clock);
    this.pushes = new TokenBuckets(clock);
  }

  /** The seconds to wait; undefined if the request may proceed. */
  secondsToWait(request: FastifyRequest): number | undefined {
    if (isStep(request)) return this.take(this.steps, request, onePsu);
    return isPush(request) ? this.take(this.pushes, request, oneTpp) : undefined;
  }

  private take(buckets: TokenBuckets, request: FastifyRequest, size: BucketSize): number | undefined {
    const key = clientKey({
      isFromProxy: request.isFromProxy,
      peer: request.ip,
      forwardedFor: request.headers['x-forwarded-for'],
    });
    if (key === undefined) return buckets.take('unnamed clients of the proxy', manyClients);
    return buckets.take(key, this.isSandbox && isLoopback(key) ? manyClients : size);
  }
}
