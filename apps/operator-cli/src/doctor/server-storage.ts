import { storageQuestion, systemUser } from '@xs2a/nats/permissions/rights';
import { parseCredentials } from '@xs2a/nats/nats-url';
import { connect, type NatsConnection } from '@nats-io/transport-node';

/** JetStream's file storage on one nats-server, in bytes. */
export interface ServerStorage {
  readonly server: string;
  readonly used: number;
  /** The server's `max_file_store` setting. */
  readonly limit: number;
}

/** The members that are used from nats-server's response to {@link storageQuestion} (JSInfo). */
interface StorageAnswer {
  readonly server: { readonly name: string };
  readonly data?: { readonly storage: number; readonly config?: { readonly max_storage: number } };
}

/**
 * Asks every nats-server of the cluster as the system user in the $SYS account, because no other account may read
 * the limit. Returns undefined if there is no such user (on a bank's own NATS).
 */
export const serverStorages = async (natsUrl: string): Promise<readonly ServerStorage[] | undefined> => {
  const system = await asSystem(natsUrl);
  if (system === undefined) return undefined;
  try {
    const storages: ServerStorage[] = [];
    const answers = await system.requestMany(storageQuestion, '', {
      strategy: 'stall',
      maxWait: 1000,
    });
    for await (const answer of answers) {
      const { server, data } = answer.json<StorageAnswer>();
      if (data?.config === undefined) continue;
      storages.push({ server: server.name, used: data.storage, limit: data.config.max_storage });
    }
    return storages.toSorted((one, other) => one.server.localeCompare(other.server));
  } finally {
    await system.close();
  }
};

const asSystem = async (natsUrl: string): Promise<NatsConnection | undefined> => {
  const { servers, pass, tls } = parseCredentials(natsUrl);
  try {
    return await connect({
      servers,
      user: systemUser,
      pass,
      tls,
      inboxPrefix: `_INBOX.${systemUser}`,
      name: 'xs2a-cli',
      reconnect: false,
      timeout: 3000,
    });
  } catch {
    return undefined;
  }
};
