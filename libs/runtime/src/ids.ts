import { randomBytes } from 'node:crypto';
import { v5, v7 } from 'uuid';

/** UUIDv7: sorts by time, so that new rows go to the end of an index. For payments, consents, events. */
export const newId = (): string => v7();

/** Unguessable: `bytes` random bytes as base64url. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url');

/** The same name always gives the same id, so that a repeat is recognised by its key. */
export const uuidv5 = (name: string, namespace: string): string => v5(name, namespace);
