import { operatorUser, toStreamName } from '@xs2a/nats/permissions/rights';
import { defaultDataDir } from './layout.js';
import { runningSandbox } from './running-sandbox.js';

// For `nats --server "$(…)"` and other clients: prints the operator's URL for the account STREAMS of the
// running sandbox.
const running = runningSandbox(defaultDataDir);
if (running === undefined) {
  console.error('No sandbox is running. Run: npm start');
  process.exit(1);
}
console.log(running.natsUrl.replace(`//${operatorUser}:`, `//${toStreamName(operatorUser)}:`));
