import { GeneralName, SubjectAlternativeName } from '@peculiar/asn1-x509';
import { createPrivateKey, randomBytes } from 'node:crypto';
import { authorityExtensions, issueCertificate, type Issued, makeExtension } from '../issue-certificate.js';

const hourMs = 3_600_000;

/** An authority for tests, which signs server certificates that are valid for an hour. */
export class ServerAuthority {
  private readonly issued: Issued;

  constructor(private readonly name: string) {
    this.issued = issueCertificate({
      subject: { CN: name },
      serialNumber: randomBytes(16),
      ...validUntil(hourMs),
      extensions: authorityExtensions(),
    });
  }

  /** The authority's certificate, as PEM. */
  get certificate(): string {
    return this.issued.certificate;
  }

  /**
   * Issues a certificate for a server with this host name and, with `loopback`, also for the address 127.0.0.1.
   * `leftMs`: milliseconds until it expires; negative for an expired certificate.
   */
  issue(host: string, { leftMs = hourMs, loopback = false } = {}): Issued {
    const address = loopback ? [new GeneralName({ iPAddress: '127.0.0.1' })] : [];
    const names = new SubjectAlternativeName([new GeneralName({ dNSName: host }), ...address]);
    return issueCertificate(
      {
        subject: { CN: host },
        serialNumber: randomBytes(16),
        ...validUntil(leftMs),
        extensions: [makeExtension('2.5.29.17', names)],
      },
      { subject: { CN: this.name }, privateKey: createPrivateKey(this.issued.privateKey) },
    );
  }
}

// Node and nats-server validate certificates against the machine's clock, so certificates are issued by that
// clock.
const validUntil = (leftMs: number): { readonly notBefore: Date; readonly notAfter: Date } => ({
  notBefore: new Date(Date.now() - 2 * hourMs),
  notAfter: new Date(Date.now() + leftMs),
});
