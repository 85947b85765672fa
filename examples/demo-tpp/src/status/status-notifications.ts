import { compactVerify, createRemoteJWKSet } from 'jose';
import type { StatusFeed } from './status-feed.js';

type Keys = ReturnType<typeof createRemoteJWKSet>;

/**
 * An older signature is a replay: the bank signs each try again. The clock of a sandbox is ahead of real time, so its
 * time is at least that of the latest signature.
 */
const maxAgeSeconds = 300;
const answerWithinMs = 4_000;

/**
 * Receives the bank's status notifications. `X-JWS-Signature` is a detached JWS of the body (RFC 7515 appendix F, ES256) by
 * a key of the JWKS that the bank's discovery document (RFC 8414) names.
 */
export class StatusNotifications {
  private keys: Promise<Keys> | undefined;
  /** The latest known time of the bank's clock, in epoch seconds. */
  private bankSeconds = 0;

  constructor(
    private readonly bankUrl: string,
    private readonly feed: StatusFeed,
    private readonly clock: { nowMs(): number },
  ) {}

  /** Throws if the bank did not sign this body, or signed it too long ago. */
  async take(body: string, signature: string): Promise<void> {
    const [, header, value] = /^([\w-]+)\.\.([\w-]+)$/.exec(signature) ?? [];
    if (header === undefined || value === undefined) throw new Error('no detached JWS');
    const jws = `${header}.${Buffer.from(body).toString('base64url')}.${value}`;
    const { protectedHeader } = await compactVerify(jws, await this.bankKeys(), { algorithms: ['ES256'] });
    const iat = Number(protectedHeader['iat']);
    this.bankSeconds = Math.max(this.bankSeconds, this.clock.nowMs() / 1000, iat || 0);
    if (!(this.bankSeconds - iat <= maxAgeSeconds)) throw new Error('signed too long ago');
    const { paymentId, basketId } = JSON.parse(body) as Readonly<Record<string, unknown>>;
    const resourceId = paymentId ?? basketId;
    if (typeof resourceId === 'string') this.feed.publish(resourceId);
  }

  private async bankKeys(): Promise<Keys> {
    this.keys ??= this.discover().catch((error: unknown) => {
      this.keys = undefined;
      throw error;
    });
    return this.keys;
  }

  private async discover(): Promise<Keys> {
    const answer = await fetch(`${this.bankUrl}/.well-known/oauth-authorization-server`, {
      redirect: 'error',
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const { jwks_uri } = (await answer.json()) as { readonly jwks_uri: string };
    return createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: answerWithinMs });
  }
}
