import { JsonBytes } from '@xs2a/calls/json-bytes';
import { bulkLimits } from '@xs2a/domain/bulk/validate-bulk';
import { type Failure, fail, listFailures } from '@xs2a/domain/failure/failures';
import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import type { EdgeRequest } from '../../edge/edge-request.js';
import { type LongArray, parseStrictJson, type StrictJson } from './strict-json.js';

const empty = Buffer.alloc(0);
/** The only array that may be longer than the general limit (contract 3). */
const bulkPayments: LongArray = { name: 'payments', maxElements: bulkLimits.max };

const read = ({ body, edge }: EdgeRequest): ReturnType<typeof parseStrictJson> =>
  parseStrictJson(body ?? empty, edge?.payment?.service === 'bulk-payments' ? bulkPayments : undefined);

/** Returns the body of a call whose fields the gateway validates itself. Throws CallFailed. */
export const requireBody = (request: EdgeRequest): StrictJson['value'] => {
  const body = read(request);
  if ('failures' in body) throw new CallFailed(body.failures);
  if (body.unclean.length > 0) throw new CallFailed(listFailures(body.unclean.map(uncleanText)));
  return body.value;
};

const uncleanText = (path: string): Failure =>
  fail('fieldMalformed', path, 'Send text without control, format or bidirectional characters.');

/** The maximum size of a forwarded body in bytes: half of the maximum size of a message between services. */
const maxForwarded = 1024 * 1024;

/**
 * Removes the values of unknown members and keeps their names, because the services report unknown names in field
 * order.
 */
const withoutUnknown = (value: StrictJson['value'], known: readonly string[]): StrictJson['value'] => {
  const names = Object.keys(value);
  if (names.every((name) => known.includes(name))) return value;
  return Object.fromEntries(
    names.map((name, index) =>
      known.includes(name) ? [name, value[name]] : [name.length > maxNameLength ? `?${index}` : name, null],
    ),
  );
};
/** A longer name is never echoed in an error, so it is not forwarded. */
const maxNameLength = 64;

/**
 * The body to forward, normally the bytes as received. It is serialised again if members are omitted, or if a text
 * contains raw control characters, which JSON does not allow and which take six bytes each when escaped.
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

/** How the service of a creating POST is called. */
interface Forwarding<Answer> {
  /** The members that the service accepts; all if absent. */
  readonly known?: readonly string[];
  /** Creates the resource. The service validates all fields of the body. */
  readonly create: (body: JsonBytes, value: StrictJson['value']) => Promise<Answer>;
  /** Runs only those checks of the service that precede the body (contract 3: headers, replay, resource in the path). */
  readonly checkBeforeBody: () => Promise<unknown>;
}

/**
 * Forwards the body of a creating POST to its service. The service validates all fields, even those with unclean
 * text, so that all violations are listed together in field order, and a replay takes precedence over them. If the
 * body cannot be read, the service only makes the checks that come before it. Throws CallFailed.
 */
export const forwardBody = async <Answer>(
  request: EdgeRequest,
  { known, create, checkBeforeBody }: Forwarding<Answer>,
): Promise<Answer> => {
  const body = read(request);
  if ('failures' in body) {
    await checkBeforeBody();
    throw new CallFailed(body.failures);
  }
  return create(toForward(request.body ?? empty, body, known), body.value);
};
