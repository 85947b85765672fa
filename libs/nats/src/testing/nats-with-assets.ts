import { type NatsOptions, type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { makeAssetsAt } from '../jetstream-assets.js';

/** Starts a nats-server with all event streams and key-value buckets, as in a deployment. */
export const startNatsWithAssets = async (options: NatsOptions): Promise<NatsServer> => {
  const server = await startNats(options);
  await makeAssetsAt(server.url);
  return server;
};
