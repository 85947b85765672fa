import { callFailed } from '@xs2a/domain/failure/failed';
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
