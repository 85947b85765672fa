import { createPrivateKey, randomBytes } from 'node:crypto';
import { authorityExtensions, issueCertificate, type Issued, qwacExtensions } from './issue-certificate.js';
import type { PspRole } from './psp-roles.js';

const subject = { C: 'BG', O: 'XS2A sandbox', CN: 'XS2A sandbox test CA' } as const;
const dayMs = 86_400_000;
/** Clocks of others may be slow. */
const earlierMs = 3_600_000;

const serialNumber = (): Uint8Array => randomBytes(16);

/** A new test authority: for a sandbox, never for a bank. */
export const newSandboxAuthority = (nowMs: number): Issued =>
  issueCertificate({
    subject,
    serialNumber: serialNumber(),
    notBefore: new Date(nowMs - earlierMs),
    notAfter: new Date(nowMs + 20 * 365 * dayMs),
    extensions: authorityExtensions(),
  });

export interface TestQwac {
  readonly name: string;
  readonly organizationIdentifier: string;
  readonly roles: readonly PspRole[];
  readonly days: number;
}

/** A QWAC of the test authority, as a qualified one would look. */
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
    { subject, privateKey: createPrivateKey(authority.privateKey) },
  );
};
