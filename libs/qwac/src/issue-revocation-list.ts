import { AsnConvert } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, CertificateList, TBSCertList, Time, Version } from '@peculiar/asn1-x509';
import { sign } from 'node:crypto';
import { ecdsaWithSha256, type Issuer, toPem, toX500Name } from './issue-certificate.js';

/** Signs an empty revocation list (RFC 5280 §5) and returns it as PEM. */
export const issueEmptyRevocationList = (
  { thisUpdate, nextUpdate }: { readonly thisUpdate: Date; readonly nextUpdate: Date },
  issuer: Issuer,
): string => {
  const signature = new AlgorithmIdentifier({ algorithm: ecdsaWithSha256 });
  const tbsCertList = new TBSCertList({
    version: Version.v2,
    signature,
    issuer: toX500Name(issuer.subject),
    thisUpdate: new Time(thisUpdate),
    nextUpdate: new Time(nextUpdate),
  });
  const signed = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertList)), issuer.privateKey);
  const list = new CertificateList({
    tbsCertList,
    signatureAlgorithm: signature,
    signature: new Uint8Array(signed).buffer,
  });
  return toPem('X509 CRL', AsnConvert.serialize(list));
};
