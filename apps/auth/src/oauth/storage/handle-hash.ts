import { createHash } from 'node:crypto';

/** Returns the hash under which a code, token or grant handle is stored. */
export const hashHandle = (handle: string): Buffer => createHash('sha256').update(handle).digest();
