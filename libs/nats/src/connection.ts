import { connect, type ConnectionOptions, createInbox, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '@xs2a/observability/logger';
import { type NatsCredentials, parseCredentials, parseStreamCredentials } from './nats-url.js';
import { RefusalLog } from './refusal-log.js';

const inboxPrefixes = new WeakMap<NatsConnection, string>();

/** Returns a new reply subject in the inbox that the connection's user may subscribe to. */
export const newInbox = (nats: NatsConnection): string => createInbox(inboxPrefixes.get(nats));

/**
 * Returns the connection for calls between services, to the NATS account CALLS, which has no JetStream. Reconnects
 * automatically.
 */
export const connectCalls = async (url: string, name: string, logger: Logger): Promise<NatsConnection> =>
  reconnecting(parseCredentials(url), name, logger);

/**
 * Returns the connection for event streams and key-value buckets, to the NATS account STREAMS. Reconnects
 * automatically.
 */
export const connectStreams = async (url: string, name: string, logger: Logger): Promise<NatsConnection> =>
  reconnecting(parseStreamCredentials(url), name, logger);

/** Connects with these credentials and registers the user's inbox for {@link newInbox}. */
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
  const refusals = new RefusalLog(async () => tryToConnect(credentials, name), logger);
  refusals.watch();
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
  refusals.rest();
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        logger.warn('nats: disconnected');
        refusals.watch();
      }
      if (status.type === 'reconnect') {
        logger.info('nats: connected again');
        refusals.rest();
      }
      if (status.type === 'close') refusals.rest();
      if (status.type === 'error')
        logger.error({ error: status.error }, 'nats: the server reported an error');
    }
  })();
  return connection;
};

/** Throws an error that says why no server accepts the connection, or why the client rejects the server. */
const tryToConnect = async (credentials: NatsCredentials, name: string): Promise<void> => {
  const connection = await connectAs(credentials, { name, reconnect: false, timeout: 2000 });
  await connection.close();
};

/**
 * Returns a connection to the account STREAMS for a relay, a consumer or a tool. A lost connection stays closed;
 * its owner restarts from the stream and the database, not from memory.
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
