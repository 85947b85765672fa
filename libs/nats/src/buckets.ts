import { jetstream, JetStreamApiCodes } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';

/** Callers that wait for the bucket need a reply within two seconds. */
const answerWithinMs = 1500;

/**
 * Opens a key-value bucket that the migration job created ({@link makeAssets}). Throws the JetStream error:
 * StreamNotFound while the bucket does not exist. Needs no metadata leader, so services can start and continue
 * during an election.
 */
export const openBucket = async (nats: NatsConnection, bucket: string): Promise<KV> => {
  const opened = await new Kvm(jetstream(nats, { timeout: answerWithinMs })).open(bucket);
  await opened.status();
  return opened;
};

/** True if another writer wrote the key first. */
export const isWrittenMeanwhile = (error: unknown): boolean =>
  Reflect.get(Object(error), 'code') === JetStreamApiCodes.StreamWrongLastSequence;
