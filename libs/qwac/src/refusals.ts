import { type Failure, fail, type FailureName } from '@xs2a/domain/failure/failures';

/**
 * The reasons for rejecting a client certificate, in the order of the checks. Each contains the failure that the
 * TPP receives, and what the TPP should do.
 */
export const certificateRefusals = {
  unreadable: ['certificateInvalid', 'The client certificate cannot be read. Send one X.509 certificate.'],
  issuerUnknown: [
    'certificateInvalid',
    'The client certificate was not issued by an authority that this bank trusts. Use your QWAC.',
  ],
  notForClients: [
    'certificateInvalid',
    'The certificate is not a TLS client certificate: its key, key usage or an extension forbids it.',
  ],
  notForWebsites: [
    'certificateInvalid',
    'The certificate is not a QWAC (QcType web). A QSealC is for signatures only.',
  ],
  notQualified: [
    'certificateInvalid',
    'The certificate is not qualified: it has no QcCompliance statement. Use your QWAC.',
  ],
  psd2StatementMissing: [
    'certificateInvalid',
    'The certificate has no PSD2 statement (ETSI TS 119 495). Use a QWAC for payment services.',
  ],
  psd2StatementMalformed: [
    'certificateInvalid',
    'The PSD2 statement of the certificate is malformed. Have the certificate reissued according to ETSI TS 119 495.',
  ],
  organizationUnclear: [
    'certificateInvalid',
    'The certificate names no organizationIdentifier of the form PSDBG-BNB-12345, or one that does not match its authority.',
  ],
  notYetValid: ['certificateInvalid', 'The client certificate is not valid yet.'],
  expired: ['certificateExpired', 'The client certificate has expired. Use a new one.'],
} as const satisfies Readonly<Record<string, readonly [FailureName, text: string]>>;

export type CertificateRefusal = keyof typeof certificateRefusals;

export const toFailure = (refusal: CertificateRefusal): Failure => {
  const [failure, text] = certificateRefusals[refusal];
  return fail(failure, undefined, text);
};
