import { connect, createInbox, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '@xs2a/observability/logger';

const inboxPrefixes = new WeakMap<NatsConnection, string>();

/** A new subject for answers, below what the connection's account may subscribe to. */
export const newInbox = (nats: NatsConnection): string => createInbox(inboxPrefixes.get(nats));

/** The connection for calls: comes back by itself. (Relay and consumers use connections of their own that do not.) */
export const connectNats = async (url: string, name: string, logger: Logger): Promise<NatsConnection> => {
  const { servers, user, pass, inboxPrefix } = credentialsOf(url);
  const connection = await connect({
    servers,
    user,
    pass,
    inboxPrefix,
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
  if (inboxPrefix !== undefined) inboxPrefixes.set(connection, inboxPrefix);
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
 * The connection of a relay or a consumer: it ends when it is lost, and its owner starts over from what the stream and
 * the database say, instead of from what it remembers.
 */
export const connectOnce = async (url: string, name: string): Promise<NatsConnection> => {
  const { servers, user, pass, inboxPrefix } = credentialsOf(url);
  return connect({
    servers,
    user,
    pass,
    inboxPrefix,
    name,
    reconnect: false,
    noAsyncTraces: true,
    pingInterval: 2000,
    maxPingOut: 2,
    timeout: 2000,
  });
};

/**
 * `nats://user:password@host:port[,host:port]` as the client wants it. Answers come to an inbox of the account's own,
 * the only one that it may subscribe to (deploy/nats/nats-server.conf).
 */
export const credentialsOf = (
  url: string,
): { servers: string[]; user?: string; pass?: string; inboxPrefix?: string } => {
  const [, credentials, hosts = ''] = /^(?:nats:\/\/)?(?:([^@]*)@)?(.+)$/.exec(url) ?? [];
  const servers = hosts.split(',').map((host) => host.replace(/^nats:\/\//, ''));
  if (credentials === undefined) return { servers };
  const [user = '', pass = ''] = credentials.split(':').map(decodeURIComponent);
  return { servers, user, pass, inboxPrefix: `_INBOX.${user}` };
};
