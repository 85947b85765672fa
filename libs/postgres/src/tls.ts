import { readFileSync } from 'node:fs';

/** Options of Node's TLS: the server is verified. PEM texts; without `ca` by the authorities that Node trusts. */
interface VerifiedTls {
  readonly rejectUnauthorized: true;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** The parameters by which a PostgreSQL URL speaks of encryption: those of libpq, and pg's own `ssl` and `uselibpqcompat`. */
const tlsParameters = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'ssl',
  'sslnegotiation',
  'uselibpqcompat',
] as const;

/** libpq's word for the authorities that the system trusts anyway; here those of Node. */
export const systemAuthorities = 'system';

/** Does this URL ask for encryption, by a server whose certificate and host name are verified, and for nothing less beside it? */
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
 * Parts a URL with `sslmode=verify-full` into the address and the options of Node's TLS. The files that `sslrootcert`,
 * `sslcert` and `sslkey` name are read again for each new connection, so that certificates are exchanged without a
 * restart. Another URL stays as it is, for pg to read. Throws when a file cannot be read.
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
  // pg would prefer what stands in the address, and read it its own way.
  for (const name of tlsParameters) searchParams.delete(name);
  const ssl: VerifiedTls = { rejectUnauthorized: true };
  for (const [option, file] of Object.entries(files)) {
    if (file === null || (option === 'ca' && file === systemAuthorities)) continue;
    // Configurable, since pg makes `key` invisible to loggers.
    Object.defineProperty(ssl, option, { get: readAgain(file), enumerable: true, configurable: true });
  }
  return { url: address.href, ssl };
};

const readPem = (file: string): string => {
  const text = readFileSync(file, 'utf8');
  if (!text.includes('-----BEGIN ')) throw new Error(`${file} holds no PEM`);
  return text;
};

/** Reads a file now and at each call. While it is being replaced, what it held before is answered. */
const readAgain = (file: string): (() => string) => {
  let last = readPem(file);
  return () => {
    try {
      last = readPem(file);
    } catch {
      // pg reads this where an error would end the process. If the old text is of no use any more, the connection fails and says so.
    }
    return last;
  };
};
