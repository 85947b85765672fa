import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { parseAuthority, type PspRole, pspRoles } from './psp-roles.js';
import {
  psd2Statement,
  Psd2Statement,
  qcCompliance,
  QcStatement,
  QcStatements,
  qcStatementsExtension,
  qcType,
  QcTypeList,
  qcTypes,
  RoleOfPsp,
} from './qc-statements.js';

export const ecdsaWithSha256 = '1.2.840.10045.4.3.2';
const attributeTypes = {
  C: '2.5.4.6',
  O: '2.5.4.10',
  organizationIdentifier: '2.5.4.97',
  CN: '2.5.4.3',
} as const;
export type Subject = Readonly<Partial<Record<keyof typeof attributeTypes, string>>>;

/** A certificate with its private key. */
export interface Issued {
  /** PEM. */
  readonly certificate: string;
  /** PKCS #8 PEM. */
  readonly privateKey: string;
}

export interface CertificateToBe {
  readonly subject: Subject;
  /** A positive number of at most 20 bytes. */
  readonly serialNumber: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly extensions: readonly Extension[];
  /** The certificate's key pair. By default, a new P-256 pair. */
  readonly keys?: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
}
/** The issuer: its P-256 key, and its name as it appears in the certificates. */
export interface Issuer {
  readonly subject: Subject;
  readonly privateKey: KeyObject;
}

export const toX500Name = (subject: Subject): Name =>
  new Name(
    (Object.keys(attributeTypes) as (keyof Subject)[])
      .filter((key) => subject[key] !== undefined)
      .map((key) => {
        const text = subject[key];
        const value = new AttributeValue(key === 'C' ? { printableString: text } : { utf8String: text });
        return new RelativeDistinguishedName([
          new AttributeTypeAndValue({ type: attributeTypes[key], value }),
        ]);
      }),
  );

export const makeExtension = (extnID: string, value: unknown, critical = false): Extension =>
  new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });

/** Returns the content of an ASN.1 INTEGER that is positive and has no unnecessary leading zeros. */
const toInteger = (bytes: Uint8Array): ArrayBuffer => {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = start === -1 ? [0] : [...bytes.subarray(start)];
  return new Uint8Array((digits[0] ?? 0) >= 0x80 ? [0, ...digits] : digits).buffer;
};

export const toPem = (label: 'CERTIFICATE' | 'X509 CRL', der: ArrayBuffer): string => {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
};

/** Signs a certificate with the issuer's key; without an issuer, the certificate is self-signed. */
export const issueCertificate = (wanted: CertificateToBe, issuer?: Issuer): Issued => {
  const { publicKey, privateKey } = wanted.keys ?? generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signature = new AlgorithmIdentifier({ algorithm: ecdsaWithSha256 });
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: toInteger(wanted.serialNumber),
    signature,
    issuer: toX500Name((issuer ?? wanted).subject),
    validity: new Validity({ notBefore: wanted.notBefore, notAfter: wanted.notAfter }),
    subject: toX500Name(wanted.subject),
    subjectPublicKeyInfo: AsnConvert.parse(
      publicKey.export({ type: 'spki', format: 'der' }),
      SubjectPublicKeyInfo,
    ),
    extensions: new Extensions([...wanted.extensions]),
  });
  const signed = sign(
    'sha256',
    Buffer.from(AsnConvert.serialize(tbsCertificate)),
    issuer?.privateKey ?? privateKey,
  );
  const certificate = new Certificate({
    tbsCertificate,
    signatureAlgorithm: signature,
    signatureValue: new Uint8Array(signed).buffer,
  });
  return {
    certificate: toPem('CERTIFICATE', AsnConvert.serialize(certificate)),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
};

/** Returns the extensions of a CA certificate. */
export const authorityExtensions = (): Extension[] => [
  makeExtension('2.5.29.19', new BasicConstraints({ cA: true, pathLenConstraint: 0 }), true),
  makeExtension('2.5.29.15', new KeyUsage(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign), true),
];

/** Returns the extensions of a TLS server certificate for these names and IPv4 addresses. */
export const serverExtensions = (hosts: readonly string[]): Extension[] => [
  makeExtension('2.5.29.19', new BasicConstraints({ cA: false }), true),
  makeExtension('2.5.29.15', new KeyUsage(KeyUsageFlags.digitalSignature), true),
  makeExtension('2.5.29.37', new ExtendedKeyUsage(['1.3.6.1.5.5.7.3.1'])),
  makeExtension(
    '2.5.29.17',
    new SubjectAlternativeName(
      hosts.map((host) => new GeneralName(isIPv4(host) ? { iPAddress: host } : { dNSName: host })),
    ),
  ),
];

export interface QwacStatements {
  readonly organizationIdentifier: string;
  readonly roles: readonly PspRole[];
  readonly authorityName: string;
}

/** Returns the extensions of a QWAC for payment services (ETSI TS 119 495, 5). */
export const qwacExtensions = ({
  organizationIdentifier,
  roles,
  authorityName,
}: QwacStatements): Extension[] => [
  makeExtension('2.5.29.19', new BasicConstraints({ cA: false }), true),
  makeExtension('2.5.29.15', new KeyUsage(KeyUsageFlags.digitalSignature), true),
  makeExtension('2.5.29.37', new ExtendedKeyUsage(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'])),
  qcExtension([
    [qcCompliance],
    [qcType, new QcTypeList([qcTypes.web])],
    [psd2Statement, toPsd2Statement({ organizationIdentifier, roles, authorityName })],
  ]),
];

export const qcExtension = (statements: readonly (readonly [id: string, info?: unknown])[]): Extension =>
  makeExtension(
    qcStatementsExtension,
    new QcStatements(
      statements.map(([id, info]) =>
        Object.assign(
          new QcStatement(),
          { id },
          info === undefined ? {} : { info: AsnConvert.serialize(info) },
        ),
      ),
    ),
  );

export const toPsd2Statement = ({
  organizationIdentifier,
  roles,
  authorityName,
}: QwacStatements): Psd2Statement =>
  Object.assign(new Psd2Statement(), {
    roles: roles.map((name) => Object.assign(new RoleOfPsp(), { id: pspRoles[name], name })),
    authorityName,
    authorityId: parseAuthority(organizationIdentifier),
  });
