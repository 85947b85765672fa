import { createHmac } from 'node:crypto';

/** Derives a PSU's identifier (`sub`) in one client's tokens. */
export type SubjectFor = (clientId: string, psuId: string) => string;

/**
 * Pairwise subject identifiers (OpenID Connect Core, 8.1): each client receives its own constant identifier for a
 * PSU. Without the secret, the identifier reveals neither the PSU's sign-in name nor whether two clients refer to
 * the same PSU.
 */
export const pairwiseSubjects =
  (secret: string): SubjectFor =>
  (clientId, psuId) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([clientId, psuId]))
      .digest('base64url');
