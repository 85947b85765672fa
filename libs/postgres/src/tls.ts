import { readFileSync } from 'node:fs';

/**
 * Node's TLS options with server verification. All members are PEM text; without `ca`, Node's trusted authorities
 * apply.
 */
interface VerifiedTls {
  readonly rejectUnauthorized: true;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** The encryption parameters of a PostgreSQL URL: those of libpq, and pg's own `ssl` and `uselibpqcompat`. */
const tlsParameters = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'ssl',
  'sslnegotiation',
  'uselibpqcompat',
] as const;

/** libpq's name for the system's trusted authorities; here, Node's. */
export const systemAuthorities = 'system';

/** True if this URL requires encryption with a verified server certificate and host name, and no weaker parameter. */
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
 * Splits a URL with `sslmode=verify-full` into the address and Node's TLS options. The files in `sslrootcert`,
 * `sslcert` and `sslkey` are read again for each new connection, so that certificates can be replaced without a
 * restart. Other URLs are returned unchanged for pg to parse. Throws if a file cannot be read.
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
  // pg would prefer the parameters in the URL, and interpret them differently.
  for (const name of tlsParameters) searchParams.delete(name);
  const ssl: VerifiedTls = { rejectUnauthorized: true };
  for (const [option, file] of Object.entries(files)) {
    if (file === null || (option === 'ca' && file === systemAuthorities)) continue;
    // Configurable because pg makes `key` non-enumerable to hide it from loggers.
    Object.defineProperty(ssl, option, { get: readAgain(file), enumerable: true, configurable: true });
  }
  return { url: address.href, ssl };
};

const readPem = (file: string): string => {
  const text = readFileSync(file, 'utf8');
  if (!text.includes('-----BEGIN ')) throw new Error(`${file} holds no PEM`);
  return text;
};

/** Reads a file now and on each call. While the file is being replaced, returns the previous content. */
const readAgain = (file: string): (() => string) => {
  let last = readPem(file);
  return () => {
    try {
      last = readPem(file);
    } catch {
      // An error here would end the process, because of where pg reads this. If the old text is no longer
      // valid, the connection fails and reports it.
    }
    return last;
  };
};
