import { randomBytes } from 'node:crypto';
import { v5, v7 } from 'uuid';

/**
 * UUIDv7 (RFC 9562): sorts by time, so that new rows go to the end of an index. Ids that one process creates
 * within a millisecond sort in order of creation. For payments, consents, events.
 */
export const newId = (): string => v7();

/** Returns an unguessable token: `bytes` random bytes as base64url. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url');

/**
 * UUIDv5 (RFC 9562): the same name in the same namespace always gives the same id, so that a repeat is recognised
 * by its key. The namespace must be a UUID; otherwise throws TypeError.
 */
export const uuidv5 = (name: string, namespace: string): string => v5(name, namespace);
