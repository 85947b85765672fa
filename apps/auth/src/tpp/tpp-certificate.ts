import { readQwac, type ReadQwac, timeRefusal } from '@xs2a/qwac/qwac';
import { certificateRefusals } from '@xs2a/qwac/refusals';
import { readAnchors, type TrustAnchors } from '@xs2a/qwac/trust-anchors';
import { ConfigError } from '@xs2a/runtime/config';
import { X509Certificate } from 'node:crypto';
import type { AuthMethod } from './auth-methods.js';

/** The rules for the TPPs that the bank registers. */
export interface Admission {
  /**
   * True outside the sandbox: https is mandatory, loopback hosts are forbidden, and an organizationIdentifier is
   * required.
   */
  readonly isBank: boolean;
  /** The trusted authorities; if absent, certificates cannot be validated, so none is accepted. */
  readonly anchors?: TrustAnchors;
  /** The client authentication methods that TPPs may use; if absent, all of them. */
  readonly authMethods?: readonly AuthMethod[];
  readonly clock: { nowMs(): number };
}

/** Derives the registration rules from the settings. Throws ConfigError. */
export const findAdmission = (
  config: { readonly SANDBOX: boolean; readonly TRUST_ANCHORS?: string },
  clock: { nowMs(): number },
): Admission => {
  const isBank = !config.SANDBOX;
  if (config.TRUST_ANCHORS === undefined) return { isBank, clock };
  try {
    return { isBank, clock, anchors: readAnchors(config.TRUST_ANCHORS) };
  } catch (error) {
    throw new ConfigError([`TRUST_ANCHORS: ${error instanceof Error ? error.message : 'not certificates'}`]);
  }
};

const read = (pem: unknown, { anchors, clock }: Admission): ReadQwac => {
  if (anchors === undefined) return { refusal: 'issuerUnknown' };
  if (typeof pem !== 'string' || pem.length > 10_000 || !pem.startsWith('-----BEGIN CERTIFICATE-----'))
    return { refusal: 'unreadable' };
  const found = readQwac(toDer(pem), anchors);
  const refusal = 'qwac' in found ? timeRefusal(found.qwac, clock.nowMs()) : undefined;
  return refusal === undefined ? found : { refusal };
};

const toDer = (pem: string): Uint8Array => {
  try {
    return new X509Certificate(pem).raw;
  } catch {
    return new Uint8Array();
  }
};

/**
 * The reason to reject the certificate in a registration: the QWAC itself is invalid, or it contradicts other
 * fields.
 */
export const certificateProblem = (body: object, admission: Admission): string | undefined => {
  const field = (name: string): unknown => Reflect.get(body, name);
  const found = read(field('certificate'), admission);
  if ('refusal' in found) return certificateRefusals[found.refusal][1];
  const { organizationIdentifier, roles } = found.qwac;
  const stated = field('organizationIdentifier');
  if (stated !== undefined && stated !== organizationIdentifier)
    return 'The certificate names a different organizationIdentifier. Omit the field, or send the value from the certificate.';
  const wanted = field('roles');
  const lacks = Array.isArray(wanted) && !wanted.every((role) => roles.includes(role));
  return lacks
    ? 'The certificate does not include all of the roles. Register only those that it includes.'
    : undefined;
};

/** The organization named in a certificate that has no {@link certificateProblem}. */
export const findOrganization = (certificate: unknown, admission: Admission): string | undefined => {
  const found = read(certificate, admission);
  return 'qwac' in found ? found.qwac.organizationIdentifier : undefined;
};
