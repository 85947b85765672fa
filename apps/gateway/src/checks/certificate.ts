import { CallFailed } from '@xs2a/domain/failure/failed';
import type { CallerCheck } from './check.js';

/**
 * The TPP's certificate, as forwarded by the bank's proxy ({@link CertificateCheck.failure}):
 * - it is unreadable, from an untrusted authority, or expired: 401 `CERTIFICATE_INVALID` or `CERTIFICATE_EXPIRED`.
 * - the token is bound to a different certificate: 401 `TOKEN_INVALID`.
 * - it is missing although the bank requires it: 401 `CERTIFICATE_MISSING`.
 * - its organisation differs from the registration, or it lacks the role for the call: 401 `CERTIFICATE_INVALID`
 * or `ROLE_INVALID`.
 */
export const checkCertificate: CallerCheck = (caller, rule, { request, sources: { certificates } }) => {
  const failure = certificates.failure(request.clientCertificate, caller, rule);
  if (failure !== undefined) throw new CallFailed([failure]);
};
