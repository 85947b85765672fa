import type { NatsConnection } from '@nats-io/transport-node';
import { waitAtMost } from '@xs2a/nats/wait-at-most';

/**
 * Milliseconds that this process and the called service have to reconnect after a NATS server in the cluster has
 * died. Until then, a call for which no service is listening waits instead of failing.
 */
export const reconnectWindowMs = 250;

/** Thrown if NATS, not the callee, is the reason why there is no reply. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** Tracks the NATS connection, and fails the calls in progress as soon as it is lost. */
export class ConnectionWatch {
  /** Set while disconnected: a promise that resolves on reconnect. */
  private reconnected: PromiseWithResolvers<void> | undefined;
  /** One function per call in progress, which makes that call fail. */
  private readonly underWay = new Set<(error: Error) => void>();

  constructor(private readonly nats: NatsConnection) {
    void this.watch();
  }

  /** If the connection is lost, waits for it until the reconnect window ends; throws if it is still down then. */
  async isThere(): Promise<void> {
    if (this.reconnected !== undefined) await waitAtMost(reconnectWindowMs, this.reconnected.promise);
    if (this.reconnected !== undefined) throw new ConnectionLost('NATS is down');
  }

  /** Returns the reply, or rejects if the connection is lost first, because the reply can then no longer arrive. */
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
        for (const fail of this.underWay) fail(new ConnectionLost('lost the connection to NATS'));
      }
      if (type === 'reconnect') {
        this.reconnected?.resolve();
        this.reconnected = undefined;
      }
    }
  }
}
