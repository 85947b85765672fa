import { CallFailed } from '@xs2a/domain/failure/failed';
import type { CallerCheck } from './check.js';

/**
 * The TPP's certificate, as the bank's proxy has handed it on ({@link CertificateCheck.failure}):
 * - it is sent although it cannot be read, is of another authority, or is past its end: 401 `CERTIFICATE_INVALID` or `CERTIFICATE_EXPIRED`.
 * - the token is bound to a certificate, and it is not this one: 401 `TOKEN_INVALID`.
 * - it is missing where the bank requires it: 401 `CERTIFICATE_MISSING`.
 * - it names another organisation than the registration, or not the role of the call: 401 `CERTIFICATE_INVALID` or `ROLE_INVALID`.
 */
export const checkCertificate: CallerCheck = (caller, rule, { request, sources: { certificates } }) => {
  const failure = certificates.failure(request.clientCertificate, caller, rule);
  if (failure !== undefined) throw new CallFailed([failure]);
};
