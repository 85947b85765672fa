import { type Check, failed, type Outcome } from './check.js';
import { deepChecks } from './deep.js';
import { flowChecks } from './flow.js';
import { leaderChecks } from './leaders.js';
import { runbookFor } from './runbooks.js';
import { serverChecks } from './servers.js';
import { examineServices, serviceChecks } from './services.js';
import { storageChecks } from './storage.js';
import type { Connections } from '../connections.js';
import { xs2a } from '../command-line/own-name.js';

export interface Examined {
  readonly name: string;
  /** `warned`: the check passed, but a problem needs attention soon. */
  readonly state: 'ok' | 'warned' | 'failed' | 'skipped';
  readonly text: string;
  readonly repair?: string;
  /** The page in the repository that explains a failed or warned line. */
  readonly runbook?: string;
  readonly ms: number;
}

/**
 * Runs all checks in order, each after the previous one has ended. The pulses of the services are heard while the
 * first checks run.
 */
export async function* examine(connections: Connections, deep: boolean): AsyncGenerator<Examined> {
  const services = examineServices(connections).catch((error: unknown) =>
    failed(readReason(error), xs2a('doctor')),
  );
  const down = new Set<string>();
  yield* runChecks([...serverChecks, ...storageChecks], connections, down);
  const examined = await services;
  const { running, reports } = 'reports' in examined ? examined : { running: [], reports: [] };
  if (!('reports' in examined))
    yield* runChecks([{ name: 'services', needs: ['nats'], run: async () => examined }], connections, down);
  for (const { service, outcome } of reports) {
    if (!running.some((pulse) => pulse.service === service)) down.add(service);
    const state = toState(outcome);
    yield {
      name: service,
      state,
      text: outcome.text,
      repair: outcome.repair,
      runbook: pageFor(service, state),
      ms: 0,
    };
  }
  const rest = [...serviceChecks, ...flowChecks, ...leaderChecks(running)];
  yield* runChecks([...rest, ...(deep ? deepChecks(connections) : [])], connections, down);
}

/** Runs checks in order. A check that needs a failed one is skipped; `down` collects the names of those that fail. */
async function* runChecks(
  checks: readonly Check[],
  connections: Connections,
  down: Set<string>,
): AsyncGenerator<Examined> {
  for (const check of checks) {
    const begun = performance.now();
    const missing = check.needs.filter((part) => down.has(part));
    const outcome = missing.length > 0 ? undefined : await runCheck(check, connections);
    const state = toState(outcome);
    if (state === 'failed') down.add(check.name);
    yield {
      name: check.name,
      state,
      text: outcome?.text ?? `needs ${missing.join(' and ')}`,
      repair: outcome?.repair,
      runbook: pageFor(check.name, state),
      ms: Math.round(performance.now() - begun),
    };
  }
}

const pageFor = (check: string, state: Examined['state']): string | undefined =>
  state === 'failed' || state === 'warned' ? runbookFor(check) : undefined;

const toState = (outcome: Outcome | undefined): Examined['state'] => {
  if (outcome === undefined) return 'skipped';
  if (!outcome.ok) return 'failed';
  return outcome.repair === undefined ? 'ok' : 'warned';
};

const runCheck = async (check: Check, connections: Connections): Promise<Outcome> => {
  try {
    return await check.run(connections);
  } catch (error) {
    return failed(readReason(error), xs2a('doctor'));
  }
};

/** Returns the first line of an error. */
const readReason = (error: unknown): string =>
  (error instanceof Error ? error.message || error.name : String(error)).split('\n')[0] ?? '';
