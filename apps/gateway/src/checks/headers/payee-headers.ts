import { type Failure, fail } from '@xs2a/domain/failure/failures';
import type { IncomingHttpHeaders } from 'node:http';
import { isRepeated } from './repeated-headers.js';

const timestamp = 'X-Request-Timestamp';
const timestampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
const maxAgeMs = 60_000;

/** Validates the headers that a question about a payee must have (contract 15). The form of the id is checked before. */
export const payeeHeaderFailures = (
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[],
  nowMs: number,
): readonly Failure[] => {
  const sentAt = headers[timestamp.toLowerCase()];
  return [
    ...(headers['x-request-id'] === undefined
      ? [fail('headerMalformed', 'X-Request-ID', 'This header is mandatory here. Send a UUID.')]
      : []),
    ...(sentAt === undefined
      ? [fail('headerMalformed', timestamp, 'This header is mandatory here. Send the current time.')]
      : isNow(sentAt, nowMs) && !isRepeated(rawHeaders, timestamp.toLowerCase())
        ? []
        : [fail('timestampInvalid', timestamp)]),
  ];
};

/** True for an ISO 8601 instant that is at most a minute from now, either way. */
const isNow = (sentAt: string | readonly string[], nowMs: number): boolean =>
  typeof sentAt === 'string' &&
  timestampForm.test(sentAt) &&
  Math.abs(Date.parse(sentAt) - nowMs) <= maxAgeMs;
