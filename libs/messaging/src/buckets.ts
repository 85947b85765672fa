import { JetStreamApiCodes, JetStreamApiError, jetstream } from '@nats-io/jetstream';
import { type KV, type KvOptions, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { replicasOf } from './replicas.js';

/** JetStream: the key was written by somebody else since it was read. */
const wrongLastSequence = 10_071;

/** Somebody may wait for the bucket, and is answered within two seconds. */
const answerWithinMs = 1500;

/**
 * A key-value bucket; the first who asks makes it. One that is there needs no metadata leader of the cluster, so that
 * services start and go on while one is elected.
 */
export const openBucket = async (
  nats: NatsConnection,
  bucket: string,
  options: Partial<KvOptions> = {},
): Promise<KV> => {
  const kvm = new Kvm(jetstream(nats, { timeout: answerWithinMs }));
  const opened = await kvm.open(bucket);
  try {
    await opened.status();
  } catch (error) {
    if (!isMissing(error)) throw error;
    await kvm.create(bucket, { replicas: replicasOf(nats), ...options });
  }
  return opened;
};

const isMissing = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;

/** Somebody else wrote the key first. */
export const isWrittenMeanwhile = (error: unknown): boolean =>
  Reflect.get(Object(error), 'code') === wrongLastSequence;
