import { clientCertHeader } from '@xs2a/qwac/certificate-header';
import { type ClientCertificate, ClientCertificates } from '@xs2a/qwac/client-certificates';
import type { IncomingHttpHeaders } from 'node:http';
import { X509Certificate } from 'node:crypto';
import { type Configuration, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Admission } from '../tpp/tpp-certificate.js';

/** Returns the valid certificate that the TPP presented on the TLS connection of a request, if there is one. */
export type ShownCertificate = (request: {
  readonly headers: IncomingHttpHeaders;
}) => ClientCertificate | undefined;

/**
 * Reads the client certificate that the gateway passes on. The gateway removes such headers from incoming requests
 * and has validated the certificate. It is validated again here, because tokens depend on it. Undefined if no
 * certificates can be validated.
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

/** Returns the certificate of the request that the provider is currently handling. */
export const certificateNow = (shown: ShownCertificate | undefined): ClientCertificate | undefined => {
  const request = Provider.ctx?.req;
  return request && shown?.(request);
};

/** Returns the subject that a TPP's certificate must have, as client metadata (RFC 8705, 2.1.2). */
export const toSubject = (organizationIdentifier: string): string =>
  `organizationIdentifier=${organizationIdentifier}`;

/** tls_client_auth and certificate-bound tokens (RFC 8705), which are offered if certificates can be validated. */
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

/** Returns the registered roles. If a certificate is presented, roles that it lacks are omitted. */
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
