import { randomBytes } from 'node:crypto';
import { v5, v7 } from 'uuid';

/**
 * Returns a UUIDv7 (RFC 9562) for payments, consents and events. These ids sort by time, so new rows go to the end
 * of an index. Ids that one process creates within the same millisecond sort in order of creation.
 */
export const newId = (): string => v7();

/** Returns an unguessable token: `bytes` random bytes as base64url. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url');

/**
 * Returns a UUIDv5 (RFC 9562): the same name in the same namespace always gives the same id, so that a repeat is
 * recognised by its key. Throws TypeError if the namespace is not a UUID.
 */
export const uuidv5 = (name: string, namespace: string): string => v5(name, namespace);
