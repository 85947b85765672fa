// `npm run xs2a`: the command in a checkout, which finds the servers of the sandbox that runs there.
import { defaultDataDir, makeLayout } from '@xs2a/sandbox/layout';
import { runningSandbox } from '@xs2a/sandbox/running-sandbox';

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
await import('./main.js');
