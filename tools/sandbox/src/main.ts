import { endAllChildren } from '@xs2a/local-servers/child';
import { rmSync } from 'node:fs';
import { mustReachCoreBank } from './core-bank.js';
import { readWishes, type Wishes } from './command-line.js';
import { defaultDataDir, makeLayout } from './layout.js';
import { takeLock } from './processes/lock.js';
import type { SandboxOptions } from './sandbox-options.js';
import { PortTaken, type Sandbox, startSandbox } from './sandbox.js';
import { summarise } from './summary.js';
import { firstLine } from './processes/supervised.js';

/** The ports of the bank and of the console's pages, unless others are wished or these are in use. */
const [usualPort, usualConsolePort] = [8080, 8070];

let starting: Promise<Sandbox> | undefined;
const givenUp = new AbortController();
let stopping = false;

const say = (line: string): void => console.log(`… ${line}`);

const stop = async (code: number): Promise<void> => {
  if (stopping) return;
  stopping = true;
  say('stopping');
  givenUp.abort();
  // If the start failed, the reason has already been printed and there is nothing to stop.
  const sandbox = await starting?.catch(() => undefined);
  await sandbox?.stop();
  await endAllChildren(5000);
  process.exit(code);
};

const fail = async (error: unknown): Promise<void> => {
  if (stopping) return;
  stopping = true;
  await endAllChildren(5000);
  const repair = error instanceof PortTaken ? ` Run: npm start -- --port ${error.port + 1}` : '';
  console.error(`${firstLine(error)}${repair}`);
  process.exit(1);
};

const start = async ({
  reset,
  port,
  profile,
  authProfile,
  demoTpp,
  demoPort,
  coreBank,
  inspect,
  observability,
}: Wishes): Promise<void> => {
  const began = performance.now();
  if (coreBank !== undefined) await mustReachCoreBank(coreBank);
  if (reset) {
    takeLock(makeLayout(defaultDataDir).lock)();
    rmSync(defaultDataDir, { recursive: true, force: true });
    say('all data is forgotten');
  }
  const profileOfAuth = { AUTH_PROFILE: authProfile };
  const { SANDBOX_CLOCK = 'movable', CALL_BODIES = 'true' } = process.env;
  const env: SandboxOptions['env'] = {
    auth: profileOfAuth,
    gateway: { ...profileOfAuth, SANDBOX_CLOCK, CALL_BODIES },
    portal: { SANDBOX_CLOCK },
  };
  if (inspect !== undefined) env[inspect] = { ...env[inspect], NODE_OPTIONS: '--inspect=127.0.0.1:9229' };
  starting = startSandbox({
    dataDir: defaultDataDir,
    port,
    profile,
    demoTpp,
    env,
    demoPort,
    coreBank,
    observability,
    console: port === usualPort ? { port: usualConsolePort } : {},
    onProgress: say,
    signal: givenUp.signal,
  });
  const sandbox = await starting;
  console.log(summarise(sandbox));
  console.log(`Ready after ${((performance.now() - began) / 1000).toFixed(1)} s.`);
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
// If the launcher ends, neither Ctrl-C nor npm would stop this process.
const launcher = process.env.XS2A_LAUNCHER;
if (launcher !== undefined) setInterval(() => process.ppid === Number(launcher) || void stop(0), 500).unref();
process.on('uncaughtException', (error) => void fail(error));

try {
  await start(readWishes(process.argv.slice(2)));
} catch (error) {
  await fail(error);
}
