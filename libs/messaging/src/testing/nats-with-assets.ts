import { type NatsOptions, type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { connectOnce } from '../connection.js';
import { type AssetReport, makeAssets, type StreamBounds } from '../jetstream-assets.js';

/** What the migration job does, at a test's own server. */
export const makeAssetsAt = async (url: string, bounds?: StreamBounds): Promise<AssetReport> => {
  const nats = await connectOnce(url, 'migration');
  try {
    return await makeAssets(nats, bounds);
  } finally {
    await nats.close();
  }
};

/** A nats-server with all event streams and key-value buckets, as services find it in a deployment. */
export const startNatsWithAssets = async (options: NatsOptions): Promise<NatsServer> => {
  const server = await startNats(options);
  await makeAssetsAt(server.url);
  return server;
};
