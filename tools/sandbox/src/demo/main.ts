import { type ProfileName, profileNames } from '@xs2a/domain/profile/profile';
import type { StandardName } from '@xs2a/domain/payment/standards/standard-name';
import type { PublishedEvent } from '@xs2a/events/published-event';
import { endAllChildren } from '@xs2a/local-servers/child';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readClientTls } from '@xs2a/operator-cli/demo/client-tls';
import { playDemo } from '@xs2a/operator-cli/demo/play';
import { NotAsAgreed, Talk } from '@xs2a/operator-cli/demo/talk';
import { readPublishedEvents } from './event-stream.js';
import { defaultDataDir, root } from '../layout.js';
import { readProfile } from '@xs2a/runtime/profile-file';
import { runningSandbox } from '../running-sandbox.js';
import { type Sandbox, startSandbox } from '../sandbox.js';
import { readFixtures } from '../fixtures.js';
import { firstLine } from '../processes/supervised.js';

interface Bank {
  readonly baseUrl: string;
  /** Absent if only the public interface can be reached. */
  readonly natsUrl?: string;
  readonly profile: ProfileName;
}

const usage = `npm run demo [-- options]
  --base-url URL        the public address of a deployed sandbox (default: the one that runs here, or a new one)
  --profile NAME        the rules of the deployed bank or of the new one, such as bg-euro (default: sandbox)
  --ca FILE             PEM: the authority of that address's certificate
  --cert FILE           PEM: the TPP's own certificate; it registers itself with it
  --key FILE            PEM: the private key of that certificate
  --customer FILE       JSON: psuId, password and iban of a customer of the bank's own core
  --help                this text`;

const {
  customer: customerFile,
  'base-url': deployedAt,
  profile: profileName,
  help,
  ...tlsFiles
} = parseArgs({
  options: {
    customer: { type: 'string' },
    'base-url': { type: 'string' },
    profile: { type: 'string' },
    ca: { type: 'string' },
    cert: { type: 'string' },
    key: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
}).values;
if (help) {
  console.log(usage);
  process.exit(0);
}
const talk = new Talk();
let own: Promise<Sandbox> | undefined;
const givenUp = new AbortController();

const readProfileName = (): ProfileName | undefined => {
  const profile = profileNames.find((name) => name === profileName);
  if (profileName === undefined || profile !== undefined) return profile;
  throw new Error(`--profile knows ${profileNames.join(', ')}. Run: npm run demo -- --profile bg-euro`);
};

const startOwn = async (profile: ProfileName): Promise<Bank> => {
  console.log('No sandbox is running (npm start): starting one for this demo.');
  const dataDir = join(root, '.xs2a/demo');
  rmSync(dataDir, { recursive: true, force: true });
  own = startSandbox({
    dataDir,
    profile,
    onProgress: (line) => console.log(`… ${line}`),
    signal: givenUp.signal,
  });
  const { baseUrl, natsUrl } = await own;
  return { baseUrl, natsUrl: natsUrl(), profile };
};

/** The events of the first payment; only a bank in euro verifies its payee. */
const eventsOf: Readonly<Record<StandardName, readonly string[]>> = {
  lev: ['initiated', 'accepted', 'signed', 'settlement-started', 'settled', 'entry-booked'],
  euro: [
    'initiated',
    'accepted',
    'payee-verified',
    'signed',
    'settlement-started',
    'settled',
    'entry-booked',
  ],
};

const names = (events: readonly PublishedEvent[]): string[] =>
  events.map(({ type }) => type.split('.').at(-1) ?? '');

const showEvents = async (natsUrl: string, paymentId: string, wanted: readonly string[]): Promise<void> => {
  talk.heading('What the bank’s operator sees of that payment in JetStream');
  let events = await readPublishedEvents(natsUrl, paymentId);
  for (let tries = 0; tries < 20 && names(events).at(-1) !== 'entry-booked'; tries += 1) {
    await wait(500);
    events = await readPublishedEvents(natsUrl, paymentId);
  }
  for (const { pos, sequence, time, type, actor, data } of events) {
    talk.note(`#${pos} v${sequence} ${time} ${type} by ${actor} ${JSON.stringify(data)}`);
  }
  talk.must(`the stream is ${wanted.join(', ')}`, names(events).join() === wanted.join(), names(events));
  const versions = events.map(({ sequence }) => sequence);
  talk.must(
    'each event is there once, in order',
    versions.every((version, at) => version === at + 1),
    versions,
  );
};

const play = async (bank: Bank): Promise<void> => {
  const [fixtureTpp] = readFixtures().tpps;
  if (fixtureTpp === undefined) throw new Error('deploy/sandbox/sandbox-fixtures.json names no TPP');
  const tls = readClientTls(tlsFiles, bank.baseUrl);
  const { standard } = readProfile(join(root, `deploy/profiles/${bank.profile}.json`));
  const paymentId = await playDemo(
    {
      baseUrl: bank.baseUrl,
      standard,
      fixtureTpp,
      tls,
      customerFile,
    },
    talk,
  );
  if (bank.natsUrl !== undefined) await showEvents(bank.natsUrl, paymentId, eventsOf[standard]);
  console.log('\nEverything was as the contract says.');
};

const end = async (code: number): Promise<void> => {
  givenUp.abort();
  // If the start failed, the reason has already been printed and there is nothing to stop.
  const sandbox = await own?.catch(() => undefined);
  await sandbox?.stop();
  await endAllChildren(5000);
  process.exit(code);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(130));

try {
  const running = deployedAt === undefined ? runningSandbox(defaultDataDir) : undefined;
  if (running?.hasOwnCoreBank === true && customerFile === undefined)
    throw new Error(
      'The customers are those of your own core. Run: npm run demo -- --customer FILE (JSON with psuId, password and iban)',
    );
  const wished = readProfileName();
  if (running !== undefined && wished !== undefined && wished !== running.profile)
    throw new Error(
      `The sandbox that runs here has the profile ${running.profile}. Leave out --profile, or stop the sandbox.`,
    );
  const profile = wished ?? 'sandbox';
  const deployed = deployedAt === undefined ? undefined : { baseUrl: new URL(deployedAt).origin, profile };
  await play(deployed ?? running ?? (await startOwn(profile)));
  await end(0);
} catch (error) {
  console.error(`\n✗ ${error instanceof NotAsAgreed ? 'Not as the contract says: ' : ''}${firstLine(error)}`);
  await end(1);
}
