import { jetstream, JetStreamApiCodes } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';

/** Somebody may wait for the bucket, and is answered within two seconds. */
const answerWithinMs = 1500;

/**
 * A key-value bucket that the migration job has made ({@link makeAssets}). Throws what JetStream says; StreamNotFound while
 * there is none. Needs no metadata leader of a cluster, so that services start and go on while one is elected.
 */
export const openBucket = async (nats: NatsConnection, bucket: string): Promise<KV> => {
  const opened = await new Kvm(jetstream(nats, { timeout: answerWithinMs })).open(bucket);
  await opened.status();
  return opened;
};

/** Somebody else wrote the key first. */
export const isWrittenMeanwhile = (error: unknown): boolean =>
  Reflect.get(Object(error), 'code') === JetStreamApiCodes.StreamWrongLastSequence;
