import type { ServiceName } from '@xs2a/contracts/services';
import { durationText } from '@xs2a/doctor/durations';
import type { InstanceState } from '@xs2a/doctor/instances';
import type { CallGroup } from '../calls-pages/call-groups.js';
import { momentIn } from '../pages/times.js';
import { affectedBy } from './affected.js';
import { countHits, effectOf, evidenceOf } from './call-effects.js';
import type { Finding, Repair } from './finding.js';
import { startingMs } from './thresholds.js';

/** Services of which an instance is silent or not ready; those that make most calls fail first. */
export const findServices = (
  instances: readonly InstanceState[],
  groups: readonly CallGroup[],
): readonly Finding[] =>
  troubled(instances)
    .toSorted((a, b) => countHits(b.service, groups) - countHits(a.service, groups))
    .map(({ service, states, well }) => describe(service, states, well, groups));

/**
 * The console is a process like the others, and its own pulses come back to it through NATS. If it hears nobody, not even itself,
 * NATS does not deliver, and nothing is known about the services.
 */
export const findSilence = (instances: readonly InstanceState[]): readonly Finding[] =>
  instances.length === 0 || instances.some(({ kind }) => kind === 'running')
    ? []
    : [
        {
          level: 'problem',
          sentence: 'nats does not answer: no process is heard, not even this console',
          details: ['Every call fails (503) while NATS is down. What the services do is not known.'],
          place: '/services',
          evidence: { to: '/services', text: 'Show the services' },
          runbook: 'nats-lost-its-files',
          repairs: [
            { where: 'with Compose', command: 'docker compose up -d nats' },
            { where: 'in Kubernetes', command: 'kubectl -n xs2a rollout restart statefulset/nats' },
          ],
        },
      ];

/**
 * True once the system has started: every process is well, or the console has listened for so long that one which is not is
 * faulty.
 */
export const hasStarted = (instances: readonly InstanceState[], listenedMs: number): boolean =>
  listenedMs >= startingMs || troubled(instances).length === 0;

/** One finding for all services that are not ready while the system starts. */
export const findStarting = (instances: readonly InstanceState[]): readonly Finding[] => {
  const waiting = troubled(instances);
  if (waiting.length === 0) return [];
  return [
    {
      level: 'attention',
      sentence: `The system is starting: ${waiting.map(({ service }) => service).join(', ')} ${waiting.length === 1 ? 'is' : 'are'} not ready yet`,
      details: [],
      place: '/services',
      evidence: { to: '/services', text: 'Show the services' },
      runbook: 'service-does-not-answer',
    },
  ];
};

interface Troubled {
  readonly service: ServiceName;
  readonly states: readonly InstanceState[];
  /** The instances that are well. */
  readonly well: number;
}

const troubled = (instances: readonly InstanceState[]): readonly Troubled[] =>
  [...Map.groupBy(instances, ({ service }) => service)]
    .map(([service, states]) => ({ service, states, well: states.filter(isWell).length }))
    .filter(({ states, well }) => well < states.length);

const isWell = (state: InstanceState): boolean => state.kind === 'running' && state.failedChecks.length === 0;

const describe = (
  service: ServiceName,
  states: readonly InstanceState[],
  well: number,
  groups: readonly CallGroup[],
): Finding => {
  const isHeard = states.some(({ kind }) => kind === 'running');
  const areAllHeard = states.every(({ kind }) => kind === 'running');
  const sentence =
    well === 0
      ? `${service} ${isHeard ? 'is not ready' : 'does not answer'}${effectOf(service, groups)}`
      : `${service}: ${states.length - well} of ${states.length} instances ${areAllHeard ? 'are not ready' : 'do not answer'}`;
  return {
    level: well === 0 ? 'problem' : 'attention',
    sentence,
    details: [...(well === 0 ? affectedBy(service) : []), ...states.flatMap(describeTrouble)],
    place: '/services',
    evidence: evidenceOf(service, groups),
    runbook: 'service-does-not-answer',
    repairs: areAllHeard ? [] : restarts(service, states),
  };
};

const describeTrouble = (state: InstanceState): readonly string[] => {
  if (state.kind === 'missing') return ['no instance is running'];
  if (state.kind === 'silent') {
    const { host, pid, lastPulseAt } = state.instance;
    return [
      `${host}, pid ${pid}: silent for ${durationText(state.silentMs)}, since ${momentIn(lastPulseAt)}`,
    ];
  }
  const { host, pid } = state.pulse;
  return state.failedChecks.length === 0 ? [] : [`${host}, pid ${pid}: ${state.failedChecks.join(', ')}`];
};

/** How a process that hangs is restarted: it does not obey an orderly stop. */
const restarts = (service: ServiceName, states: readonly InstanceState[]): readonly Repair[] => {
  const pids = states.flatMap((state) => (state.kind === 'silent' ? [state.instance.pid] : []));
  return [
    ...(pids.length === 0
      ? []
      : [{ where: 'with npm start (it starts again by itself)', command: `kill -9 ${pids.join(' ')}` }]),
    { where: 'with Compose', command: `docker compose restart ${service}` },
    { where: 'in Kubernetes', command: `kubectl -n xs2a rollout restart deployment/${service}` },
  ];
};
