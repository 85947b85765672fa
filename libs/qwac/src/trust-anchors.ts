import { X509Certificate } from 'node:crypto';

const blocks = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/**
 * The authorities whose certificates the bank accepts: those in the EU trusted lists. As those lists intend, each
 * is a separate anchor, so a chain has only one link: the client's certificate must be signed with the key of one
 * of these authorities.
 */
export interface TrustAnchors {
  readonly certificates: readonly X509Certificate[];
}

/**
 * Reads a file of PEM certificates. Throws if a certificate is unreadable or is not an authority's, or if the file
 * contains none.
 */
export const readAnchors = (pem: string): TrustAnchors => {
  const certificates = (pem.match(blocks) ?? []).map((block) => new X509Certificate(block));
  if (certificates.length === 0) throw new Error('the trust anchors contain no certificate');
  const wrong = certificates.findIndex((certificate) => !certificate.ca);
  if (wrong !== -1) throw new Error(`certificate ${wrong + 1} of the trust anchors is not a CA certificate`);
  return { certificates };
};

/** Returns the anchor that issued a certificate, after verifying the signature with the anchor's key. */
export const findIssuer = (
  certificate: X509Certificate,
  { certificates }: TrustAnchors,
): X509Certificate | undefined =>
  certificates.find((anchor) => certificate.checkIssued(anchor) && certificate.verify(anchor.publicKey));
