import type { NatsConnection } from '@nats-io/transport-node';
import { allPulses, type Pulse, pulseEveryMs } from '@xs2a/contracts/pulse.contract';
import { type ServiceName, serviceNames } from '@xs2a/contracts/services';
import { durationText } from '../command-line/durations.js';
import { counted } from '../command-line/output.js';
import { failed, type Outcome, passed } from './check.js';

/** An instance that the console has seen, and that has not ended in an orderly way. */
export type KnownInstance = Pick<Pulse, 'service' | 'instance' | 'host' | 'pid'> & {
  /** The time of its last pulse. @format date-time */
  readonly lastPulseAt: string;
};

/** Milliseconds after which an instance from which no pulse came is silent: two pulses and a margin. */
export const silentAfterMs = 2 * pulseEveryMs + 500;

/**
 * Listens until every expected service and every known instance has sent a pulse, at most until one that has not
 * would be silent. Returns the latest pulse of each instance that is running.
 */
export const hearPulses = async (
  nats: NatsConnection,
  known: readonly KnownInstance[],
): Promise<readonly Pulse[]> => {
  const heard = new Map<string, Pulse>();
  const missing = new Set<string>([...serviceNames, ...known.map(({ instance }) => instance)]);
  const subscription = nats.subscribe(allPulses);
  const timer = setTimeout(() => subscription.unsubscribe(), silentAfterMs);
  for await (const message of subscription) {
    const pulse = message.json<Pulse>();
    if (pulse.ended === undefined) heard.set(pulse.instance, pulse);
    else heard.delete(pulse.instance);
    missing.delete(pulse.instance);
    if (pulse.ended === undefined) missing.delete(pulse.service);
    if (missing.size === 0) break;
  }
  clearTimeout(timer);
  return [...heard.values()];
};

export interface InstanceReport {
  readonly service: ServiceName;
  readonly outcome: Outcome;
}

/**
 * Reports on each instance: those that run, those that are silent, and the services of which no instance is known.
 * An instance that is silent no longer counts once a newer instance of its service has replaced it.
 */
export const reportInstances = (
  heard: readonly Pulse[],
  known: readonly KnownInstance[],
  { nowMs, restart }: { readonly nowMs: number; readonly restart: (service: ServiceName) => string },
): readonly InstanceReport[] =>
  serviceNames.flatMap((service) => {
    const running = heard.filter((pulse) => pulse.service === service);
    const silent = known.filter(
      (one) =>
        one.service === service &&
        !running.some(({ instance, startedAt }) => instance === one.instance || startedAt > one.lastPulseAt),
    );
    const outcomes = [
      ...silent.map((one) => failed(silentText(one, nowMs), restart(service))),
      ...running.map((pulse) => reportRunning(pulse, nowMs, restart(service))),
    ];
    if (outcomes.length === 0) outcomes.push(failed('no instance is running', restart(service)));
    return outcomes.map((outcome) => ({ service, outcome }));
  });

const silentText = ({ host, pid, lastPulseAt }: KnownInstance, nowMs: number): string =>
  `does not answer: ${host}, pid ${pid}, silent since ${lastPulseAt} (${durationText(nowMs - Date.parse(lastPulseAt))})`;

const reportRunning = (pulse: Pulse, nowMs: number, repair: string): Outcome => {
  const { host, pid, version, startedAt, isReady, checks, degraded, memoryBytes, eventLoopP99Ms } = pulse;
  const wrong = Object.entries(checks).flatMap(([name, result]) =>
    result === 'ok' ? [] : [`${name}: ${result}`],
  );
  if (!isReady) return failed(`${host}, pid ${pid}, is not ready: ${wrong.join(', ') || 'starting'}`, repair);
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
  return passed(parts.join(', '));
};

const describePool = (pool: Pulse['pool']): readonly string[] =>
  pool === undefined || pool.waiting === 0
    ? []
    : [`${counted(pool.waiting, 'statement')} waiting for one of ${pool.open} connections`];
