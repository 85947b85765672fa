import type { NatsConnection } from '@nats-io/transport-node';
import { waitAtMost } from '@xs2a/nats/wait-at-most';

/**
 * Milliseconds within which this process and the called service reconnect to another server after a NATS server of the
 * cluster has died. Until then a call without a listening service waits instead of failing.
 */
export const reconnectWindowMs = 250;

/** Tracks the connection to NATS, and fails the current calls immediately when it is lost. */
export class ConnectionWatch {
  /** While disconnected: resolves on reconnect. */
  private reconnected: PromiseWithResolvers<void> | undefined;
  /** Functions that make each current call fail. */
  private readonly underWay = new Set<(error: Error) => void>();

  constructor(private readonly nats: NatsConnection) {
    void this.watch();
  }

  /** Waits for a lost connection for up to the reconnect window; throws if it is still down. */
  async isThere(): Promise<void> {
    if (this.reconnected !== undefined) await waitAtMost(reconnectWindowMs, this.reconnected.promise);
    if (this.reconnected !== undefined) throw new Error('NATS is down');
  }

  /** The reply; rejects when the connection is lost first, because the reply can then no longer arrive. */
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
