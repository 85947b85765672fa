import { GeneralName, SubjectAlternativeName } from '@peculiar/asn1-x509';
import { createPrivateKey, randomBytes } from 'node:crypto';
import { authorityExtensions, issueCertificate, type Issued, makeExtension } from '../issue-certificate.js';

const hourMs = 3_600_000;

/** An authority that signs the certificates of servers, valid for an hour; for tests. */
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

  /** Its certificate, PEM. */
  get certificate(): string {
    return this.issued.certificate;
  }

  /**
   * A certificate for a server with this host name, and for the address 127.0.0.1 with `loopback`. `leftMs`: milliseconds until
   * it expires; negative for an expired one.
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

// Node and nats-server validate certificates by the machine's clock, so they are issued by it.
const validUntil = (leftMs: number): { readonly notBefore: Date; readonly notAfter: Date } => ({
  notBefore: new Date(Date.now() - 2 * hourMs),
  notAfter: new Date(Date.now() + leftMs),
});
