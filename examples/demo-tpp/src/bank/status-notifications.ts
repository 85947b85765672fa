import { publishedKeys, verifyNotification } from '@xs2a/tpp-client/notification-signature';
import type { StatusFeed } from './status-feed.js';

/**
 * The maximum age of a signature. An older one is a replay, because the bank signs each attempt anew. A sandbox
 * clock can be ahead of real time, so the bank's time is taken to be at least the time of the latest signature.
 */
const maxAgeSeconds = 300;
/**
 * The minimum interval between loads of the bank's keys, so that forged key ids cannot cause a stream of calls to
 * the bank.
 */
const keysAtMostEveryMs = 30_000;

/** Receives the bank's status notifications, which it signs in `X-JWS-Signature`. */
export class StatusNotifications {
  /** The last load of the keys; all notifications share it while it is in progress. */
  private keys: { readonly list: ReturnType<typeof publishedKeys>; readonly loadedMs: number } | undefined;
  /** The latest known time on the bank's clock, in epoch seconds. */
  private bankSeconds = 0;

  constructor(
    private readonly bankUrl: string,
    private readonly feed: StatusFeed,
    private readonly clock: { nowMs(): number },
  ) {}

  /** Processes a notification. Throws if the bank did not sign this body, or signed it too long ago. */
  async take(body: string, signature: string): Promise<void> {
    const verified = await this.verify(body, signature);
    if ('refused' in verified) throw new Error(verified.refused);
    const iat = Number(verified.header['iat']);
    this.bankSeconds = Math.max(this.bankSeconds, this.clock.nowMs() / 1000, iat || 0);
    if (!(this.bankSeconds - iat <= maxAgeSeconds)) throw new Error('signed too long ago');
    const { paymentId, basketId } = JSON.parse(body) as Readonly<Record<string, unknown>>;
    const resourceId = paymentId ?? basketId;
    if (typeof resourceId === 'string') this.feed.publish(resourceId);
  }

  /** Verifies with the keys in memory or, if none of them matches, with the keys that the bank currently publishes. */
  private async verify(body: string, signature: string): Promise<ReturnType<typeof verifyNotification>> {
    // After a load that failed there are no keys. The notification is refused, and the bank sends it again.
    const known = (await this.keys?.list.catch(() => [])) ?? [];
    const verified = verifyNotification(body, signature, known);
    const nowMs = this.clock.nowMs();
    const isRecent = this.keys !== undefined && nowMs - this.keys.loadedMs < keysAtMostEveryMs;
    if (!('refused' in verified) || isRecent) return verified;
    this.keys = { list: publishedKeys(this.bankUrl), loadedMs: nowMs };
    return verifyNotification(body, signature, await this.keys.list);
  }
}
