import { X509Certificate } from 'node:crypto';

const blocks = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/**
 * The authorities whose certificates the bank takes: those that the EU trusted lists name. Each is an anchor of its own,
 * as the lists mean it, so a chain has one link: the client's certificate is signed by one of these keys.
 */
export interface TrustAnchors {
  readonly certificates: readonly X509Certificate[];
}

/** Reads a file of PEM certificates. Throws when one cannot be read, is no authority, or there is none. */
export const readAnchors = (pem: string): TrustAnchors => {
  const certificates = (pem.match(blocks) ?? []).map((block) => new X509Certificate(block));
  if (certificates.length === 0) throw new Error('the trust anchors contain no certificate');
  const wrong = certificates.findIndex((certificate) => !certificate.ca);
  if (wrong !== -1) throw new Error(`certificate ${wrong + 1} of the trust anchors is not a CA certificate`);
  return { certificates };
};

/** The anchor that issued a certificate and whose key its signature proves. */
export const findIssuer = (
  certificate: X509Certificate,
  { certificates }: TrustAnchors,
): X509Certificate | undefined =>
  certificates.find((anchor) => certificate.checkIssued(anchor) && certificate.verify(anchor.publicKey));
