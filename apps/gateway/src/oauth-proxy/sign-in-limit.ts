import type { FastifyRequest } from 'fastify';
import { isPrivateHost } from '@xs2a/runtime/receivers/public-address';
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
 * The limit on registrations of TPPs from one address in a sandbox, through the API or the developer portal. Every
 * registration adds a permanent row to the database.
 */
const oneRegistrant: BucketSize = { burst: 60, perSecond: 0.2 };
/**
 * The limit for a sender that represents many clients: tests and benchmarks on the machine of a sandbox, a proxy that
 * does not name its clients, and the developer portal when it registers TPPs.
 */
const manyClients: BucketSize = { burst: 6000, perSecond: 200 };

/** True for form posts to the pages and for authorization requests. Only exact paths reach this check (`isProxied`). */
const isStep = ({ method, url }: SentRequest): boolean =>
  url.startsWith('/sca') ? method === 'POST' : parsePath(url) === '/oauth2/authorize' && method !== 'OPTIONS';

const isPush = ({ method, url }: SentRequest): boolean =>
  parsePath(url) === '/oauth2/par' && method === 'POST';

/**
 * True for a form of the developer portal that registers a TPP. Percent-encoded characters of the path are decoded
 * first, because the portal decodes them too and the limit must apply to the same paths.
 */
const isRegistrationForm = ({ url }: SentRequest): boolean =>
  URL.parse(url, 'http://portal')?.pathname.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  ) === '/workspace/register';

const keyOf = (request: FastifyRequest): string | undefined =>
  clientKey({
    isFromProxy: request.isFromProxy,
    peer: request.ip,
    forwardedFor: request.headers['x-forwarded-for'],
  });

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
  private readonly registrations: TokenBuckets;

  constructor(
    clock: { nowMs(): number },
    private readonly isSandbox: boolean,
  ) {
    this.steps = new TokenBuckets(clock);
    this.pushes = new TokenBuckets(clock);
    this.inboxSenders = new TokenBuckets(clock);
    this.inboxes = new TokenBuckets(clock);
    this.registrations = new TokenBuckets(clock);
  }

  /** Returns the number of seconds to wait; undefined if the request may proceed. */
  secondsToWait(request: FastifyRequest): number | undefined {
    if (isStep(request)) return this.take(this.steps, request, onePsu);
    return isPush(request) ? this.take(this.pushes, request, oneTpp) : undefined;
  }

  /**
   * Returns the number of seconds to wait before this form to the developer portal; undefined if the form may proceed.
   * Every form counts as a sign-in step, and a form that registers a TPP also counts as a registration.
   */
  secondsToWaitForForm(request: FastifyRequest): number | undefined {
    const wait = this.take(this.steps, request, onePsu);
    return wait ?? (isRegistrationForm(request) ? this.secondsToWaitForRegistration(request) : undefined);
  }

  /**
   * Returns the number of seconds to wait before this registration of a TPP; undefined if the registration may proceed.
   * A registration sent directly from a private address has the limit for many clients: the developer portal sends it,
   * and the gateway has already limited the form by the address of the form's sender.
   */
  secondsToWaitForRegistration(request: FastifyRequest): number | undefined {
    const key = keyOf(request);
    const isDirect = !request.isFromProxy && key !== undefined && isPrivateHost(key.replace('/64', ''));
    return this.take(this.registrations, request, isDirect ? manyClients : oneRegistrant);
  }

  /** The same for a push to an inbox of the developer portal: by its sender, and by the inbox. */
  secondsToWaitForInbox(request: FastifyRequest, inbox: string): number | undefined {
    return this.take(this.inboxSenders, request, oneTpp) ?? this.inboxes.take(inbox, oneInbox);
  }

  private take(buckets: TokenBuckets, request: FastifyRequest, size: BucketSize): number | undefined {
    const key = keyOf(request);
    if (key === undefined) return buckets.take('unnamed clients of the proxy', manyClients);
    return buckets.take(key, this.isSandbox && isLoopback(key) ? manyClients : size);
  }
}
