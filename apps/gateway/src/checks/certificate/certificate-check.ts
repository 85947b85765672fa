import { type Failure, fail } from '@xs2a/domain/failure/failures';
import { agreementFailure } from '@xs2a/qwac/agreement';
import type { CertificateForm } from '@xs2a/qwac/certificate-header';
import { ClientCertificates, type Presented } from '@xs2a/qwac/client-certificates';
import { toFailure } from '@xs2a/qwac/refusals';
import { readAnchors } from '@xs2a/qwac/trust-anchors';
import { ConfigError, type ConfigOf } from '@xs2a/runtime/config';
import { SharedSecrets } from '@xs2a/runtime/secrets/shared-secrets';
import type { IncomingMessage } from 'node:http';
import type { config } from '../../config.js';
import type { TokenRule } from '../../endpoint-rules.js';
import type { Caller } from '../token/callers.js';
import { plainName } from '../../oauth-proxy/auth-proxy.js';
import { isRepeated } from '../headers/repeated-headers.js';

/** The header in which the TLS-terminating proxy proves that it belongs to the bank. */
const proxySecretHeader = 'x-proxy-secret';

/** The names of the headers in which proxies forward client certificates, and of the header for the proxy's secret. */
const certificateNames =
  /^(?:(?:x-)?client-cert.*|(?:x-)?ssl-.*|x-forwarded-(?:tls-)?client-cert.*|x-amzn-mtls-.*|x-arr-clientcert|x-proxy-secret)$/;

export interface CertificateSettings {
  /** The header that the proxy sets; its name is in lower case. */
  readonly header: string;
  readonly proxySecret: string;
  readonly certificates: ClientCertificates;
  readonly isRequired: boolean;
}

/**
 * Reads client certificates only from the bank's proxy, and compares them with the token and with the TPP's
 * registration.
 */
export class CertificateCheck {
  private readonly proxySecrets: SharedSecrets;

  /** Without settings, certificates are neither trusted nor required. */
  constructor(private readonly settings: CertificateSettings | undefined) {
    this.proxySecrets = new SharedSecrets(settings === undefined ? [] : [settings.proxySecret]);
  }

  /**
   * True if the request came from the bank's proxy. Must be called before {@link take}, which also removes the
   * secret.
   */
  isFromProxy(headers: IncomingMessage['headers']): boolean {
    return this.proxySecrets.accepts(headers[proxySecretHeader]);
  }

  /**
   * Removes from a request every header that could contain a client certificate, and reads the certificate that
   * the proxy sent.
   */
  take(
    { headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
    isFromProxy: boolean,
  ): Presented | undefined {
    const { settings } = this;
    const sent = settings === undefined ? undefined : headers[settings.header];
    const own = settings && plainName(settings.header);
    for (const name of Object.keys(headers)) {
      const plain = plainName(name);
      if (plain === own || certificateNames.test(plain)) delete headers[name];
    }
    if (settings === undefined || !isFromProxy || sent === undefined || sent === '') return undefined;
    // There are two values: the proxy appends its value to the client's instead of replacing it.
    if (typeof sent !== 'string' || isRepeated(rawHeaders, settings.header)) return { refusal: 'unreadable' };
    return settings.certificates.read(sent);
  }

  /** The reason to reject the certificate for this call; undefined if it is accepted. */
  failure(
    presented: Presented | undefined,
    { tpp, token: { boundToCertificate } }: Pick<Caller, 'tpp' | 'token'>,
    rule: Pick<TokenRule, 'scope'>,
  ): Failure | undefined {
    if (presented !== undefined && 'refusal' in presented) return toFailure(presented.refusal);
    if (boundToCertificate !== undefined && boundToCertificate !== presented?.qwac.thumbprint)
      return fail('tokenOfOtherCertificate');
    return presented === undefined
      ? this.ownFailure(presented)
      : agreementFailure(presented.qwac, tpp, rule.scope);
  }

  /** The reason to reject the certificate for every client; undefined if it is valid. */
  ownFailure(presented: Presented | undefined): Failure | undefined {
    if (presented === undefined) return this.settings?.isRequired ? fail('certificateMissing') : undefined;
    return 'refusal' in presented ? toFailure(presented.refusal) : undefined;
  }
}

type Config = Pick<
  ConfigOf<typeof config>,
  | 'CLIENT_CERTIFICATES'
  | 'CLIENT_CERTIFICATE_HEADER'
  | 'CLIENT_CERTIFICATE_FORM'
  | 'PROXY_SECRET'
  | 'TRUST_ANCHORS'
> & { readonly SANDBOX: boolean };

/** Reads the settings. Outside the sandbox, a certificate is required by default. Throws ConfigError. */
export const certificateCheck = (settings: Config, clock: { nowMs(): number }): CertificateCheck => {
  const { PROXY_SECRET: proxySecret, TRUST_ANCHORS: pem, CLIENT_CERTIFICATES: configured } = settings;
  const isRequired = (configured ?? (settings.SANDBOX ? 'optional' : 'required')) === 'required';
  if (proxySecret === undefined && pem === undefined && !isRequired) return new CertificateCheck(undefined);
  if (proxySecret === undefined || proxySecret.length < 32)
    throw new ConfigError(['PROXY_SECRET must have at least 32 characters']);
  if (pem === undefined)
    throw new ConfigError([
      'TRUST_ANCHORS is missing: set it to the PEM certificates of the trusted authorities',
    ]);
  return new CertificateCheck({
    header: settings.CLIENT_CERTIFICATE_HEADER.toLowerCase(),
    proxySecret,
    isRequired,
    certificates: readCertificates(pem, settings.CLIENT_CERTIFICATE_FORM, clock),
  });
};

const readCertificates = (
  pem: string,
  form: CertificateForm,
  clock: { nowMs(): number },
): ClientCertificates => {
  try {
    return new ClientCertificates({ anchors: readAnchors(pem), form, clock });
  } catch (error) {
    throw new ConfigError([`TRUST_ANCHORS: ${error instanceof Error ? error.message : 'not certificates'}`]);
  }
};
