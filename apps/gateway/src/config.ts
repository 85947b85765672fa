import { authProfiles } from '@xs2a/contracts/auth.contract';
import { certificateForms } from '@xs2a/qwac/certificate-header';
import {
  bytes,
  choice,
  type ConfigOf,
  count,
  httpConfig,
  optional,
  receiverConfig,
  sandboxFlag,
  sharedSecrets,
  text,
  url,
} from '@xs2a/runtime/config';
import { portalConfig } from '@xs2a/runtime/portal/portal-config';

/** The gateway's settings, in addition to those of every service. */
export const config = {
  ...httpConfig,
  ...receiverConfig,
  ...portalConfig,
  /** The address of the developer portal; needed unless PORTAL is off. */
  PORTAL_URL: optional(url()),
  /** The address of the authorization server and the SCA pages. */
  AUTH_URL: url(),
  /**
   * One secret or several. The gateway sends the first as `X-Gateway-Secret`; the authorization server accepts any
   * of them and refuses all requests without one.
   */
  GATEWAY_SECRET: sharedSecrets(),
  /** `fapi2`: unbound access tokens are refused. Must have the same value as in the authorization server. */
  AUTH_PROFILE: choice(authProfiles)('oauth2'),
  /** Whether a call with a token requires the TPP's certificate. Default: required outside the sandbox. */
  CLIENT_CERTIFICATES: optional(choice(['required', 'optional'])()),
  /**
   * The name of the header in which the TLS-terminating proxy sends the client's certificate
   * (docs/how-to/register-a-tpp.md).
   */
  CLIENT_CERTIFICATE_HEADER: text('x-ssl-client-cert'),
  /** The format of the certificate in that header. */
  CLIENT_CERTIFICATE_FORM: choice(certificateForms)('escaped-pem'),
  /** The value of the proxy's `X-Proxy-Secret`, at least 32 characters. If it is not set, certificates are ignored. */
  PROXY_SECRET: optional(text()),
  /**
   * The maximum number of requests that a TPP, or an address without a verified token, may have in progress in
   * this gateway; further requests get 429.
   */
  SHARE_REQUESTS: count(128),
  /**
   * The maximum number of bytes of request bodies in progress, per TPP or address; by default enough for 32 of the
   * largest bulk payments.
   */
  SHARE_BYTES: bytes(1_048_576, 999_999_999)(33_554_432),
  /**
   * One in this many successful calls is recorded for operators; refused calls always are (docs/how-to/operate.md).
   * Default: 1 in the sandbox, 10 elsewhere.
   */
  CALL_SUCCESSES_ONE_IN: optional(count()),
  /**
   * If true, TPPs can read the headers and bodies of their calls for 24 hours, without secrets
   * (docs/contract/13-sandbox.md). `npm start` sets it.
   */
  CALL_BODIES: sandboxFlag(false),
  /** The PEM certificates of the authorities whose QWACs are accepted. */
  TRUST_ANCHORS: optional(text()),
};

export type GatewayConfig = ConfigOf<typeof config>;

/** The secret that the gateway sends to the authorization server, which also accepts the other configured secrets. */
export const secretToSend = ({
  GATEWAY_SECRET: [first = ''],
}: Pick<GatewayConfig, 'GATEWAY_SECRET'>): string => first;

/** The origin at which PSUs reach the pages. */
export const pagesOrigin = (settings: Pick<GatewayConfig, 'PAGES_URL' | 'BASE_URL'>): string =>
  settings.PAGES_URL ?? settings.BASE_URL;
