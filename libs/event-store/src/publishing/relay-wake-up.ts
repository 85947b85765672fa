import type { NatsConnection } from '@nats-io/transport-node';
import { AutoResetEvent } from '@xs2a/nats/auto-reset-event';

interface Appending {
  readonly resource: { readonly name: string };
  onAppended(listener: () => void): () => void;
}

/**
 * Wakes the leading relay when an event is appended, either in this process or, signalled by a NATS message, in
 * another one. If the message is lost, the event is only delayed until the relay's next poll.
 */
export class RelayWakeUp {
  /** True while the relay of this process leads. */
  isLeader = false;
  private readonly event = new AutoResetEvent();
  private nats: NatsConnection | undefined;
  private unsubscribe: (() => void) | undefined;

  constructor(private readonly store: Appending) {}

  listen(): void {
    this.unsubscribe ??= this.store.onAppended(() => this.appended());
  }

  /** Ends a pending wait too. */
  stop(): void {
    this.unsubscribe?.();
    this.event.set();
  }

  connect(nats: NatsConnection): void {
    nats.subscribe(this.subject, { callback: () => this.event.set() });
    this.nats = nats;
  }

  /** Returns after `ms`, or as soon as something has been appended since the last wait. */
  async wait(ms: number): Promise<void> {
    await this.event.wait(ms);
  }

  private appended(): void {
    if (this.isLeader) this.event.set();
    else if (this.nats?.isClosed() === false) this.nats.publish(this.subject);
  }

  private get subject(): string {
    return `appended.${this.store.resource.name}`;
  }
}
