import { jetstreamManager } from '@nats-io/jetstream';
import { eventStreams } from '@xs2a/contracts/event-streams';
import { bytesText } from '@xs2a/doctor/bytes';
import { statfs } from 'node:fs/promises';
import { type Connections, oneRow } from '../connections.js';
import { type Check, failed, type Outcome, passed } from './check.js';
import { type ServerStorage, serverStorages } from './server-storage.js';
import { xs2a } from '../command-line/own-name.js';

/** Used fractions of JetStream's storage: below `well` the check passes, and below `enough` it warns. */
const maxUsed = { well: 0.8, enough: 0.95 } as const;
/** Free bytes on the sandbox's disk: the check passes from `well` upwards, and warns from `enough` upwards. */
const minFree = { well: 2_000_000_000, enough: 500_000_000 } as const;

const part = ({ used, limit }: ServerStorage): number => used / Math.max(limit, 1);

/**
 * Checks the server whose storage is the fullest. `repair` is called with the size limit for the event streams, in
 * megabytes, that would leave half of its storage free.
 */
export const storageOutcome = (
  storages: readonly ServerStorage[],
  more: string,
  repair: (megabytes: number) => string,
): Outcome => {
  const [fullest] = storages.toSorted((one, other) => part(other) - part(one));
  if (fullest === undefined) return passed(`no server reports its storage${more}`);
  const { server, used, limit } = fullest;
  const where = storages.length > 1 ? `${server}, the fullest of ${storages.length}, stores` : 'stores';
  const text = `${where} ${bytesText(used)} of ${bytesText(limit)} (${Math.floor(part(fullest) * 100)} %)${more}`;
  if (part(fullest) < maxUsed.well) return passed(text);
  const found = part(fullest) < maxUsed.enough ? passed : failed;
  return found(text, repair(Math.max(4, Math.floor(limit / 2_000_000))));
};

const jetStream = async (connections: Connections): Promise<Outcome> => {
  const unbounded = await unboundedStreams(connections);
  const more = unbounded.length === 0 ? '' : `; without a size limit: ${unbounded.join(', ')}`;
  const storages = await serverStorages(connections.natsUrl);
  if (storages === undefined)
    return passed(`not checked: this NATS has no user system in the account $SYS${more}`);
  return storageOutcome(storages, more, (megabytes) => xs2a(`jetstream make --payments-max-mb ${megabytes}`));
};

/** Finds event streams without a size limit, which grow until the server's storage is full. */
const unboundedStreams = async (connections: Connections): Promise<string[]> => {
  const { streams } = await jetstreamManager(await connections.nats());
  const ours = new Set<string>(Object.values(eventStreams));
  const found: string[] = [];
  for await (const { config } of streams.list())
    if (ours.has(config.name) && config.max_bytes <= 0) found.push(config.name);
  return found;
};

/** Checks the free space on the sandbox's disk, in bytes. */
export const diskOutcome = (folder: string, free: number, database: number): Outcome => {
  const text = `${bytesText(free)} free in the data folder of the sandbox; the database uses ${bytesText(database)}`;
  if (free >= minFree.well) return passed(text);
  return (free >= minFree.enough ? passed : failed)(
    text,
    `du -sh ${folder}/*   (npm start -- --reset deletes all data)`,
  );
};

/**
 * Applies only to the sandbox, which uses the disk of this machine. PostgreSQL does not report the free space of
 * its disk.
 */
const disk = async (connections: Connections): Promise<Outcome> => {
  const { database } = await oneRow<{ database: number }>(
    connections.pool('payments'),
    'SELECT pg_database_size(current_database()) AS database',
  );
  const folder = connections.sandboxDataDir;
  if (folder === undefined) {
    const text = `the database uses ${bytesText(database)}; monitor the free space on its host`;
    return passed(text);
  }
  const { bavail, bsize } = await statfs(folder);
  return diskOutcome(folder, bavail * bsize, database);
};

export const storageChecks: readonly Check[] = [
  { name: 'jetstream storage', needs: ['nats'], run: jetStream },
  { name: 'disk', needs: ['postgres'], run: disk },
];
