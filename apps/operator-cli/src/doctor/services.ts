import type { NatsConnection } from '@nats-io/transport-node';
import { CallClient } from '@xs2a/calls/client';
import { askCoreBank } from '@xs2a/contracts/accounts.contract';
import { allPulses, type Pulse, pulseEveryMs } from '@xs2a/contracts/pulse.contract';
import { coreBankName, type ServiceName, serviceNames } from '@xs2a/contracts/services';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { Clock } from '@xs2a/runtime/clock';
import { durationText } from '@xs2a/doctor/durations';
import {
  type InstanceState,
  type KnownInstance,
  listInstances,
  selectKnownInstances,
  silentAfterMs,
  toKnownInstance,
} from '@xs2a/doctor/instances';
import { counted } from '../command-line/output.js';
import { xs2a } from '../command-line/own-name.js';
import type { Connections } from '../connections.js';
import { type Check, failed, type Outcome, passed, restart } from './check.js';

/** Milliseconds in which every instance that is well sends a pulse, including those that the console has not seen. */
const heardWithinMs = pulseEveryMs + 300;
/**
 * Listens for a bit longer than the time between two pulses, or until every expected service and every known instance
 * has sent one, at most until one that has not would be silent. Returns the latest pulse of each instance that is running.
 */
const hearPulses = async (
  nats: NatsConnection,
  known: readonly KnownInstance[],
): Promise<readonly Pulse[]> => {
  const heard = new Map<string, Pulse>();
  const missing = new Set<string>([...serviceNames, ...known.map(({ instance }) => instance)]);
  const subscription = nats.subscribe(allPulses);
  const begun = performance.now();
  const timer = setTimeout(() => subscription.unsubscribe(), silentAfterMs);
  for await (const message of subscription) {
    const pulse = message.json<Pulse>();
    if (pulse.ended === undefined) heard.set(pulse.instance, pulse);
    else heard.delete(pulse.instance);
    missing.delete(pulse.instance);
    if (pulse.ended === undefined) missing.delete(pulse.service);
    if (missing.size === 0 && performance.now() - begun > heardWithinMs) break;
  }
  clearTimeout(timer);
  return [...heard.values()];
};

interface InstanceReport {
  readonly service: ServiceName;
  readonly outcome: Outcome;
}

/** Reports on each instance: those that run, those that are silent, and the services of which no instance is known. */
export const reportInstances = (
  heard: readonly Pulse[],
  known: readonly KnownInstance[],
  { nowMs, restart }: { readonly nowMs: number; readonly restart: (service: ServiceName) => string },
): readonly InstanceReport[] =>
  listInstances(heard, known, nowMs).map((state) => ({
    service: state.service,
    outcome: describeInstance(state, nowMs, restart(state.service)),
  }));

const describeInstance = (state: InstanceState, nowMs: number, repair: string): Outcome => {
  if (state.kind === 'missing') return failed('no instance is running', repair);
  if (state.kind === 'silent') return failed(silentText(state.instance, state.silentMs), repair);
  const { host, pid } = state.pulse;
  return state.failedChecks.length > 0
    ? failed(`${host}, pid ${pid}, is not ready: ${state.failedChecks.join(', ')}`, repair)
    : passed(runningText(state.pulse, nowMs));
};

const silentText = ({ host, pid, lastPulseAt }: KnownInstance, silentMs: number): string =>
  `does not answer: ${host}, pid ${pid}, silent since ${lastPulseAt} (${durationText(silentMs)})`;

const runningText = (pulse: Pulse, nowMs: number): string => {
  const { host, pid, version, startedAt, degraded, memoryBytes, eventLoopP99Ms } = pulse;
  const parts = [
    `${host}, pid ${pid}, version ${version}, up ${durationText(nowMs - Date.parse(startedAt))}`,
    `${Math.round(memoryBytes / 1e6)} MB`,
    `event loop p99 ${durationText(eventLoopP99Ms)}`,
    ...describePool(pulse.pool),
    ...Object.entries(pulse.unanswered).map(
      ([callee, count]) => `${counted(count, 'call')} to ${callee} without a reply in the last minute`,
    ),
    ...degraded,
  ];
  return parts.join(', ');
};

const describePool = (pool: Pulse['pool']): readonly string[] =>
  pool === undefined || pool.waiting === 0
    ? []
    : [`${counted(pool.waiting, 'statement')} waiting for one of ${pool.open} connections`];

/** Pulses are in real time, also in a sandbox. */
const realClock = new Clock(false);

const knownInstances = async (connections: Connections): Promise<readonly KnownInstance[]> => {
  const { rows } = await connections
    .pool('console')
    .query<KnownInstance & { lastPulseAt: Date }>(selectKnownInstances);
  return rows.map(toKnownInstance);
};

export interface ServicesReport {
  readonly running: readonly Pulse[];
  readonly reports: readonly InstanceReport[];
}

/** Listens to the pulses of all processes and compares them with what the console has seen before. */
export const examineServices = async (connections: Connections): Promise<ServicesReport> => {
  const nats = await connections.calls();
  // Without the database, only services without any running instance can be named.
  const known = await knownInstances(connections).catch(() => []);
  const running = await hearPulses(nats, known);
  const nowMs = realClock.nowMs();
  const reports = reportInstances(running, known, {
    nowMs,
    restart: (service) => restart(connections, service),
  });
  return { running, reports };
};

/** Reports the processes that started in the last day, and how many of those before them were killed or crashed. */
const restarts = async (connections: Connections): Promise<Outcome> => {
  const { rows } = await connections
    .pool('console')
    .query<{ service: string; starts: number; unended: number }>(
      `SELECT service, count(*) FILTER (WHERE started_at > now() - interval '1 day') AS starts,
        count(*) FILTER (WHERE ended IS NULL AND last_pulse_at > now() - interval '1 day'
          AND last_pulse_at < now() - interval '10 seconds') AS unended
      FROM instance GROUP BY service HAVING count(*) FILTER (WHERE started_at > now() - interval '1 day') > 0
      ORDER BY service`,
    );
  const texts = rows.map(({ service, starts, unended }) =>
    unended === 0 ? `${service} ${starts}` : `${service} ${starts} (${unended} killed, crashed or silent)`,
  );
  return passed(texts.length === 0 ? 'none in the last day' : `starts in the last day: ${texts.join(', ')}`);
};

const coreBank = async (connections: Connections): Promise<Outcome> => {
  const callClient = new CallClient(await connections.calls(), { offsetMs: 0, raiseTo: () => undefined });
  try {
    const { ms } = await callClient.call(askCoreBank, {});
    return passed(`answers in ${durationText(ms)}`);
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    const dependency = error.failures[0]?.dependency ?? 'accounts';
    const text =
      dependency === coreBankName ? 'does not answer' : `cannot be asked: ${dependency} does not answer`;
    return failed(text, xs2a('doctor'));
  }
};

/** The checks of parts that are seen only through the services. */
export const serviceChecks: readonly Check[] = [
  { name: 'restarts', needs: ['postgres'], run: restarts },
  { name: coreBankName, needs: ['nats', 'accounts'], run: coreBank },
];
