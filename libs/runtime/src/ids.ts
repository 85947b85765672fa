import { randomBytes } from 'node:crypto';
import { v5, v7 } from 'uuid';

/**
 * UUIDv7 (RFC 9562): sorts by time, so that new rows go to the end of an index; the ids of one process within a
 * millisecond sort in the order in which they were made. For payments, consents, events.
 */
export const newId = (): string => v7();

/** Unguessable: `bytes` random bytes as base64url. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url');

/**
 * UUIDv5 (RFC 9562): the same name in the same namespace always gives the same id, so that a repeat is recognised by its
 * key. The namespace is a UUID; throws TypeError for anything else.
 */
export const uuidv5 = (name: string, namespace: string): string => v5(name, namespace);
