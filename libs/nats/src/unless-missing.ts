import { JetStreamApiError } from '@nats-io/jetstream';

/** Awaits a JetStream request. Returns undefined if JetStream returns the error code `missing`, for example StreamNotFound. */
export const unlessMissing = async <Info>(
  asked: Promise<Info>,
  missing: number,
): Promise<Info | undefined> => {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === missing) return undefined;
    throw error;
  }
};
