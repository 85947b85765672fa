import { type Failure, fail } from '@xs2a/domain/failure/failures';
import type { Qwac } from './qwac.js';

/** The registration that a certificate must match. */
export interface Registration {
  /** If absent, the TPP was registered without one, so no certificate matches. */
  readonly organizationIdentifier?: string;
}

/**
 * Returns the failure if a certificate does not match the TPP's registration, or lacks the role that this call
 * requires (ETSI TS 119 495, 4.2).
 */
export const agreementFailure = (
  { organizationIdentifier, roles }: Pick<Qwac, 'organizationIdentifier' | 'roles'>,
  registration: Registration,
  role: Qwac['roles'][number] | undefined,
): Failure | undefined => {
  if (organizationIdentifier !== registration.organizationIdentifier)
    return fail(
      'certificateInvalid',
      undefined,
      'The client certificate names a different organizationIdentifier than your registration. Use your own QWAC.',
    );
  if (role !== undefined && !roles.includes(role))
    return fail(
      'roleMissing',
      undefined,
      'Your certificate does not include the PSD2 role that this call needs.',
    );
  return undefined;
};
