import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './free-port.js';
import { type NatsOptions, type NatsServer, startNats } from './nats-server.js';

/** The two ports of a node: for clients and for other nodes. */
export interface NatsPorts {
  readonly client: number;
  readonly route: number;
}

export interface NatsNode extends Pick<
  NatsOptions,
  'dataDir' | 'accounts' | 'logFile' | 'maxFileStore' | 'tls'
> {
  /** The ports of all nodes. A single element means that the server is not clustered. */
  readonly ports: readonly NatsPorts[];
  readonly index: number;
  /**
   * The password that the nodes use between themselves. If absent, any client that connects to a route port is
   * accepted as a node.
   */
  readonly routePassword?: string;
}

/** Returns the options for one node of a cluster, with that node's ports and with its files under `dataDir`. */
export const natsNode = ({ ports, index, routePassword, dataDir, ...options }: NatsNode): NatsOptions => {
  const own = ports[index];
  if (own === undefined) throw new Error(`the cluster has no node ${index}`);
  if (ports.length === 1) return { ...options, dataDir, port: own.client };
  const name = nodeName(index);
  const password = routePassword === undefined ? {} : { password: routePassword };
  return {
    ...options,
    dataDir: join(dataDir, name),
    port: own.client,
    cluster: { name, port: own.route, routes: ports.map(({ route }) => route), ...password },
  };
};

/** The name of a node in its cluster, independent of its port. */
export const nodeName = (index: number): string => `node-${index + 1}`;

/** `host:port` of every node; the client chooses one. */
export const natsHosts = (ports: readonly NatsPorts[]): string =>
  ports.map(({ client }) => `127.0.0.1:${client}`).join(',');

/**
 * The node that, according to the logs, was the last to become the cluster's metadata leader, which creates
 * streams and consumers and answers account requests. Only the system account could query this over NATS.
 */
export const metadataLeader = (logFiles: readonly string[]): number | undefined => {
  const said = logFiles.map((file) =>
    existsSync(file)
      ? (/.*(\d{4}\/\d\d\/\d\d [\d:.]+) \[INF\] Self is new JetStream cluster metadata leader/s.exec(
          readFileSync(file, 'utf8'),
        )?.[1] ?? '')
      : '',
  );
  const last = said.toSorted().at(-1);
  return last === undefined || last === '' ? undefined : said.indexOf(last);
};

export interface NatsCluster {
  /** A URL that lists all servers; the client chooses one. */
  readonly url: string;
  readonly nodes: readonly NatsServer[];
  /** The log file of each node. */
  readonly logFiles: readonly string[];
  /** Restarts a node that has ended, on its previous ports and files. */
  restart(index: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a cluster of nats-servers with JetStream on the loopback interface. A cluster of three tolerates the
 * failure of one.
 */
export const startNatsCluster = async ({
  dataDir,
  size = 3,
  accounts,
}: Pick<NatsOptions, 'dataDir' | 'accounts'> & { readonly size?: number }): Promise<NatsCluster> => {
  const ports = await Promise.all(
    Array.from({ length: size }, async () => ({ client: await freePort(), route: await freePort() })),
  );
  const start = async (index: number): Promise<NatsServer> =>
    startNats(natsNode({ dataDir, ports, index, accounts }));
  const nodes = await Promise.all(ports.map(async (_, index) => start(index)));
  return {
    url: `nats://${natsHosts(ports)}`,
    nodes,
    logFiles: ports.map((_, index) => join(dataDir, `${nodeName(index)}.log`)),
    restart: async (index) => {
      nodes[index] = await start(index);
    },
    stop: async () => {
      await Promise.allSettled(nodes.map(async (node) => node.stop()));
    },
  };
};

/**
 * Repeats a call until it succeeds, because the nodes of a new cluster must first elect a leader. After 30 s,
 * throws the call's last error. Pauses between calls to leave CPU time for the nodes.
 */
export const untilDone = async <Value>(work: () => Promise<Value>): Promise<Value> => {
  const deadline = performance.now() + 30_000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await wait(50);
    }
  }
};
