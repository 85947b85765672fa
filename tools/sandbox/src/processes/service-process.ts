import { startChild, readTail, untilReady } from '@xs2a/local-servers/child';
import { existsSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { allocatorEnvironment, heapOptions } from './allocator.js';
import { root } from '../layout.js';
import type { Environment, ServiceName } from '../services/service-table.js';
import type { Running } from './supervised.js';

const startWithinMs = 60_000;
const drainWithinMs = 5000;

/** The interval between two readiness queries to a service that is starting. */
const queryEveryMs = 100;

interface Readiness {
  readonly isReady: boolean;
  readonly body: string;
}

/**
 * Queries `/health/ready` of a service; resolves to undefined if no answer arrives. Uses `http.get`, because `fetch`
 * needs three times the CPU time for a refused connection, and the start of a sandbox causes hundreds of refused
 * connections.
 */
const readReadiness = async (healthPort: string | undefined): Promise<Readiness | undefined> =>
  new Promise((resolve) => {
    const giveUp = (): void => resolve(undefined);
    get(
      { host: '127.0.0.1', port: healthPort, path: '/health/ready', agent: false, timeout: 2000 },
      (answer) => {
        let body = '';
        answer
          .setEncoding('utf8')
          .on('data', (text: string) => (body += text))
          .once('error', giveUp)
          .once('end', () => resolve({ isReady: answer.statusCode === 200, body }));
      },
    )
      .once('timeout', function (this: ReturnType<typeof get>) {
        this.destroy();
      })
      .once('error', giveUp);
  });

/** Returns the failing checks that keep a service from being ready. */
const notReadyFor = async (healthPort: string | undefined): Promise<string> => {
  const readiness = await readReadiness(healthPort);
  try {
    const { checks } = JSON.parse(readiness?.body ?? '') as {
      readonly checks: Readonly<Record<string, string>>;
    };
    return Object.entries(checks)
      .map(([name, result]) => `${name} ${result}`)
      .join(', ');
  } catch {
    return 'it does not say why';
  }
};

/** Returns the reason a service gave up: the last line in its log that is in our log format or names an error. */
const lastWords = (logFile: string): string => {
  const words = readTail(logFile, 40)
    .split('\n')
    .flatMap((line) => {
      try {
        const { msg = '', error } = JSON.parse(line) as { msg?: string; error?: { message?: string } };
        return [[msg, error?.message].filter(Boolean).join(': ')];
      } catch {
        return /^\w*Error\b.*: /.test(line) ? [line] : [];
      }
    });
  return words.findLast((line) => line !== '') ?? 'it said nothing';
};

/** Programs in `examples` that use the bank and are not part of it. */
type Guest = 'demo-tpp' | 'staff-provider';
const guests: ReadonlySet<string> = new Set<Guest>(['demo-tpp', 'staff-provider']);

/** Options for the start of a service process. */
export interface ServiceStart {
  /** The checkout whose build is started. Default: the checkout of this file. */
  readonly checkout?: string;
  /** True if stack traces name lines of the TypeScript sources. Default: true. */
  readonly sourceMaps?: boolean;
}

/** Starts a built app from the checkout as a separate process, and waits until the app reports that it is ready. */
export const startServiceProcess = async (
  service: ServiceName | Guest,
  env: Environment,
  logFile: string,
  signal: AbortSignal,
  { checkout = root, sourceMaps = true }: ServiceStart = {},
): Promise<Running> => {
  const folder = guests.has(service) ? `examples/${service}` : `apps/${service}`;
  const main = join(checkout, folder, 'dist/main.js');
  if (!existsSync(main)) throw new Error(`${folder} is not built: npm run build`);
  const child = startChild({
    command: process.execPath,
    args: [...heapOptions, ...(sourceMaps ? ['--enable-source-maps'] : []), main],
    // Passes only those variables of the user's shell that a program needs to run, because a HOST or PORT set
    // there is not meant for the services.
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LANG: process.env.LANG,
      NODE_ENV: 'production',
      // The same settings as in deploy/Dockerfile.
      ...allocatorEnvironment(),
      NODE_COMPILE_CACHE: join(checkout, '.xs2a/compile-cache'),
      ...env,
    },
    logFile,
    // If its runner has ended, the process has also lost its servers, so it cannot drain.
    orphanSignal: 'KILL',
  });
  const outcome = await untilReady(
    child,
    startWithinMs,
    async () => signal.aborted || (await readReadiness(env.HEALTH_PORT))?.isReady === true,
    queryEveryMs,
  );
  if (signal.aborted) {
    await child.stop('SIGTERM', drainWithinMs);
    throw new Error(`${service} was stopped before it was ready`);
  }
  if (outcome !== 'ready') {
    const missing = await notReadyFor(env.HEALTH_PORT);
    await child.stop('SIGKILL', 0);
    const how =
      outcome === 'gone' ? 'did not start' : `was not ready after ${startWithinMs / 1000} s (${missing})`;
    throw new Error(`${service} ${how}: ${lastWords(logFile)} (${logFile})`);
  }
  return {
    pid: child.pid,
    exited: child.exited,
    kill: (signal) => child.kill(signal ?? 'SIGKILL'),
    stop: () => child.stop('SIGTERM', drainWithinMs),
  };
};
