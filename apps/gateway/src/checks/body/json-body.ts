import { type Failure, fail } from '@xs2a/domain/failure/failures';
import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import type { EdgeRequest } from '../../edge/edge-request.js';
import { parseStrictJson, type StrictJson } from './strict-json.js';

const empty = Buffer.alloc(0);
const read = (request: EdgeRequest): ReturnType<typeof parseStrictJson> =>
  parseStrictJson(request.body ?? empty);

/** The body of a call whose fields the gateway itself validates. Throws CallFailed. */
export const requireBody = (request: EdgeRequest): StrictJson['value'] => {
  const body = read(request);
  if ('failures' in body) throw new CallFailed(body.failures);
  if (body.unclean.length > 0) throw new CallFailed(body.unclean.map(uncleanText));
  return body.value;
};

const uncleanText = (path: string): Failure =>
  fail('fieldMalformed', path, 'Send text without control, format or bidirectional characters.');

/**
 * Bytes of a body as it is sent on: half of what a message between services may hold. One within its limit is longer there only
 * by numbers with an exponent, which are written out (1e20 has 21 digits).
 */
const maxForwarded = 1024 * 1024;
const small = 64 * 1024;
const isTooLong = ({ body }: EdgeRequest, value: unknown): boolean =>
  (body?.length ?? 0) > small && Buffer.byteLength(JSON.stringify(value)) > maxForwarded;

/** Found by a service at a stage that comes before the form of the body (contract 3: headers, replay, resource in the path). */
const beforeBody: ReadonlySet<string> = new Set([
  'headerMalformed',
  'corporateIdUnknown',
  'idempotencyKeyReused',
  'firstAttemptUnderWay',
  'resourceUnknown',
]);

/**
 * Sends the body of a creating POST to its service, which validates its fields, those with unclean text too: so all
 * violations are listed together in the order of the fields, and a replay comes first. For a body that is refused here already,
 * null is sent, which every service refuses: so a failure that comes before the form of the body still wins.
 */
export const forwardBody = async <Answer>(
  request: EdgeRequest,
  send: (body: unknown) => Promise<Answer>,
): Promise<Answer> => {
  const body = read(request);
  if (!('failures' in body) && isTooLong(request, body.value)) throw callFailed('bodyTooLarge');
  if (!('failures' in body)) return send(body.value);
  const failed = await send(null).then(
    () => undefined,
    (error: unknown) => error,
  );
  const first = failed instanceof CallFailed ? failed.failures[0]?.failure : undefined;
  if (first !== undefined && beforeBody.has(first)) throw failed;
  throw new CallFailed(body.failures);
};
