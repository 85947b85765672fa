import type { NatsConnection } from '@nats-io/transport-node';
import { waitAtMost } from '@xs2a/nats/wait-at-most';

/**
 * Milliseconds within which this process and the called service are connected to another server when a NATS server of the
 * cluster has died. Until then a call that no service listens for waits instead of failing.
 */
export const reconnectWindowMs = 250;

/** Knows whether the connection to NATS is there, and fails the calls under way at once when it is lost. */
export class ConnectionWatch {
  /** While the connection is lost: resolves when it is back. */
  private reconnected: PromiseWithResolvers<void> | undefined;
  /** Functions that make each call under way fail. */
  private readonly underWay = new Set<(error: Error) => void>();

  constructor(private readonly nats: NatsConnection) {
    void this.watch();
  }

  /** Waits for a lost connection as long as the reconnect window; throws when it has not come back. */
  async isThere(): Promise<void> {
    if (this.reconnected !== undefined) await waitAtMost(reconnectWindowMs, this.reconnected.promise);
    if (this.reconnected !== undefined) throw new Error('NATS is down');
  }

  /** The answer; rejects when the connection is lost first, since the answer to what was sent over it does not come any more. */
  async unlessLost<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.underWay.add(reject);
    answer.then(resolve, reject);
    try {
      return await promise;
    } finally {
      this.underWay.delete(reject);
    }
  }

  private async watch(): Promise<void> {
    for await (const { type } of this.nats.status()) {
      if (type === 'disconnect') {
        this.reconnected ??= Promise.withResolvers();
        for (const fail of this.underWay) fail(new Error('lost the connection to NATS'));
      }
      if (type === 'reconnect') {
        this.reconnected?.resolve();
        this.reconnected = undefined;
      }
    }
  }
}
