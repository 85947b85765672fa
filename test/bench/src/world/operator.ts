import { root } from '@xs2a/sandbox/layout';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { BenchWorld } from './bench-world.js';

/**
 * Runs a compiled program of this repository that prints one JSON value per line. Throws if it fails, unless
 * `mayFail` is set.
 */
const run = async <Value>(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  mayFail = false,
): Promise<readonly Value[]> => {
  const options = { env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
  const stdout = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [join(root, file), ...args], options, (error, text) =>
      error === null || mayFail ? resolve(text) : reject(error),
    );
  });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Value);
};

export interface Checked {
  readonly name: string;
  readonly state: 'ok' | 'warned' | 'failed' | 'skipped';
  readonly text: string;
  readonly ms: number;
}

/** Returns the checks of `xs2a doctor --deep`. The exit status is ignored because it adds no information. */
export const checkDeep = async ({ sandbox }: BenchWorld): Promise<readonly Checked[]> =>
  run(
    'apps/operator-cli/dist/main.js',
    ['--json', 'doctor', '--deep'],
    {
      DATABASE_URL: sandbox.databaseUrl('xs2a_owner'),
      NATS_URL: sandbox.natsUrl(),
      BASE_URL: sandbox.baseUrl,
      PROFILE: 'sandbox',
      SANDBOX: 'true',
    },
    true,
  );

/** The read models that can be rebuilt. */
export const projections = ['payment_volume_daily'] as const;

/** Rebuilds a read model as an operator does: with the service's own command, connected as the owner of the schema. */
export const rebuild = async (
  { sandbox }: BenchWorld,
  projection: string,
): Promise<{ readonly events: number; readonly seconds: number }> => {
  const lines = await run<{ rebuilt?: Awaited<ReturnType<typeof rebuild>> }>(
    'apps/payments/dist/rebuild-projection.js',
    [projection],
    {
      SANDBOX: 'true',
      MIGRATION_DATABASE_URL: sandbox.databaseUrl('xs2a_owner'),
      PROFILE_FILE: join(root, 'deploy/profiles/sandbox.json'),
    },
  );
  const rebuilt = lines.at(-1)?.rebuilt;
  if (rebuilt === undefined)
    throw new Error(`${projection} was not rebuilt: ${JSON.stringify(lines.at(-1))}`);
  return rebuilt;
};

/** Runs the sandbox's operator command. A month can be archived once two more months have passed. */
const xs2a = async <Value>({ sandbox }: BenchWorld, ...args: readonly string[]): Promise<readonly Value[]> =>
  run('tools/sandbox/dist/xs2a.js', [...args, '--json'], {
    XS2A_DATA_DIR: sandbox.dataDir,
    PAYMENTS_ARCHIVED_AFTER_MONTHS: '2',
  });

/** Lists the months whose payments can be archived, oldest first, such as `2027-03`. */
export const dueMonths = async (world: BenchWorld): Promise<readonly string[]> => {
  const due = await xs2a<{ kind: string; resource: string; month: string }>(world, 'archive', 'due');
  return due
    .filter(({ kind, resource }) => kind === 'month' && resource === 'payments')
    .map(({ month }) => month);
};

/** Archives the payments of a month to a folder. Returns what the command prints for each file. */
export const archiveMonth = async (
  world: BenchWorld,
  month: string,
  folder: string,
): Promise<readonly { readonly path: string; readonly events: number; readonly streams: number }[]> =>
  xs2a(world, 'archive', 'month', month, '--resource', 'payments', '--to', folder);
