import { root } from '@xs2a/sandbox/layout';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { Measured } from '../growth.js';
import type { HistoryWorld } from '../history-world.js';

interface Checked {
  readonly name: string;
  readonly state: 'ok' | 'warned' | 'failed' | 'skipped';
  readonly text: string;
  readonly ms: number;
}

/** The checks of `xs2a doctor --deep`. */
const examine = async ({ world: { sandbox } }: HistoryWorld): Promise<readonly Checked[]> => {
  const env = {
    ...process.env,
    DATABASE_URL: sandbox.databaseUrl('xs2a_owner'),
    NATS_URL: sandbox.natsUrl(),
    BASE_URL: sandbox.baseUrl,
    PROFILE: 'sandbox',
    SANDBOX: 'true',
  };
  const stdout = await new Promise<string>((resolve) => {
    // Its exit status adds nothing to the checks that it prints.
    const args = [join(root, 'apps/operator-cli/dist/main.js'), '--json', 'doctor', '--deep'];
    execFile(process.execPath, args, { env, maxBuffer: 2 ** 26 }, (_error, text) => resolve(text));
  });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Checked);
};

const isBad = ({ state }: Checked): boolean => state === 'failed' || state === 'skipped';
const secondsOf = (checks: readonly Checked[]): number =>
  checks.filter(({ name }) => name.startsWith('invariant')).reduce((sum, { ms }) => sum + ms, 0) / 1000;

/** Only the invariants are compared: the other checks do not read stored data. A failed check is a problem of the row. */
export const measureDeep = async ([few, many]: readonly [HistoryWorld, HistoryWorld]): Promise<Measured> => {
  const [ofFew, ofMany] = [await examine(few), await examine(many)];
  const bad = [...ofFew, ...ofMany].filter(isBad).map(({ name, text }) => `${name}: ${text}`);
  return {
    name: 'doctor --deep',
    few: (secondsOf(ofFew) * 1e6) / few.events,
    many: (secondsOf(ofMany) * 1e6) / many.events,
    isLinear: true,
    note: `${secondsOf(ofFew).toFixed(1)} s → ${secondsOf(ofMany).toFixed(1)} s, ${bad.length === 0 ? 'nothing found' : bad.join('; ')}`,
    ...(bad.length === 0 ? {} : { problem: `doctor --deep: ${bad.join('; ')}` }),
  };
};
