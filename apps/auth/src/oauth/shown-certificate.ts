import { clientCertHeader } from '@xs2a/qwac/certificate-header';
import { type ClientCertificate, ClientCertificates } from '@xs2a/qwac/client-certificates';
import type { IncomingHttpHeaders } from 'node:http';
import { X509Certificate } from 'node:crypto';
import { type Configuration, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Admission } from '../tpp/tpp-certificate.js';

/** The good certificate that a request's TPP has shown on its TLS connection, if it has. */
export type ShownCertificate = (request: {
  readonly headers: IncomingHttpHeaders;
}) => ClientCertificate | undefined;

/**
 * Reads what the gateway says of the client. The gateway lets no such header through but its own, and validates the
 * certificate before; it is validated here again, because tokens depend on it. Absent: no certificate can be validated.
 */
export const shownCertificates = ({ anchors, clock }: Admission): ShownCertificate | undefined => {
  if (anchors === undefined) return undefined;
  const certificates = new ClientCertificates({ anchors, form: 'client-cert', clock });
  return ({ headers }) => {
    const sent = headers[clientCertHeader];
    const read = typeof sent === 'string' ? certificates.read(sent) : undefined;
    return read !== undefined && 'qwac' in read ? read : undefined;
  };
};

/** The certificate of the request that the provider is busy with. */
export const certificateNow = (shown: ShownCertificate | undefined): ClientCertificate | undefined => {
  const request = Provider.ctx?.req;
  return request && shown?.(request);
};

/** The subject that the certificate of a TPP has to have, as client metadata (RFC 8705, 2.1.2). */
export const toSubject = (organizationIdentifier: string): string =>
  `organizationIdentifier=${organizationIdentifier}`;

/** tls_client_auth and tokens bound to the certificate (RFC 8705): offered where certificates can be validated. */
export const mutualTls = (
  shown: ShownCertificate | undefined,
): NonNullable<Configuration['features']>['mTLS'] => {
  if (shown === undefined) return { enabled: false };
  return {
    enabled: true,
    tlsClientAuth: true,
    certificateBoundAccessTokens: true,
    getCertificate: ({ req }) => {
      const certificate = shown(req);
      return certificate && new X509Certificate(certificate.der);
    },
    certificateAuthorized: ({ req }) => shown(req) !== undefined,
    certificateSubjectMatches: ({ req }, property, expected) => {
      const organization = shown(req)?.qwac.organizationIdentifier;
      return (
        property === 'tls_client_auth_subject_dn' &&
        organization !== undefined &&
        toSubject(organization) === expected
      );
    },
  };
};

/** The roles of the registration, without those that the certificate lacks when one is shown. */
export const rolesNow = (
  { oidc: { client }, req }: KoaContextWithOIDC,
  shown: ShownCertificate | undefined,
): readonly string[] => {
  const registered = client?.scope?.split(' ') ?? [];
  const certificate = shown?.(req);
  if (certificate === undefined) return registered;
  const { roles } = certificate.qwac;
  return registered.filter((role) => roles.some((one) => one === role));
};
