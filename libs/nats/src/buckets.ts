import { jetstream, JetStreamApiCodes } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';

/** A caller that waits for the bucket needs a reply within two seconds. */
const answerWithinMs = 1500;

/**
 * Opens a key-value bucket created by the migration job ({@link makeAssets}). Throws the JetStream error;
 * StreamNotFound while it does not exist. Needs no metadata leader, so that services can start and continue during
 * an election.
 */
export const openBucket = async (nats: NatsConnection, bucket: string): Promise<KV> => {
  const opened = await new Kvm(jetstream(nats, { timeout: answerWithinMs })).open(bucket);
  await opened.status();
  return opened;
};

/** True if another writer wrote the key first. */
export const isWrittenMeanwhile = (error: unknown): boolean =>
  Reflect.get(Object(error), 'code') === JetStreamApiCodes.StreamWrongLastSequence;
