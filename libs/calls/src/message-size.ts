import type { NatsConnection } from '@nats-io/transport-node';

/** Maximum number of UTF-8 bytes per UTF-16 code unit of a JavaScript string. */
const bytesOfUnit = 3;

/** Thrown if the request of a call exceeds the NATS size limit. The call has not been sent. */
export class CallTooLarge extends Error {
  override readonly name = 'CallTooLarge';

  constructor(subject: string) {
    super(`a request to ${subject} is larger than NATS accepts`);
  }
}

/** True if NATS would refuse a message with this payload. */
export const isTooLarge = (
  { info }: Pick<NatsConnection, 'info'>,
  payload: string | Uint8Array | undefined = '',
): boolean => {
  const max = info?.max_payload ?? Infinity;
  if (typeof payload !== 'string') return payload.length > max;
  return payload.length * bytesOfUnit > max && Buffer.byteLength(payload) > max;
};
