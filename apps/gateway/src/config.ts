import { authProfiles } from '@xs2a/contracts/auth.contract';
import { certificateForms } from '@xs2a/qwac/certificate-header';
import {
  bytes,
  choice,
  type ConfigOf,
  count,
  httpConfig,
  optional,
  publicUrl,
  receiverConfig,
  sharedSecrets,
  text,
  url,
} from '@xs2a/runtime/config';

/** The gateway's settings, in addition to those of every service. */
export const config = {
  ...httpConfig,
  ...receiverConfig,
  /** The public origin, which links and tokens name. */
  BASE_URL: publicUrl(),
  /** The origin of the PSU's pages if they have a separate host (contract 1); absent: BASE_URL. */
  PAGES_URL: optional(publicUrl()),
  /** The address of the authorization server and the SCA pages. */
  AUTH_URL: url(),
  /** The gateway sends the first as `X-Gateway-Secret`; the authorization server accepts each and refuses all other requests. */
  GATEWAY_SECRET: sharedSecrets(),
  /** `fapi2`: unbound access tokens are refused. The same in the authorization server. */
  AUTH_PROFILE: choice(authProfiles)('oauth2'),
  /** Whether a call with a token needs the TPP's certificate; absent: required outside the sandbox. */
  CLIENT_CERTIFICATES: optional(choice(['required', 'optional'])()),
  /** The header with the client's certificate, from the proxy that ends TLS (docs/how-to/register-a-tpp.md). */
  CLIENT_CERTIFICATE_HEADER: text('x-ssl-client-cert'),
  /** The certificate's form in that header. */
  CLIENT_CERTIFICATE_FORM: choice(certificateForms)('escaped-pem'),
  /** The proxy's `X-Proxy-Secret`, at least 32 characters; without it a certificate is ignored. */
  PROXY_SECRET: optional(text()),
  /** The most requests that a TPP, or an address without a verified token, may have in progress in this gateway; beyond: 429. */
  SHARE_REQUESTS: count(128),
  /** The same for bytes of bodies; default: 32 of the largest bulk payments. */
  SHARE_BYTES: bytes(1_048_576, 999_999_999)(33_554_432),
  /** PEM certificates of the authorities whose QWACs are accepted. */
  TRUST_ANCHORS: optional(text()),
};

export type GatewayConfig = ConfigOf<typeof config>;

/** The secret that the gateway sends to the authorization server; the server also accepts the others. */
export const secretToSend = ({
  GATEWAY_SECRET: [first = ''],
}: Pick<GatewayConfig, 'GATEWAY_SECRET'>): string => first;

/** The origin at which PSUs reach the pages. */
export const pagesOrigin = (settings: Pick<GatewayConfig, 'PAGES_URL' | 'BASE_URL'>): string =>
  settings.PAGES_URL ?? settings.BASE_URL;
