import { join } from 'node:path';
import { freePort } from './free-port.js';
import { type NatsOptions, type NatsServer, startNats } from './nats-server.js';

export interface NatsCluster {
  /** All servers, for a client to choose from. */
  readonly url: string;
  readonly nodes: readonly NatsServer[];
  /** Starts a node that has ended again, in its old place with its old files. */
  restart(index: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a cluster of nats-servers with JetStream on the loopback; of three, one may die. */
export const startNatsCluster = async ({
  dataDir,
  size = 3,
  authorization,
}: Pick<NatsOptions, 'dataDir' | 'authorization'> & { readonly size?: number }): Promise<NatsCluster> => {
  const places = await Promise.all(
    Array.from({ length: size }, async (_, index) => ({
      name: `node-${index + 1}`,
      client: await freePort(),
      route: await freePort(),
    })),
  );
  const routes = places.map(({ route }) => route);
  const start = async ({ name, client, route }: (typeof places)[number]): Promise<NatsServer> =>
    startNats({
      dataDir: join(dataDir, name),
      port: client,
      cluster: { name, port: route, routes },
      ...(authorization === undefined ? {} : { authorization }),
    });
  const nodes = await Promise.all(places.map(start));
  return {
    url: `nats://${places.map(({ client }) => `127.0.0.1:${client}`).join(',')}`,
    nodes,
    restart: async (index) => {
      const place = places[index];
      if (place === undefined) throw new Error(`the cluster has no node ${index}`);
      nodes[index] = await start(place);
    },
    stop: async () => {
      await Promise.allSettled(nodes.map(async (node) => node.stop()));
    },
  };
};
