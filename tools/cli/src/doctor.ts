import { type Check, mendBy, type Outcome } from './doctor-check.js';
import { deepChecks } from './doctor-deep.js';
import { flowChecks } from './doctor-flow.js';
import { serverChecks } from './doctor-servers.js';
import type { Connections } from './connections.js';
import { durationText } from './durations.js';
import type { Output } from './output.js';

export interface Examined {
  readonly name: string;
  readonly state: 'ok' | 'failed' | 'skipped';
  readonly text: string;
  readonly mend?: string;
  readonly ms: number;
}

const signs = { ok: '✓', failed: '✗', skipped: '–' } as const;

/** Runs all checks, showing each as it ends; answers how many failed. */
export const examine = async (connections: Connections, output: Output, deep: boolean): Promise<number> => {
  const checks = [...serverChecks, ...flowChecks, ...(deep ? deepChecks(connections) : [])];
  const down = new Set<string>();
  let failed = 0;
  for (const check of checks) {
    const begun = performance.now();
    const missing = check.needs.filter((part) => down.has(part));
    const outcome = missing.length > 0 ? undefined : await outcomeOf(check, connections);
    const state = outcome === undefined ? 'skipped' : outcome.ok ? 'ok' : 'failed';
    const examined: Examined = {
      name: check.name,
      state,
      text: outcome?.text ?? `needs ${missing.join(' and ')}`,
      ...(outcome?.ok === false ? { mend: outcome.mend } : {}),
      ms: Math.round(performance.now() - begun),
    };
    if (state === 'failed') {
      failed += 1;
      down.add(check.name);
    }
    output.show(examined, lineOf(examined));
  }
  return failed;
};

const outcomeOf = async (check: Check, connections: Connections): Promise<Outcome> => {
  try {
    return await check.run(connections);
  } catch (error) {
    const [text = ''] = (error instanceof Error ? error.message || error.name : String(error)).split('\n');
    return { ok: false, text, mend: mendBy(connections, 'npm run xs2a -- doctor', 'npm run xs2a -- doctor') };
  }
};

const lineOf = ({ name, state, text, mend, ms }: Examined): string => {
  const took = ms > 1000 ? ` (${durationText(ms)})` : '';
  const line = `${signs[state]} ${name.padEnd(20)}  ${text}${took}`;
  return mend === undefined ? line : `${line}\n  Run: ${mend}`;
};
