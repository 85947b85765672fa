import { readFileSync } from 'node:fs';

/**
 * Node's TLS options, which verify the server. All members are PEM text. Without `ca`, Node's trusted authorities
 * are used.
 */
interface VerifiedTls {
  readonly rejectUnauthorized: true;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** The encryption parameters of a PostgreSQL URL: those of libpq, and the pg-specific `ssl` and `uselibpqcompat`. */
const tlsParameters = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'ssl',
  'sslnegotiation',
  'uselibpqcompat',
] as const;

/** libpq's name for the system's trusted authorities. Here it selects Node's. */
export const systemAuthorities = 'system';

/**
 * True if this URL requires encryption with a verified server certificate and host name, and has no parameter that
 * weakens this.
 */
export const isVerifyFull = (url: string): boolean => {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, searchParams } = new URL(url);
  const modes = searchParams.getAll('sslmode');
  return (
    /^postgres(ql)?:$/.test(protocol) &&
    hostname !== '' &&
    modes.length > 0 &&
    modes.every((mode) => mode === 'verify-full')
  );
};

/**
 * Splits a URL with `sslmode=verify-full` into the address and Node's TLS options. The files named by
 * `sslrootcert`, `sslcert` and `sslkey` are read again for each new connection, so that certificates can be
 * replaced without a restart. Other URLs are returned unchanged, for pg to parse. Throws if a file cannot be read.
 */
export const partTls = (url: string): { readonly url: string; readonly ssl?: VerifiedTls } => {
  if (!isVerifyFull(url)) return { url };
  const address = new URL(url);
  const { searchParams } = address;
  const files = {
    ca: searchParams.get('sslrootcert'),
    cert: searchParams.get('sslcert'),
    key: searchParams.get('sslkey'),
  };
  // If these parameters stayed in the URL, pg would prefer them and interpret them differently.
  for (const name of tlsParameters) searchParams.delete(name);
  const ssl: VerifiedTls = { rejectUnauthorized: true };
  for (const [option, file] of Object.entries(files)) {
    if (file === null || (option === 'ca' && file === systemAuthorities)) continue;
    // Must be configurable, because pg makes `key` non-enumerable to hide it from loggers.
    Object.defineProperty(ssl, option, { get: readAgain(file), enumerable: true, configurable: true });
  }
  return { url: address.href, ssl };
};

const readPem = (file: string): string => {
  const text = readFileSync(file, 'utf8');
  if (!text.includes('-----BEGIN ')) throw new Error(`${file} holds no PEM`);
  return text;
};

/**
 * Reads a file immediately, and returns a function that reads it again on each call. While the file is being
 * replaced, that function returns the previous content.
 */
const readAgain = (file: string): (() => string) => {
  let last = readPem(file);
  return () => {
    try {
      last = readPem(file);
    } catch {
      // pg reads this in a place where an error would end the process. If the previous text is no longer
      // valid, the connection fails and reports that.
    }
    return last;
  };
};
