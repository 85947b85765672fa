import { counter, gauge } from '@xs2a/observability/metrics';
import type { RelayStream } from './jetstream-copy.js';
import type { PositionedEvent, RelayLog } from './relay-log.js';

const everyMs = 1000;
const published = counter('xs2a_events_published_total', 'Events published to JetStream', ['resource']);
const streamBytes = gauge('xs2a_stream_bytes', 'What the stream holds in JetStream', ['resource']);
const forgottenEvents = gauge('xs2a_stream_forgotten_events', 'Positions that the stream does not hold', [
  'resource',
]);
const waitingForDecision = gauge(
  'xs2a_lost_events_waiting',
  'Events that the database lost and that hold up payments or consents',
  ['resource'],
);

/** The metrics of the leading relay. The stream's contents are measured once a second. */
export class RelayFigures {
  private dueAt = performance.now() + everyMs;

  constructor(
    private readonly resource: string,
    private publishedUpTo: number,
  ) {}

  published(events: readonly PositionedEvent[]): void {
    this.publishedUpTo = events.at(-1)?.pos ?? this.publishedUpTo;
    published.inc({ resource: this.resource }, events.length);
  }

  /** Throws if another client has changed the stream. Must be called while no message to the stream is in flight. */
  async measureWhenDue(log: RelayLog, stream: RelayStream): Promise<void> {
    if (performance.now() <= this.dueAt) return;
    const { resource } = this;
    const { bytes, messages } = await stream.inspect();
    streamBytes.set({ resource }, bytes);
    forgottenEvents.set({ resource }, Math.max(0, this.publishedUpTo - messages));
    waitingForDecision.set({ resource }, await log.waiting());
    this.dueAt = performance.now() + everyMs;
  }

  /** Stops reporting the stream's metrics, because another instance now measures them. */
  remove(): void {
    for (const metric of [streamBytes, forgottenEvents, waitingForDecision])
      metric.remove({ resource: this.resource });
  }
}
