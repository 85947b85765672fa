import {
  type ConsumerInfo,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
} from '@nats-io/jetstream';
import { deadline, type NatsConnection, TimeoutError } from '@nats-io/transport-node';
import { streamName } from '@xs2a/events/published-event';
import { unlessMissing } from '@xs2a/nats/unless-missing';
import type { Pool } from 'pg';
import { ForeignStream, readLastEvent } from '../publishing/jetstream-copy.js';
import { logEnd } from '../recovery/log-gaps.js';
import { readCopyVerification } from './copy-verification.js';
import { missingMessages } from './published-copy.js';

export interface Reported {
  readonly nats: NatsConnection;
  /** A pool whose search path is the schema that contains the log. */
  readonly pool: Pool;
  readonly resource: string;
  /** The durable consumers that must exist on the stream; `filter` is the subject pattern that a consumer receives. */
  readonly consumers: readonly { readonly durable: string; readonly filter: string }[];
}

/**
 * Milliseconds within which JetStream must have answered all requests of one report. Less than the timeout of a NATS call
 * between services, so that the caller receives the reason and not a timeout.
 */
const jetStreamAnswersWithinMs = 1500;

/** Skips the query of the JetStream account (`checkAPI`), for which a service has no NATS permission. */
const asService = { checkAPI: false, timeout: jetStreamAnswersWithinMs } as const;

/** Returns true if JetStream did not answer a request: JetStream is down, or the stream or consumer has no leader. */
export const saysJetStreamIsDown = (error: unknown): boolean =>
  error instanceof TimeoutError ||
  // Compared by name, because @nats-io/jetstream does not export the class JetStreamNotEnabled.
  (error instanceof Error && error.name === 'JetStreamNotEnabled') ||
  (error instanceof JetStreamApiError && error.status === 503);

/**
 * Returns how much of a log its JetStream copy contains, and how far each durable consumer of the copy has read. If JetStream does not
 * answer every request within {@link jetStreamAnswersWithinMs}, throws an error for which {@link saysJetStreamIsDown} is true.
 */
export const readCopyReport = async ({ nats, pool, resource, consumers }: Reported) => {
  const stream = streamName(resource);
  // The copy is read before the log. In the other order, an event published between the two reads would put the copy ahead of the log.
  const copy = await deadline(readCopy(nats, stream, consumers), jetStreamAnswersWithinMs);
  const head = await logEnd(pool);
  if (copy === undefined) return { stream, head, consumers: consumers.map(withoutState) };
  const verified = await readCopyVerification(pool, copy.created);
  return {
    stream,
    head,
    state: { ...copy.state, ...(verified === undefined ? {} : { verified }) },
    consumers: copy.consumers,
  };
};

/** Returns the state of a stream and of its consumers, or undefined if JetStream has no stream with this name. */
const readCopy = async (nats: NatsConnection, stream: string, consumers: Reported['consumers']) => {
  const manager = await jetstreamManager(nats, asService);
  const info = await unlessMissing(manager.streams.info(stream), JetStreamApiCodes.StreamNotFound);
  if (info === undefined) return undefined;
  const { state, config, created } = info;
  const [published, ...read] = await Promise.all([
    readPublished(manager, stream, state.last_seq),
    ...consumers.map(async (consumer) => readConsumer(manager, { stream, ...consumer })),
  ]);
  return {
    created,
    state: {
      messages: state.messages,
      bytes: state.bytes,
      ...(config.max_bytes > 0 ? { maxBytes: config.max_bytes } : {}),
      lastSequence: state.last_seq,
      missing: missingMessages(state),
      ...(published === undefined ? {} : { published }),
    },
    consumers: read,
  };
};

const withoutState = ({ durable }: { readonly durable: string }) => ({ consumer: durable, state: undefined });

/** Returns the log position of the last event in the stream; undefined if the stream is empty or its last message is not an event. */
const readPublished = async (
  manager: JetStreamManager,
  stream: string,
  lastSequence: number,
): Promise<number | undefined> => {
  try {
    return (await readLastEvent(manager, stream, lastSequence))?.pos;
  } catch (error) {
    if (error instanceof ForeignStream) return undefined;
    throw error;
  }
};

const readConsumer = async (
  manager: JetStreamManager,
  { stream, durable, filter }: { readonly stream: string; readonly durable: string; readonly filter: string },
) => {
  const info = await unlessMissing(
    manager.consumers.info(stream, durable),
    JetStreamApiCodes.ConsumerNotFound,
  );
  if (info === undefined) return withoutState({ durable });
  const oldest = await findOldest(manager, { stream, filter, info });
  return {
    consumer: durable,
    state: {
      pending: info.num_pending,
      ackPending: info.num_ack_pending,
      redelivered: info.num_redelivered,
      ackFloor: info.ack_floor.stream_seq,
      isReading: (info.num_waiting ?? 0) > 0,
      ...(oldest === undefined ? {} : { oldestAt: oldest.toISOString() }),
    },
  };
};

/** Returns when the oldest unacknowledged event of a consumer was published; undefined if the consumer acknowledged every event. */
const findOldest = async (
  manager: JetStreamManager,
  { stream, filter, info }: { readonly stream: string; readonly filter: string; readonly info: ConsumerInfo },
): Promise<Date | undefined> => {
  if (info.num_pending + info.num_ack_pending === 0) return undefined;
  const query = { seq: info.ack_floor.stream_seq + 1, next_by_subj: filter };
  return (await manager.streams.getMessage(stream, query))?.time;
};
