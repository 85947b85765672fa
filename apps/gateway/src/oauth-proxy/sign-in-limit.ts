import type { FastifyRequest } from 'fastify';
import { clientKey, isLoopback } from './client-address.js';
import { type BucketSize, TokenBuckets } from './token-buckets.js';
import { parsePath } from '../edge/public-path.js';

/**
 * The limit on page steps and authorization requests from one address: enough for 30 signatures in a row, then one
 * step every half second.
 */
const onePsu: BucketSize = { burst: 120, perSecond: 2 };
/**
 * The limit on pushed authorization requests from one address: a TPP's servers push the requests of all its
 * customers.
 */
const oneTpp: BucketSize = { burst: 600, perSecond: 20 };
/**
 * The limit on what one inbox of the developer portal receives: enough for the notifications of a large bulk. Without it,
 * one inbox could displace the entries of all others.
 */
const oneInbox: BucketSize = { burst: 200, perSecond: 2 };
/**
 * The limit for tests and benchmarks that run on the machine of a sandbox, and for all clients of a proxy that
 * does not name them.
 */
const manyClients: BucketSize = { burst: 6000, perSecond: 200 };

/** True for form posts to the pages and for authorization requests. Only exact paths reach this check (`isProxied`). */
const isStep = ({ method, url }: SentRequest): boolean =>
  url.startsWith('/sca') ? method === 'POST' : parsePath(url) === '/oauth2/authorize' && method !== 'OPTIONS';

const isPush = ({ method, url }: SentRequest): boolean =>
  parsePath(url) === '/oauth2/par' && method === 'POST';

type SentRequest = Pick<FastifyRequest, 'method' | 'url'>;

/**
 * Limits how often one client may send forms to the SCA pages and start or push authorization requests. Each of
 * these costs a password hash or a database row, and none requires authentication (a public client pushes with
 * only its client id).
 */
export class SignInLimit {
  private readonly steps: TokenBuckets;
  private readonly pushes: TokenBuckets;
  private readonly inboxSenders: TokenBuckets;
  private readonly inboxes: TokenBuckets;

  constructor(
    clock: { nowMs(): number },
    private readonly isSandbox: boolean,
  ) {
    this.steps = new TokenBuckets(clock);
    this.pushes = new TokenBuckets(clock);
    this.inboxSenders = new TokenBuckets(clock);
    this.inboxes = new TokenBuckets(clock);
  }

  /** Returns the number of seconds to wait; undefined if the request may proceed. */
  secondsToWait(request: FastifyRequest): number | undefined {
    if (isStep(request)) return this.take(this.steps, request, onePsu);
    return isPush(request) ? this.take(this.pushes, request, oneTpp) : undefined;
  }

  /** The same for a form to the developer portal, which counts as a step. */
  secondsToWaitForForm(request: FastifyRequest): number | undefined {
    return this.take(this.steps, request, onePsu);
  }

  /** The same for a push to an inbox of the developer portal: by its sender, and by the inbox. */
  secondsToWaitForInbox(request: FastifyRequest, inbox: string): number | undefined {
    return this.take(this.inboxSenders, request, oneTpp) ?? this.inboxes.take(inbox, oneInbox);
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
