import { describe, expect, it } from '@jest/globals';
import { OctetString } from '@peculiar/asn1-schema';
import { Extension } from '@peculiar/asn1-x509';
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import * as fc from 'fast-check';
import {
  authorityExtensions,
  type CertificateToBe,
  issueCertificate,
  type Issued,
  toPsd2Statement,
  qcExtension,
  qwacExtensions,
} from './issue-certificate.js';
import { pspRoleNames, pspRoles } from './psp-roles.js';
import {
  psd2Statement,
  qcCompliance,
  qcStatementsExtension,
  qcType,
  QcTypeList,
  qcTypes,
} from './qc-statements.js';
import { readQwac, timeRefusal } from './qwac.js';
import { issueTestQwac, newSandboxAuthority } from './sandbox-authority.js';
import { readAnchors } from './trust-anchors.js';

const now = Date.parse('2026-11-21T10:00:00Z');
const authority = newSandboxAuthority(now);
const anchors = readAnchors(authority.certificate);
const issuer = {
  subject: { C: 'BG', O: 'XS2A sandbox', CN: 'XS2A sandbox test CA' },
  privateKey: createPrivateKey(authority.privateKey),
};
const acme = {
  name: 'Acme',
  organizationIdentifier: 'PSDBG-BNB-1234',
  roles: ['PSP_AI', 'PSP_PI'],
  days: 90,
} as const;
const statements = { ...acme, authorityName: 'BNB' };
const right: CertificateToBe = {
  subject: { C: 'BG', O: 'Acme', organizationIdentifier: acme.organizationIdentifier, CN: 'Acme' },
  serialNumber: Uint8Array.of(1, 2, 3),
  notBefore: new Date(now - 1000),
  notAfter: new Date(now + 1000),
  extensions: qwacExtensions(statements),
};
const toDer = ({ certificate }: Issued): Uint8Array => new X509Certificate(certificate).raw;
const readRefusal = (der: Uint8Array): string | undefined => {
  const read = readQwac(der, anchors);
  return 'refusal' in read ? read.refusal : undefined;
};
/** Returns the refusal of a certificate that would be valid without these changes. */
const refusalWith = (changes: Partial<CertificateToBe>, signer: typeof issuer | undefined = issuer) =>
  readRefusal(toDer(issueCertificate({ ...right, ...changes }, signer)));
/** Returns the valid extensions with one of them replaced. */
const withExtension = (changed: Extension): Extension[] => [
  ...right.extensions.filter(({ extnID }) => extnID !== changed.extnID),
  changed,
];
const raw = (extnID: string, bytes: Uint8Array, critical = false): Extension =>
  new Extension({ extnID, critical, extnValue: new OctetString(bytes) });
const compliance = [qcCompliance] as const;
const web = [qcType, new QcTypeList([qcTypes.web])] as const;
const psd2 = toPsd2Statement(statements);

describe('a QWAC for payment services (ETSI TS 119 495)', () => {
  it('yields organization, roles, authority, thumbprint and validity', () => {
    const issued = issueTestQwac(acme, authority, now);
    const read = readQwac(toDer(issued), anchors);
    const { fingerprint256 } = new X509Certificate(issued.certificate);
    expect(read).toEqual({
      qwac: {
        organizationIdentifier: 'PSDBG-BNB-1234',
        roles: ['PSP_AI', 'PSP_PI'],
        authority: { name: 'XS2A sandbox authority', id: 'BG-BNB' },
        subject: 'C=BG,O=Acme,organizationIdentifier=PSDBG-BNB-1234,CN=Acme',
        thumbprint: Buffer.from(fingerprint256.replaceAll(':', ''), 'hex').toString('base64url'),
        validFrom: now - 3_600_000,
        validTo: now + 90 * 86_400_000 + 999,
      },
    });
  });

  it('is valid from the first to the last second of its validity period, according to the clock', () => {
    const read = readQwac(toDer(issueTestQwac(acme, authority, now)), anchors);
    if (!('qwac' in read)) throw new Error(read.refusal);
    const { validFrom, validTo } = read.qwac;
    expect(timeRefusal(read.qwac, validFrom - 1)).toBe('notYetValid');
    expect(timeRefusal(read.qwac, validFrom)).toBeUndefined();
    expect(timeRefusal(read.qwac, validTo)).toBeUndefined();
    expect(timeRefusal(read.qwac, validTo + 1)).toBe('expired');
  });

  it('expires together with its issuer if the issuer expires first', () => {
    const young = issueCertificate({
      ...right,
      subject: issuer.subject,
      notAfter: new Date(now + 5000),
      extensions: authorityExtensions(),
      keys: {
        privateKey: issuer.privateKey,
        publicKey: new X509Certificate(authority.certificate).publicKey,
      },
    });
    const read = readQwac(toDer(issueTestQwac(acme, authority, now)), readAnchors(young.certificate));
    expect(read).toMatchObject({ qwac: { validTo: now + 5999 } });
  });

  it('can contain any set of roles (property, 200 runs)', () => {
    const roles = fc.uniqueArray(fc.constantFrom(...pspRoleNames), { minLength: 1 });
    fc.assert(
      fc.property(roles, (chosen) => {
        const read = readQwac(toDer(issueTestQwac({ ...acme, roles: chosen }, authority, now)), anchors);
        expect(read).toMatchObject({ qwac: { roles: chosen } });
      }),
      { numRuns: 200 },
    );
  });
});

describe('the validation of client certificates (contract 4)', () => {
  const other = newSandboxAuthority(now);
  const cases: readonly (readonly [string, () => string | undefined, string])[] = [
    [
      'of another authority of the same name',
      () => readRefusal(toDer(issueTestQwac(acme, other, now))),
      'issuerUnknown',
    ],
    ['that is self-signed', () => readRefusal(toDer(issueCertificate(right))), 'issuerUnknown'],
    [
      'that is self-signed under the authority’s name',
      () => readRefusal(toDer(issueCertificate({ ...right, subject: issuer.subject }))),
      'issuerUnknown',
    ],
    ['of the authority itself', () => readRefusal(toDer(authority)), 'notForClients'],
    [
      'that is an authority',
      () => refusalWith({ extensions: [...authorityExtensions(), ...right.extensions.slice(2)] }),
      'notForClients',
    ],
    [
      'with a key of 1024 bits',
      () => refusalWith({ keys: generateKeyPairSync('rsa', { modulusLength: 1024 }) }),
      'notForClients',
    ],
    ['with an Ed25519 key', () => refusalWith({ keys: generateKeyPairSync('ed25519') }), 'notForClients'],
    [
      'for servers only',
      // extKeyUsage: serverAuth
      () =>
        refusalWith({
          extensions: withExtension(raw('2.5.29.37', Buffer.from('300a06082b06010505070301', 'hex'))),
        }),
      'notForClients',
    ],
    [
      'whose key may not sign',
      // keyUsage: keyEncipherment
      () => refusalWith({ extensions: withExtension(raw('2.5.29.15', Buffer.from('03020520', 'hex'))) }),
      'notForClients',
    ],
    [
      'with a critical extension that nobody knows',
      () =>
        refusalWith({ extensions: [...right.extensions, raw('1.2.3.4', Buffer.from('0500', 'hex'), true)] }),
      'notForClients',
    ],
    [
      'with its qcStatements twice',
      () =>
        refusalWith({
          extensions: [...right.extensions, qcExtension([compliance, web, [psd2Statement, psd2]])],
        }),
      'notForClients',
    ],
    [
      'without qcStatements',
      () =>
        refusalWith({
          extensions: right.extensions.filter(({ extnID }) => extnID !== qcStatementsExtension),
        }),
      'notForWebsites',
    ],
    [
      'with qcStatements that are not ASN.1',
      () => refusalWith({ extensions: withExtension(raw(qcStatementsExtension, Buffer.from('nonsense'))) }),
      'notForWebsites',
    ],
    [
      'for seals (QSealC)',
      () =>
        refusalWith({
          extensions: withExtension(
            qcExtension([
              [qcType, new QcTypeList([qcTypes.eSeal])],
              [psd2Statement, psd2],
            ]),
          ),
        }),
      'notForWebsites',
    ],
    [
      'with two QcType statements',
      () =>
        refusalWith({
          extensions: withExtension(qcExtension([compliance, web, web, [psd2Statement, psd2]])),
        }),
      'notForWebsites',
    ],
    [
      'that is not qualified (no QcCompliance, ETSI EN 319 412-5, 4.2.1)',
      () => refusalWith({ extensions: withExtension(qcExtension([web, [psd2Statement, psd2]])) }),
      'notQualified',
    ],
    [
      'without a PSD2 statement',
      () => refusalWith({ extensions: withExtension(qcExtension([compliance, web])) }),
      'psd2StatementMissing',
    ],
    [
      'with an empty PSD2 statement',
      () => refusalWith({ extensions: withExtension(qcExtension([compliance, web, [psd2Statement]])) }),
      'psd2StatementMalformed',
    ],
    [
      'with no role',
      () =>
        refusalWith({
          extensions: withExtension(
            qcExtension([compliance, web, [psd2Statement, toPsd2Statement({ ...statements, roles: [] })]]),
          ),
        }),
      'psd2StatementMalformed',
    ],
    [
      'whose role’s name is not its identifier’s',
      () => {
        const mixed = toPsd2Statement(statements);
        const [role] = mixed.roles;
        if (role !== undefined) role.id = pspRoles.PSP_IC;
        return refusalWith({
          extensions: withExtension(qcExtension([compliance, web, [psd2Statement, mixed]])),
        });
      },
      'psd2StatementMalformed',
    ],
    [
      'without an authority',
      () =>
        refusalWith({
          extensions: withExtension(
            qcExtension([
              compliance,
              web,
              [psd2Statement, Object.assign(toPsd2Statement(statements), { authorityId: '' })],
            ]),
          ),
        }),
      'psd2StatementMalformed',
    ],
    [
      'of another authority than the identifier says',
      () =>
        refusalWith({
          extensions: withExtension(
            qcExtension([
              compliance,
              web,
              [psd2Statement, Object.assign(toPsd2Statement(statements), { authorityId: 'DE-BAFIN' })],
            ]),
          ),
        }),
      'organizationUnclear',
    ],
    [
      'without an organizationIdentifier',
      () => refusalWith({ subject: { CN: 'Acme' } }),
      'organizationUnclear',
    ],
    ...['VATBG-123', 'PSDBG-BNB-', 'psdbg-bnb-1', 'PSDBG-B-1', 'PSDBG-BNB-1 2', 'PSDBG-BNB-1\n'].map(
      (organizationIdentifier) =>
        [
          `with the organizationIdentifier ${JSON.stringify(organizationIdentifier)}`,
          () => refusalWith({ subject: { CN: 'Acme', organizationIdentifier } }),
          'organizationUnclear',
        ] as const,
    ),
  ];

  it.each(cases)('rejects a certificate %s', (_name, refusal, expected) => expect(refusal()).toBe(expected));

  it('accepts the valid certificate from which the others are derived', () => {
    expect(refusalWith({})).toBeUndefined();
    expect(
      refusalWith({ extensions: [...right.extensions, raw('1.2.3.4', Buffer.from('0500', 'hex'))] }),
    ).toBeUndefined();
    expect(refusalWith({ extensions: withExtension(qcExtension([])) })).toBe('notForWebsites');
  });
});

describe('invalid or altered certificate bytes', () => {
  const der = toDer(issueTestQwac(acme, authority, now));

  it('are rejected when truncated anywhere or followed by extra bytes', () => {
    for (let length = 0; length < der.length; length += 1)
      expect(readRefusal(der.subarray(0, length))).toBe('unreadable');
    expect(readRefusal(Buffer.concat([der, Buffer.from([0])]))).toBe('unreadable');
  });

  it('are rejected if any single bit is flipped (property, 2,000 runs)', () => {
    fc.assert(
      fc.property(fc.nat(der.length * 8 - 1), (bit) => {
        const changed = Uint8Array.from(der);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(readRefusal(changed)).toMatch(/^(?:unreadable|issuerUnknown)$/);
      }),
      { numRuns: 2000 },
    );
  });

  it('are rejected if they are random (property, 2,000 runs)', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        expect(readRefusal(bytes)).toBe('unreadable');
      }),
      { numRuns: 2000 },
    );
  });

  it('are rejected without an exception if they are the value of qcStatements (property, 1,000 runs)', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(refusalWith({ keys, extensions: withExtension(raw(qcStatementsExtension, bytes)) })).toBe(
          'notForWebsites',
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('are rejected even if they are nested as deeply as the header allows', () => {
    const deep = Buffer.from('3080'.repeat(3000), 'hex');
    expect(refusalWith({ keys, extensions: withExtension(raw(qcStatementsExtension, deep)) })).toBe(
      'notForWebsites',
    );
  });
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
});

describe('the trust anchors', () => {
  it('must all be authorities, and there must be at least one', () => {
    expect(() => readAnchors('')).toThrow('no certificate');
    const client = issueTestQwac(acme, authority, now);
    expect(() => readAnchors(authority.certificate + client.certificate)).toThrow('certificate 2');
    expect(
      readAnchors(`# comment\n${authority.certificate}\n${newSandboxAuthority(now).certificate}`)
        .certificates,
    ).toHaveLength(2);
  });
});
