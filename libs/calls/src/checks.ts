import { maxTimelineEvents, type ReadLog } from '@xs2a/contracts/timeline.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { isMaxText } from '@xs2a/domain/text/text';
import { isUuid } from '@xs2a/domain/text/uuid';

/** Throws CallFailed (fieldMalformed) unless a limit is a whole number from 0 to `max`. */
export const mustBeLimit = (limit: unknown, max = 500): void => {
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 0 || limit > max)
    throw callFailed('fieldMalformed', 'limit', `Send a number from 0 to ${max}.`);
};

/** Throws CallFailed (fieldMalformed) unless the id of a resource is a UUID. */
export const mustBeId = (id: unknown, path = 'id'): void => {
  if (!isUuid(id)) throw callFailed('fieldMalformed', path, 'Send a UUID in lower case.');
};

const isPosition = (value: unknown): boolean =>
  value === undefined || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0);

const isText = (value: unknown, max: number): boolean => value === undefined || isMaxText(value, max);

/** Throws CallFailed (fieldMalformed) for the first member that is not valid. */
export const mustBeLogRequest = (request: ReadLog): void => {
  const { after, before, until, type, tppId, product, status, limit } = request;
  mustBeLimit(limit, maxTimelineEvents);
  if (!isPosition(after)) throw callFailed('fieldMalformed', 'after', 'Send a position.');
  if (!isPosition(before)) throw callFailed('fieldMalformed', 'before', 'Send a position.');
  if (until !== undefined && (!isMaxText(until, 30) || Number.isNaN(Date.parse(until))))
    throw callFailed('fieldMalformed', 'until', 'Send a time.');
  if (!isText(type, 50)) throw callFailed('fieldMalformed', 'type', 'Send 1 to 50 characters.');
  if (!isText(tppId, 255)) throw callFailed('fieldMalformed', 'tppId', 'Send 1 to 255 characters.');
  if (!isText(product, 50)) throw callFailed('fieldMalformed', 'product', 'Send 1 to 50 characters.');
  if (!isText(status, 50)) throw callFailed('fieldMalformed', 'status', 'Send 1 to 50 characters.');
};
