import { createPrivateKey, randomBytes } from 'node:crypto';
import { type CertificateFiles, keepCertificate } from './certificate-files.js';
import {
  authorityExtensions,
  issueCertificate,
  type Issued,
  type Issuer,
  qwacExtensions,
  serverExtensions,
} from './issue-certificate.js';
import { issueEmptyRevocationList } from './issue-revocation-list.js';
import type { PspRole } from './psp-roles.js';

const subject = { C: 'BG', O: 'XS2A sandbox', CN: 'XS2A sandbox test CA' } as const;
const dayMs = 86_400_000;
/** The tolerance for clocks that are slow. */
const earlierMs = 3_600_000;

/** The validity of test files, which are never renewed, in days. */
export const testFilesDays = 3650;

const toIssuer = (authority: Issued): Issuer => ({
  subject,
  privateKey: createPrivateKey(authority.privateKey),
});

const serialNumber = (): Uint8Array => randomBytes(16);

/** Creates a test authority; for sandboxes only. */
export const newSandboxAuthority = (nowMs: number): Issued =>
  issueCertificate({
    subject,
    serialNumber: serialNumber(),
    notBefore: new Date(nowMs - earlierMs),
    notAfter: new Date(nowMs + 20 * 365 * dayMs),
    extensions: authorityExtensions(),
  });

/** Returns a sandbox's test authority, which is created once and then kept with the sandbox's other secrets. */
export const sandboxAuthority = (files: CertificateFiles, nowMs: number): Issued =>
  keepCertificate(files, () => newSandboxAuthority(nowMs));

export interface TestQwac {
  readonly name: string;
  readonly organizationIdentifier: string;
  readonly roles: readonly PspRole[];
  readonly days: number;
}

/** Issues a QWAC from the test authority, with the same form as a real one. */
export const issueTestQwac = (wanted: TestQwac, authority: Issued, nowMs: number): Issued => {
  const { name, organizationIdentifier, roles, days } = wanted;
  return issueCertificate(
    {
      subject: { C: organizationIdentifier.slice(3, 5), O: name, organizationIdentifier, CN: name },
      serialNumber: serialNumber(),
      notBefore: new Date(nowMs - earlierMs),
      notAfter: new Date(nowMs + days * dayMs),
      extensions: qwacExtensions({ organizationIdentifier, roles, authorityName: 'XS2A sandbox authority' }),
    },
    toIssuer(authority),
  );
};

/** Issues a certificate from the test authority to a TLS server with these names and IPv4 addresses. */
export const issueTestServer = (hosts: readonly string[], authority: Issued, nowMs: number): Issued =>
  issueCertificate(
    {
      subject: { O: subject.O, CN: hosts[0] ?? 'localhost' },
      serialNumber: serialNumber(),
      notBefore: new Date(nowMs - earlierMs),
      notAfter: new Date(nowMs + testFilesDays * dayMs),
      extensions: serverExtensions(hosts),
    },
    toIssuer(authority),
  );

/** Issues the test authority's empty revocation list, as PEM. */
export const issueTestRevocationList = (authority: Issued, nowMs: number): string =>
  issueEmptyRevocationList(
    { thisUpdate: new Date(nowMs - earlierMs), nextUpdate: new Date(nowMs + testFilesDays * dayMs) },
    toIssuer(authority),
  );
