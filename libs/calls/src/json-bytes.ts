import { isJsonObject } from '@xs2a/domain/form/form-checks';
import type { Envelope } from './context.js';

/**
 * One JSON value that is written already, in UTF-8. As the member `body` of a request it travels byte for byte: what a TPP sent is
 * not written again on its way to the service that validates it. The service receives the value, as if it had been sent parsed.
 */
export class JsonBytes {
  constructor(readonly bytes: Uint8Array) {}
}

const placeholder = { body: null };
const placeholderEnd = 'null}}';

/** The message of a call. Its request is the last member, and a written body the last of that. */
export const envelopeBytes = (envelope: Envelope<unknown>): Uint8Array => {
  const { request, ...rest } = envelope;
  if (!isJsonObject(request) || !(request['body'] instanceof JsonBytes))
    return Buffer.from(JSON.stringify(envelope));
  const { body, ...others } = request;
  const text = JSON.stringify({ ...rest, request: { ...others, ...placeholder } });
  return Buffer.concat([Buffer.from(text.slice(0, -placeholderEnd.length)), body.bytes, Buffer.from('}}')]);
};
