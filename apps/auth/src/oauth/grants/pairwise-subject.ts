import { createHmac } from 'node:crypto';

/** Derives the name of a PSU (`sub`) in the tokens of one client. */
export type SubjectFor = (clientId: string, psuId: string) => string;

/**
 * Pairwise subject identifiers (OpenID Connect Core, 8.1): each client gets a name of its own for a PSU, the same every time.
 * Without the secret it reveals neither the PSU's sign-in name nor that two clients mean the same person.
 */
export const pairwiseSubjects =
  (secret: string): SubjectFor =>
  (clientId, psuId) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([clientId, psuId]))
      .digest('base64url');
