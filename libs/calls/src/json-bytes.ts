import { isJsonObject } from '@xs2a/domain/form/form-checks';
import type { Envelope } from './context.js';

/**
 * A JSON value that is already serialised, in UTF-8. If it is the member `body` of a request, it is sent byte for
 * byte, so that a TPP's body is not serialised again on its way to the service that validates it. The service
 * receives the parsed value.
 */
export class JsonBytes {
  constructor(readonly bytes: Uint8Array) {}
}

const placeholder = { body: null };
const placeholderEnd = 'null}}';

/**
 * Serialises the message of a call. The request is the last member of the message, and a serialised body the last
 * member of the request.
 */
export const envelopeBytes = (envelope: Envelope<unknown>): Uint8Array => {
  const { request, ...rest } = envelope;
  if (!isJsonObject(request) || !(request['body'] instanceof JsonBytes))
    return Buffer.from(JSON.stringify(envelope));
  const { body, ...others } = request;
  const text = JSON.stringify({ ...rest, request: { ...others, ...placeholder } });
  return Buffer.concat([Buffer.from(text.slice(0, -placeholderEnd.length)), body.bytes, Buffer.from('}}')]);
};
