import { gauge } from '@xs2a/observability/metrics';
import { systemAuthorities } from '@xs2a/postgres/tls';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The certificates that a setting names or contains. */
interface Certificates {
  /** The name of the setting and, if its value is a URL, of the URL's parameter. */
  readonly setting: string;
  /** Returns the ends of their validity in epoch milliseconds. Throws if they cannot be read. */
  readEnds(): readonly number[];
}

/** The parameters of PostgreSQL, NATS and KMS URLs that name files of certificates. */
const parameters = ['sslrootcert', 'sslcert', 'ca_file', 'cert_file'] as const;
/** Those of the service's own certificate. */
const own: ReadonlySet<string> = new Set(['sslcert', 'cert_file']);
const blocks = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

const parseEnds = (pem: string): readonly number[] =>
  (pem.match(blocks) ?? []).map((block) => new X509Certificate(block).validToDate.getTime());

/** Reads the text each time, because a file can be replaced while the service runs, and parses it if it has changed. */
const endsIn = (read: () => string): Certificates['readEnds'] => {
  let known: { readonly pem: string; readonly ends: readonly number[] } = { pem: '', ends: [] };
  return () => {
    const pem = read();
    if (pem !== known.pem) known = { pem, ends: parseEnds(pem) };
    return known.ends;
  };
};

const listFiles = (name: string, value: string): readonly Certificates[] => {
  const query = new URLSearchParams(value.slice(value.indexOf('?')));
  return parameters.flatMap((parameter) => {
    const file = query.get(parameter);
    if (file === null || file === systemAuthorities) return [];
    const readEnds = endsIn(() => readFileSync(file, 'utf8'));
    // The service's own certificate comes first in its file; those of its authorities may follow.
    return {
      setting: `${name} ${parameter}`,
      readEnds: own.has(parameter) ? () => readEnds().slice(0, 1) : readEnds,
    };
  });
};

const listCertificates = (settings: Readonly<Record<string, unknown>>): readonly Certificates[] =>
  Object.entries(settings).flatMap(([setting, value]) => {
    if (typeof value !== 'string') return [];
    if (setting.endsWith('_URL') && value.includes('?')) return listFiles(setting, value);
    return value.includes('-----BEGIN CERTIFICATE-----') ? { setting, readEnds: endsIn(() => value) } : [];
  });

let watched: readonly Certificates[] = [];

gauge(
  'xs2a_certificate_expiry_timestamp_seconds',
  'Earliest expiry of the certificates in a setting, as a Unix timestamp, which may have passed',
  ['setting'],
  (expiry) => {
    expiry.reset();
    for (const { setting, readEnds } of watched) {
      try {
        const ends = readEnds();
        if (ends.length > 0) expiry.set({ setting }, Math.min(...ends) / 1000);
      } catch {
        // They cannot be read now, so nothing is known about them. What needs them reports that.
      }
    }
  },
);

/** Measures from now on when the certificates end that these settings of a service name or contain. */
export const watchCertificates = (settings: Readonly<Record<string, unknown>>): void => {
  watched = listCertificates(settings);
};
