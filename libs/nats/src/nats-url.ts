import { isIP } from 'node:net';

/** The parts of a URL, in the form that the NATS client's `connect` accepts. */
export interface NatsCredentials {
  readonly servers: string[];
  readonly user?: string;
  readonly pass?: string;
  readonly inboxPrefix?: string;
  /**
   * If present, all connections must be encrypted. The files are read again for each connection. Without `caFile`,
   * Node's trusted authorities are used.
   */
  readonly tls?: { readonly caFile?: string; readonly certFile?: string; readonly keyFile?: string };
}

/**
 * Parses `nats://user:password@host:port[,host:port]`, or `tls://…` for encryption, into the client's options for
 * the account CALLS. `?ca_file=PATH` is the PEM file of the authorities that may sign the server's certificate;
 * `cert_file` and `key_file` are the files of a client certificate. Throws on any other parameter. Replies go to
 * the user's own inbox, the only one that the user may subscribe to (deploy/nats/nats-server.conf).
 */
export const parseCredentials = (url: string): NatsCredentials => credentials(url, '');

/**
 * The same for the account STREAMS, in which the user `payments` is named `payments-streams` and has the same
 * password.
 */
export const parseStreamCredentials = (url: string): NatsCredentials => credentials(url, '-streams');

const credentials = (url: string, suffix: string): NatsCredentials => {
  const [, scheme, login, hosts = '', parameters = ''] =
    /^(?:(nats|tls):\/\/)?(?:([^@]*)@)?([^?]+)\??(.*)$/.exec(url) ?? [];
  const servers = hosts.split(',').map((host) => host.replace(/^(?:nats|tls):\/\//, ''));
  const encrypted = scheme === 'tls' ? { tls: readTlsFiles(parameters) } : {};
  if (login === undefined) return { servers, ...encrypted };
  const [name = '', pass = ''] = login.split(':').map(decodeURIComponent);
  const user = name + suffix;
  return { servers, user, pass, inboxPrefix: `_INBOX.${user}`, ...encrypted };
};

const tlsFiles: Readonly<Record<string, 'caFile' | 'certFile' | 'keyFile'>> = {
  ca_file: 'caFile',
  cert_file: 'certFile',
  key_file: 'keyFile',
};

const readTlsFiles = (parameters: string): NonNullable<NatsCredentials['tls']> =>
  Object.fromEntries(
    [...new URLSearchParams(parameters)].map(([name, path]) => {
      const option = tlsFiles[name];
      if (option === undefined)
        throw new Error(`the URL of NATS knows ${Object.keys(tlsFiles).join(', ')}, not ${name}`);
      return [option, path];
    }),
  );

/** Returns the host of `host:port`; an IPv6 address without its brackets. */
const hostOf = (server: string): string => new URL(`tls://${server}`).hostname.replaceAll(/^\[|\]$/g, '');

/**
 * True if connections to this URL are encrypted and each server's certificate and host name are verified. A URL
 * with an IP address does not qualify, because the NATS client then compares the certificate with the name
 * localhost.
 */
export const isVerifiedUrl = (url: string): boolean => {
  try {
    const { servers, tls } = parseCredentials(url);
    return tls !== undefined && servers.every((server) => isIP(hostOf(server)) === 0);
  } catch {
    // Not a NATS URL.
    return false;
  }
};
