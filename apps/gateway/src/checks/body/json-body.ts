import { JsonBytes } from '@xs2a/calls/json-bytes';
import { bulkLimits } from '@xs2a/domain/bulk/validate-bulk';
import { type Failure, fail, listFailures } from '@xs2a/domain/failure/failures';
import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import type { EdgeRequest } from '../../edge/edge-request.js';
import { type LongArray, parseStrictJson, type StrictJson } from './strict-json.js';

const empty = Buffer.alloc(0);
/** The one array that may have more elements than others (contract 3). */
const bulkPayments: LongArray = { name: 'payments', maxElements: bulkLimits.max };

const read = ({ body, edge }: EdgeRequest): ReturnType<typeof parseStrictJson> =>
  parseStrictJson(body ?? empty, edge?.payment?.service === 'bulk-payments' ? bulkPayments : undefined);

/** The body of a call whose fields the gateway itself validates. Throws CallFailed. */
export const requireBody = (request: EdgeRequest): StrictJson['value'] => {
  const body = read(request);
  if ('failures' in body) throw new CallFailed(body.failures);
  if (body.unclean.length > 0) throw new CallFailed(listFailures(body.unclean.map(uncleanText)));
  return body.value;
};

const uncleanText = (path: string): Failure =>
  fail('fieldMalformed', path, 'Send text without control, format or bidirectional characters.');

/** Bytes of a body as it is sent on: half of what a message between services may hold. */
const maxForwarded = 1024 * 1024;

/** Members that are no part of the request: their names are sent on, so that they are refused in the order of all fields, and nothing else of them. */
const withoutUnknown = (value: StrictJson['value'], known: readonly string[]): StrictJson['value'] => {
  const names = Object.keys(value);
  if (names.every((name) => known.includes(name))) return value;
  return Object.fromEntries(
    names.map((name, index) =>
      known.includes(name) ? [name, value[name]] : [name.length > maxNameLength ? `?${index}` : name, null],
    ),
  );
};
/** A longer name is never echoed, so it need not travel. */
const maxNameLength = 64;

/**
 * What is forwarded of a body: mostly its bytes as received. It is serialised again where members are left out, or a text has raw control
 * characters, which no JSON has and which take six bytes each then.
 */
const toForward = (
  body: Buffer,
  { value, unclean }: StrictJson,
  known: readonly string[] | undefined,
): JsonBytes => {
  const kept = known === undefined ? value : withoutUnknown(value, known);
  if (kept === value && unclean.length === 0) return new JsonBytes(body);
  const bytes = Buffer.from(JSON.stringify(kept));
  if (bytes.length > maxForwarded) throw callFailed('bodyTooLarge');
  return new JsonBytes(bytes);
};

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
 * violations are listed together in the order of the fields, and a replay comes first. `known`: the members that the service takes.
 * For a body that is refused here already, null is sent, which every service refuses: so a failure that comes before the form of the
 * body still wins.
 */
export const forwardBody = async <Answer>(
  request: EdgeRequest,
  send: (body: JsonBytes | null, value: StrictJson['value'] | null) => Promise<Answer>,
  known?: readonly string[],
): Promise<Answer> => {
  const body = read(request);
  if (!('failures' in body)) return send(toForward(request.body ?? empty, body, known), body.value);
  const failed = await send(null, null).then(
    () => undefined,
    (error: unknown) => error,
  );
  const first = failed instanceof CallFailed ? failed.failures[0]?.failure : undefined;
  if (first !== undefined && beforeBody.has(first)) throw failed;
  throw new CallFailed(body.failures);
};
