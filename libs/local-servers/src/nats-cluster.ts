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
  /** The ports of all nodes; with one element the server is not clustered. */
  readonly ports: readonly NatsPorts[];
  readonly index: number;
  /** The password that nodes use with each other. Absent: any client of a route port is accepted as a node. */
  readonly routePassword?: string;
}

/** Returns the options for a node of a cluster: its own ports, and its own files below `dataDir`. */
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

/** `host:port` of all nodes, for a client to choose from. */
export const natsHosts = (ports: readonly NatsPorts[]): string =>
  ports.map(({ client }) => `127.0.0.1:${client}`).join(',');

/**
 * The node whose log last reported that it is the cluster's metadata leader, which creates streams and consumers
 * and answers account requests. Only the system account could query it.
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
  /** The URL of all servers, for a client to choose from. */
  readonly url: string;
  readonly nodes: readonly NatsServer[];
  /** The log file of each node. */
  readonly logFiles: readonly string[];
  /** Restarts a node that has ended, with its old ports and files. */
  restart(index: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a cluster of nats-servers with JetStream on the loopback interface; one of three may fail. */
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
 * Repeats a call until it succeeds, because the nodes of a new cluster first elect a leader. Throws the call's
 * last error after 30 s. Pauses between calls because the nodes need CPU time too.
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
