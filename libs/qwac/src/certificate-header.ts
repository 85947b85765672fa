/** The maximum size of a certificate in bytes; QWACs are 1 to 3 KiB. */
const maxCertificateLength = 8 * 1024;
/** Longer headers are ignored. In the longest form, URL-encoded PEM, each byte of the PEM takes three. */
const maxHeaderLength = 3 * 2 * maxCertificateLength;

const strictBase64 = (text: string): Uint8Array | undefined => {
  const bytes = Buffer.from(text, 'base64');
  return text !== '' && bytes.toString('base64') === text ? bytes : undefined;
};

const pem = /^-----BEGIN CERTIFICATE-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END CERTIFICATE-----\s*$/;

/** Returns the DER bytes if the PEM text contains exactly one certificate. */
const pemBytes = (text: string): Uint8Array | undefined =>
  strictBase64((pem.exec(text)?.[1] ?? '').replaceAll(/[\r\n]/g, ''));

const unescaped = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** The header forms in which TLS proxies pass on the client's certificate. */
const forms = {
  /** nginx's `$ssl_client_escaped_cert`: the URL-encoded PEM. */
  'escaped-pem': (text) => pemBytes(unescaped(text) ?? ''),
  /**
   * Envoy's `x-forwarded-client-cert`: `Hash=…;Cert="<URL-encoded PEM>"`. Only one element is accepted; two
   * elements indicate an untrusted hop.
   */
  xfcc: (text) => {
    const elements = [...text.matchAll(/(?:^|;)Cert="([^"]*)"(?=;|$)/gi)];
    const [only] = elements;
    const isOne = elements.length === 1 && !/,(?=(?:[^"]*"[^"]*")*[^"]*$)/.test(text);
    return isOne ? pemBytes(unescaped(only?.[1] ?? '') ?? '') : undefined;
  },
  /** `Client-Cert` of RFC 9440: `:base64 of the DER:`. */
  'client-cert': (text) => strictBase64(/^:([A-Za-z0-9+/=]+):$/.exec(text)?.[1] ?? ''),
  /** HAProxy's `%[ssl_c_der,base64]`. */
  'base64-der': (text) => strictBase64(text),
} as const satisfies Readonly<Record<string, (text: string) => Uint8Array | undefined>>;

export type CertificateForm = keyof typeof forms;
export const certificateForms = Object.keys(forms) as readonly CertificateForm[];

/** Returns the certificate, as DER, from a header of this form. */
export const certificateIn = (text: string, form: CertificateForm): Uint8Array | undefined => {
  if (text.length > maxHeaderLength) return undefined;
  const der = forms[form](text.trim());
  return der !== undefined && der.length <= maxCertificateLength ? der : undefined;
};

/** The header in which the gateway passes the certificate on to the authorization server (RFC 9440). */
export const clientCertHeader = 'client-cert';
export const clientCertValue = (der: Uint8Array): string => `:${Buffer.from(der).toString('base64')}:`;
