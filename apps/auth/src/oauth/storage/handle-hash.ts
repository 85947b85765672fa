import { createHash } from 'node:crypto';

/** The form in which handles of codes, tokens and grants are stored. */
export const hashHandle = (handle: string): Buffer => createHash('sha256').update(handle).digest();
