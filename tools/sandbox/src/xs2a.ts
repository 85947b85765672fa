// `npm run xs2a`: the operator command in a checkout, connected to the servers of the sandbox running there.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defaultDataDir, makeLayout, root } from './layout.js';
import { runningSandbox } from './running-sandbox.js';

const { env } = process;
env.XS2A_COMMAND = 'npm run xs2a --';
const isGiven = ['DATABASE_URL', 'NATS_URL'].some(
  (name) => env[name] !== undefined || env[`${name}_FILE`] !== undefined,
);
if (!isGiven) {
  env.SANDBOX_DATA_DIR = defaultDataDir;
  const running = runningSandbox(defaultDataDir);
  if (running !== undefined) {
    env.DATABASE_URL = running.ownerDatabaseUrl;
    env.NATS_URL = running.natsUrl;
    env.BASE_URL = running.baseUrl;
    env.PROFILE = running.profile;
    env.SANDBOX = 'true';
    const { secret } = makeLayout(defaultDataDir);
    env.PAYMENTS_MASTER_KEYS_FILE ??= secret('master-keys-payments');
    env.CONSENTS_MASTER_KEYS_FILE ??= secret('master-keys-consents');
  }
}
// The bundle, as in the image: it starts faster than separate modules.
await import(pathToFileURL(join(root, 'apps/operator-cli/dist/main.js')).href);
