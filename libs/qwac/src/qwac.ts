import { AsnConvert } from '@peculiar/asn1-schema';
import { Certificate, type Name } from '@peculiar/asn1-x509';
import { createHash, X509Certificate } from 'node:crypto';
import { parseAuthority, isOrganizationIdentifier, type PspRole } from './psp-roles.js';
import { qcStatementsExtension, qcTypes, readQcStatements } from './qc-statements.js';
import type { CertificateRefusal } from './refusals.js';
import { findIssuer, type TrustAnchors } from './trust-anchors.js';

/**
 * The content of a qualified website certificate for payment services, returned only after the issuer's signature
 * was verified.
 */
export interface Qwac {
  /** `PSDBG-BNB-12345` (ETSI TS 119 495, 5.2.1). */
  readonly organizationIdentifier: string;
  readonly roles: readonly PspRole[];
  readonly authority: { readonly name: string; readonly id: string };
  /** The subject's attributes in order: `CN=…`, `O=…`, … joined by commas. For people and logs only. */
  readonly subject: string;
  /** SHA-256 of the DER in base64url: the `x5t#S256` of RFC 8705, 3.1. */
  readonly thumbprint: string;
  /** The time from which both the certificate and its issuer are valid, in epoch milliseconds. */
  readonly validFrom: number;
  readonly validTo: number;
}
export type ReadQwac = { readonly qwac: Qwac } | { readonly refusal: CertificateRefusal };

const organizationIdentifierAttribute = '2.5.4.97';
const clientAuthentication = '1.3.6.1.5.5.7.3.2';
const keyUsageExtension = '2.5.29.15';

/** The accepted signature algorithms: RSA (including PSS) and ECDSA, with SHA-256 or stronger. */
const goodSignatures: ReadonlySet<string> = new Set([
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
  '1.2.840.113549.1.1.10',
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
]);
/**
 * The extensions that this parser handles. A certificate with any other critical extension must be rejected (RFC
 * 5280, 4.2).
 */
const minded: ReadonlySet<string> = new Set([
  keyUsageExtension,
  '2.5.29.17', // subjectAltName
  '2.5.29.19', // basicConstraints
  '2.5.29.32', // certificatePolicies
  '2.5.29.37', // extKeyUsage
  qcStatementsExtension,
]);

const parseX509 = (der: Uint8Array): X509Certificate | undefined => {
  try {
    const certificate = new X509Certificate(der);
    // OpenSSL ignores trailing bytes, which the signature does not cover.
    return certificate.raw.length === der.length ? certificate : undefined;
  } catch {
    return undefined;
  }
};

const parseCertificate = (der: Uint8Array): Certificate | undefined => {
  try {
    return AsnConvert.parse(der, Certificate);
  } catch {
    return undefined;
  }
};

/**
 * Parses a client's certificate and validates everything except the time (see {@link timeRefusal}). Interprets
 * nothing in it until a trusted authority's signature has been verified.
 */
export const readQwac = (der: Uint8Array, anchors: TrustAnchors): ReadQwac => {
  const certificate = parseX509(der);
  if (certificate === undefined) return { refusal: 'unreadable' };
  const issuer = findIssuer(certificate, anchors);
  if (issuer === undefined) return { refusal: 'issuerUnknown' };
  const parsed = parseCertificate(der);
  if (parsed === undefined) return { refusal: 'unreadable' };
  if (!isForClients(certificate, parsed)) return { refusal: 'notForClients' };
  const facts = qwacFacts(parsed);
  if (typeof facts === 'string') return { refusal: facts };
  const [from, to] = [certificate, issuer]
    .map(validity)
    .reduce(([aFrom, aTo], [bFrom, bTo]) => [Math.max(aFrom, bFrom), Math.min(aTo, bTo)]);
  return {
    qwac: {
      ...facts,
      subject: certificate.subject.split('\n').join(','),
      thumbprint: createHash('sha256').update(der).digest('base64url'),
      validFrom: from,
      validTo: to,
    },
  };
};

/**
 * Returns the refusal if the certificate is not valid at this moment (epoch milliseconds). It is still valid
 * during its last second.
 */
export const timeRefusal = (
  { validFrom, validTo }: Pick<Qwac, 'validFrom' | 'validTo'>,
  nowMs: number,
): CertificateRefusal | undefined =>
  nowMs < validFrom ? 'notYetValid' : nowMs > validTo ? 'expired' : undefined;

const validity = ({ validFrom, validTo }: X509Certificate): [from: number, to: number] => [
  Date.parse(validFrom),
  Date.parse(validTo) + 999,
];

const isForClients = (
  certificate: X509Certificate,
  { tbsCertificate, signatureAlgorithm }: Certificate,
): boolean => {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey;
  const isStrong =
    type === 'ec' || (type !== undefined && type.startsWith('rsa') && (details?.modulusLength ?? 0) >= 2048);
  const extensions = [...(tbsCertificate.extensions ?? [])];
  const ids = extensions.map(({ extnID }) => extnID);
  const uses: readonly string[] = certificate.keyUsage ?? [];
  const keyUsage = extensions.find(({ extnID }) => extnID === keyUsageExtension)?.extnValue.buffer;
  return (
    !certificate.ca &&
    isStrong &&
    goodSignatures.has(signatureAlgorithm.algorithm) &&
    (uses.length === 0 || uses.includes(clientAuthentication)) &&
    (keyUsage === undefined || hasDigitalSignature(keyUsage)) &&
    new Set(ids).size === ids.length &&
    extensions.every(({ extnID, critical }) => !critical || minded.has(extnID))
  );
};

/**
 * True if digitalSignature, the first bit of this BIT STRING (tag, length, unused bits, bits), is set (RFC 5280,
 * 4.2.1.3).
 */
const hasDigitalSignature = (value: ArrayBuffer): boolean => {
  const [tag, length = 0, , bits = 0] = new Uint8Array(value);
  return tag === 0x03 && length >= 2 && (bits & 0x80) !== 0;
};

const qwacFacts = ({
  tbsCertificate: { subject, extensions },
}: Certificate): Pick<Qwac, 'organizationIdentifier' | 'roles' | 'authority'> | CertificateRefusal => {
  const extension = extensions?.find(({ extnID }) => extnID === qcStatementsExtension);
  const statements = extension && readQcStatements(extension.extnValue.buffer);
  if (statements === undefined || !statements.types.includes(qcTypes.web)) return 'notForWebsites';
  if (!statements.isQualified) return 'notQualified';
  if (!statements.hasPsd2Statement) return 'psd2StatementMissing';
  if (statements.psd2 === undefined) return 'psd2StatementMalformed';
  const organizationIdentifier = onlyAttribute(subject, organizationIdentifierAttribute);
  if (!isOrganizationIdentifier(organizationIdentifier)) return 'organizationUnclear';
  if (parseAuthority(organizationIdentifier) !== statements.psd2.authority.id) return 'organizationUnclear';
  return { organizationIdentifier, ...statements.psd2 };
};

/** Returns the value of an attribute if it occurs exactly once. */
const onlyAttribute = (name: Name, type: string): string | undefined => {
  const found = [...name].flatMap((relative) => [...relative]).filter((attribute) => attribute.type === type);
  return found.length === 1 ? found[0]?.value.toString() : undefined;
};
