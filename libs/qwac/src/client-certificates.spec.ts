import { describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { agreementFailure } from './agreement.js';
import { clientCertValue } from './certificate-header.js';
import { ClientCertificates } from './client-certificates.js';
import { certificateRefusals, toFailure } from './refusals.js';
import { issueTestQwac, newSandboxAuthority } from './sandbox-authority.js';
import { readAnchors } from './trust-anchors.js';

const start = Date.parse('2026-11-21T10:00:00Z');
const acme = { name: 'Acme', organizationIdentifier: 'PSDBG-BNB-1234', roles: ['PSP_AI'], days: 90 } as const;

describe('client certificates', () => {
  it('are validated against the clock on each call, even if cached', () => {
    let now = start;
    const authority = newSandboxAuthority(start);
    const certificates = new ClientCertificates({
      anchors: readAnchors(authority.certificate),
      form: 'client-cert',
      clock: { nowMs: () => now },
    });
    const der = new X509Certificate(issueTestQwac(acme, authority, start).certificate).raw;
    const header = clientCertValue(der);
    const first = certificates.read(header);
    expect(first).toMatchObject({ der, qwac: { roles: ['PSP_AI'] } });
    expect(certificates.read(header)).toEqual(first);
    now += 91 * 86_400_000;
    expect(certificates.read(header)).toEqual({
      refusal: 'expired',
      outOfTime: 'qwac' in first && first.qwac,
    });
    now = start - 7_200_000;
    expect(certificates.read(header)).toMatchObject({ refusal: 'notYetValid' });
    expect(certificates.read('nonsense')).toEqual({ refusal: 'unreadable' });
  });

  it('if invalid, are rejected with 401 and a text that states the reason', () => {
    const texts = Object.values(certificateRefusals).map(([, text]) => text);
    expect(new Set(texts).size).toBe(texts.length);
    expect(toFailure('expired')).toMatchObject({ failure: 'certificateExpired' });
    expect(toFailure('issuerUnknown')).toMatchObject({ failure: 'certificateInvalid' });
  });
});

describe('a certificate compared with the registration', () => {
  const failureWith = (registered: string | undefined, role: 'PSP_AI' | 'PSP_PI' | undefined) =>
    agreementFailure(acme, { organizationIdentifier: registered }, role)?.failure;

  it('must have the same organizationIdentifier and the role that the call requires', () => {
    expect(failureWith('PSDBG-BNB-1234', 'PSP_AI')).toBeUndefined();
    expect(failureWith('PSDBG-BNB-1234', undefined)).toBeUndefined();
    expect(failureWith('PSDBG-BNB-1234', 'PSP_PI')).toBe('roleMissing');
    expect(failureWith('PSDBG-BNB-12345', 'PSP_AI')).toBe('certificateInvalid');
    expect(failureWith(undefined, 'PSP_AI')).toBe('certificateInvalid');
  });
});
