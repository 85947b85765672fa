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

/** The gateway's own settings, in addition to those of every service. */
export const config = {
  ...httpConfig,
  ...receiverConfig,
  /** The public origin: what links and tokens name. */
  BASE_URL: publicUrl(),
  /** The origin of the PSU's pages where they have a host of their own (contract 1); absent: BASE_URL. */
  PAGES_URL: optional(publicUrl()),
  /** The address of the authorization server and the SCA pages. */
  AUTH_URL: url(),
  /**
   * The secret that the gateway sends to the authorization server as `X-Gateway-Secret`: the first of these. The authorization server
   * answers nobody who sends none of them.
   */
  GATEWAY_SECRET: sharedSecrets(),
  /** `fapi2`: access tokens that are bound to no key or certificate are refused. The authorization server has it too. */
  AUTH_PROFILE: choice(authProfiles)('oauth2'),
  /** Must a call with a token show the TPP's certificate? Absent: outside the sandbox it must. */
  CLIENT_CERTIFICATES: optional(choice(['required', 'optional'])()),
  /** The header in which the proxy that ends TLS writes the client's certificate, and its form. */
  CLIENT_CERTIFICATE_HEADER: text('x-ssl-client-cert'),
  /** How the certificate is written in that header. */
  CLIENT_CERTIFICATE_FORM: choice(certificateForms)('escaped-pem'),
  /**
   * The secret that this proxy sends as `X-Proxy-Secret`, at least 32 characters. A certificate is believed from
   * nobody else.
   */
  PROXY_SECRET: optional(text()),
  /** The most requests that one TPP, or one address without a verified token, may have under way in this gateway; beyond: 429. */
  SHARE_REQUESTS: count(128),
  /** The most bytes of bodies, likewise; the default is those of 32 of the largest bulk payments. */
  SHARE_BYTES: bytes(1_048_576, 999_999_999)(33_554_432),
  /** PEM certificates of the authorities whose QWACs are taken. */
  TRUST_ANCHORS: optional(text()),
};

/** The secret that the gateway sends to the authorization server; the others are for the server to accept. */
export const secretToSend = ({
  GATEWAY_SECRET: [first = ''],
}: Pick<ConfigOf<typeof config>, 'GATEWAY_SECRET'>): string => first;

/** The origin at which PSUs reach the pages. */
export const pagesOrigin = (settings: Pick<ConfigOf<typeof config>, 'PAGES_URL' | 'BASE_URL'>): string =>
  settings.PAGES_URL ?? settings.BASE_URL;
