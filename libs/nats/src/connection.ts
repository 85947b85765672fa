import { connect, type ConnectionOptions, createInbox, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '@xs2a/observability/logger';

const inboxPrefixes = new WeakMap<NatsConnection, string>();

/** A new subject for answers, below what the connection's user may subscribe to. */
export const newInbox = (nats: NatsConnection): string => createInbox(inboxPrefixes.get(nats));

/** The connection for calls between services: the NATS account CALLS, which has no JetStream. Reconnects by itself. */
export const connectCalls = async (url: string, name: string, logger: Logger): Promise<NatsConnection> =>
  reconnecting(parseCredentials(url), name, logger);

/** The connection for event streams and key-value buckets: the NATS account STREAMS. Reconnects by itself. */
export const connectStreams = async (url: string, name: string, logger: Logger): Promise<NatsConnection> =>
  reconnecting(parseStreamCredentials(url), name, logger);

/** Connects as these credentials say; {@link newInbox} knows the user's inbox then. */
export const connectAs = async (
  credentials: NatsCredentials,
  options: ConnectionOptions,
): Promise<NatsConnection> => {
  const connection = await connect({ ...options, ...credentials });
  const { inboxPrefix } = credentials;
  if (inboxPrefix !== undefined) inboxPrefixes.set(connection, inboxPrefix);
  return connection;
};

const reconnecting = async (
  credentials: NatsCredentials,
  name: string,
  logger: Logger,
): Promise<NatsConnection> => {
  const connection = await connectAs(credentials, {
    name,
    maxReconnectAttempts: -1,
    noAsyncTraces: true,
    reconnectTimeWait: 200,
    reconnectJitter: 50,
    waitOnFirstConnect: true,
    pingInterval: 5000,
    maxPingOut: 2,
    timeout: 2000,
  });
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') logger.warn('nats: disconnected');
      if (status.type === 'reconnect') logger.info('nats: connected again');
      if (status.type === 'error') logger.error({ error: status.error }, 'nats: refused something');
    }
  })();
  return connection;
};

/**
 * The connection of a relay, a consumer or a tool to the account STREAMS: it ends when it is lost, and its owner starts
 * over from what the stream and the database say, instead of from what it remembers.
 */
export const connectOnce = async (url: string, name: string): Promise<NatsConnection> =>
  connectAs(parseStreamCredentials(url), {
    name,
    reconnect: false,
    noAsyncTraces: true,
    pingInterval: 2000,
    maxPingOut: 2,
    timeout: 2000,
  });

/** The parts of a URL in the form that the NATS client's `connect` takes. */
export interface NatsCredentials {
  readonly servers: string[];
  readonly user?: string;
  readonly pass?: string;
  readonly inboxPrefix?: string;
  /** Present: the connection is encrypted, or not made. Private authorities come by Node's NODE_EXTRA_CA_CERTS. */
  readonly tls?: Readonly<Record<string, never>>;
}

/**
 * `nats://user:password@host:port[,host:port]` (or `tls://…`: encrypted) as the client wants it, for the account CALLS.
 * Answers come to an inbox of the user's own, the only one that it may subscribe to (deploy/nats/nats-server.conf).
 */
export const parseCredentials = (url: string): NatsCredentials => credentials(url, '');

/** The same for the account STREAMS, where the user `payments` is called `payments-streams` and has the same password. */
export const parseStreamCredentials = (url: string): NatsCredentials => credentials(url, '-streams');

const credentials = (url: string, suffix: string): NatsCredentials => {
  const [, scheme, login, hosts = ''] = /^(?:(nats|tls):\/\/)?(?:([^@]*)@)?(.+)$/.exec(url) ?? [];
  const servers = hosts.split(',').map((host) => host.replace(/^(?:nats|tls):\/\//, ''));
  const encrypted = scheme === 'tls' ? { tls: {} } : {};
  if (login === undefined) return { servers, ...encrypted };
  const [name = '', pass = ''] = login.split(':').map(decodeURIComponent);
  const user = name + suffix;
  return { servers, user, pass, inboxPrefix: `_INBOX.${user}`, ...encrypted };
};
