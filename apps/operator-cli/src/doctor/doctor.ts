import type { Check, Outcome } from './check.js';
import { deepChecks } from './deep.js';
import { flowChecks } from './flow.js';
import { serverChecks } from './servers.js';
import { storageChecks } from './storage.js';
import type { Connections } from '../connections.js';
import { durationText } from '../command-line/durations.js';
import type { Output } from '../command-line/output.js';
import { xs2a } from '../command-line/own-name.js';

export interface Examined {
  readonly name: string;
  /** `warned`: the check passed, but something needs attention soon. */
  readonly state: 'ok' | 'warned' | 'failed' | 'skipped';
  readonly text: string;
  readonly mend?: string;
  readonly ms: number;
}

const marks = { ok: '✓', warned: '!', failed: '✗', skipped: '–' } as const;

/** Runs all checks and shows the result of each as it ends. Returns the number of checks that failed. */
export const examine = async (connections: Connections, output: Output, deep: boolean): Promise<number> => {
  const checks = [...serverChecks, ...storageChecks, ...flowChecks, ...(deep ? deepChecks(connections) : [])];
  const down = new Set<string>();
  let failed = 0;
  for (const check of checks) {
    const begun = performance.now();
    const missing = check.needs.filter((part) => down.has(part));
    const outcome = missing.length > 0 ? undefined : await runCheck(check, connections);
    const state = toState(outcome);
    const examined: Examined = {
      name: check.name,
      state,
      text: outcome?.text ?? `needs ${missing.join(' and ')}`,
      ...(outcome?.mend === undefined ? {} : { mend: outcome.mend }),
      ms: Math.round(performance.now() - begun),
    };
    if (state === 'failed') {
      failed += 1;
      down.add(check.name);
    }
    output.show(examined, toLine(examined));
  }
  return failed;
};

const toState = (outcome: Outcome | undefined): Examined['state'] => {
  if (outcome === undefined) return 'skipped';
  if (!outcome.ok) return 'failed';
  return outcome.mend === undefined ? 'ok' : 'warned';
};

const runCheck = async (check: Check, connections: Connections): Promise<Outcome> => {
  try {
    return await check.run(connections);
  } catch (error) {
    const [text = ''] = (error instanceof Error ? error.message || error.name : String(error)).split('\n');
    return { ok: false, text, mend: xs2a('doctor') };
  }
};

const toLine = ({ name, state, text, mend, ms }: Examined): string => {
  const took = ms > 1000 ? ` (${durationText(ms)})` : '';
  const line = `${marks[state]} ${name.padEnd(20)}  ${text}${took}`;
  return mend === undefined ? line : `${line}\n  Run: ${mend}`;
};
