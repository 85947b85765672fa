import { coreBankName } from '@xs2a/contracts/services';
import { durationText } from '@xs2a/doctor/durations';
import type { InstanceState } from '@xs2a/doctor/instances';
import type { CallGroup, CallVolume } from '../calls-pages/call-groups.js';
import { momentIn } from '../pages/times.js';
import type { Waiting } from './backlog.js';
import type { Finding } from './finding.js';
import { findUnsettled } from './settlement-findings.js';
import { findPush } from './push-findings.js';
import { refusedCalls, refusedShare, unansweredCalls } from './thresholds.js';

export interface Observed {
  readonly instances: readonly InstanceState[];
  readonly volume: CallVolume;
  readonly waiting: Waiting;
}

/** Lists what is wrong, worst first. */
export const findFindings = ({ instances, volume, waiting }: Observed): readonly Finding[] => {
  const services = findServices(instances, volume.groups);
  const silent = new Set(
    instances.filter(({ kind }) => kind !== 'running').map(({ service }) => service as string),
  );
  const found = [
    ...services,
    ...findUnanswered(instances, volume.groups, silent),
    ...findUnsettled(waiting),
    ...findFailures(volume.groups),
    ...findRefusals(volume),
    ...(waiting.notifications === undefined ? [] : findPush(waiting.notifications)),
  ];
  return [
    ...found.filter(({ level }) => level === 'problem'),
    ...found.filter(({ level }) => level === 'attention'),
  ];
};

const findServices = (
  instances: readonly InstanceState[],
  groups: readonly CallGroup[],
): readonly Finding[] =>
  [...new Set(instances.map(({ service }) => service))].flatMap((service): readonly Finding[] => {
    const states = instances.filter((state) => state.service === service);
    const well = states.filter((state) => state.kind === 'running' && state.failedChecks.length === 0);
    if (well.length === states.length) return [];
    const isDown = well.length === 0;
    const isHeard = states.some(({ kind }) => kind === 'running');
    const what = isHeard ? 'is not ready' : 'does not answer';
    const sentence = isDown
      ? `${service} ${what}${effectOf(service, groups)}`
      : `${service}: ${states.length - well.length} of ${states.length} instances ${isHeard && states.every(({ kind }) => kind === 'running') ? 'are not ready' : 'do not answer'}`;
    return [
      {
        level: isDown ? 'problem' : 'attention',
        sentence,
        details: states.flatMap(describeTrouble),
        place: '/services',
        evidence: evidenceOf(service, groups),
        runbook: 'service-does-not-answer',
        command: `kubectl rollout restart deployment/${service}`,
      },
    ];
  });

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

/** Says which calls a part of the system makes fail, and since when. */
const effectOf = (dependency: string, groups: readonly CallGroup[]): string => {
  const hit = groups.filter((group) => group.dependency === dependency && group.status >= 500);
  const [first] = hit;
  if (first === undefined) return '';
  const calls = hit.reduce((sum, group) => sum + group.calls, 0);
  const operations = [...new Set(hit.map(({ operation }) => operation))];
  const since = hit.reduce((from, { firstAt }) => (firstAt < from ? firstAt : from), first.firstAt);
  return `: ${calls} ${calls === 1 ? 'call' : 'calls'} of ${operations.slice(0, 3).join(', ')} refused (${first.status}) since ${momentIn(since)}`;
};

const evidenceOf = (dependency: string, groups: readonly CallGroup[]): Finding['evidence'] =>
  groups.some((group) => group.dependency === dependency)
    ? { to: `/calls?dependency=${encodeURIComponent(dependency)}`, text: 'Show the calls' }
    : { to: `/services`, text: 'Show the services' };

/** Parts that are heard or have no pulse, such as the core bank, and yet do not answer calls. */
const findUnanswered = (
  instances: readonly InstanceState[],
  groups: readonly CallGroup[],
  silent: ReadonlySet<string>,
): readonly Finding[] => {
  const callees = new Map<string, { calls: number; callers: Set<string> }>();
  for (const state of instances) {
    if (state.kind !== 'running') continue;
    for (const [callee, calls] of Object.entries(state.pulse.unanswered)) {
      const seen = callees.get(callee) ?? { calls: 0, callers: new Set<string>() };
      callees.set(callee, { calls: seen.calls + calls, callers: seen.callers.add(state.service) });
    }
  }
  return [...callees]
    .filter(([callee, { calls }]) => !silent.has(callee) && calls >= unansweredCalls)
    .map(([callee, { calls, callers }]) => ({
      level: 'problem',
      sentence: `${callee} does not answer calls${effectOf(callee, groups)}`,
      details: [
        `${calls} ${calls === 1 ? 'call' : 'calls'} of ${[...callers].join(', ')} without a reply in the last minute`,
      ],
      place: '/services',
      evidence: evidenceOf(callee, groups),
      runbook: callee === coreBankName ? 'core-bank-slow' : 'service-does-not-answer',
    }));
};

/** Answers that failed without naming a part that did not answer. */
const findFailures = (groups: readonly CallGroup[]): readonly Finding[] =>
  groups
    .filter(({ status, dependency }) => status >= 500 && dependency === null)
    .map(({ operation, status, calls, lastAt }) => ({
      level: 'problem',
      sentence: `${operation} failed in ${calls} ${calls === 1 ? 'call' : 'calls'} (${status})`,
      details: [`last at ${momentIn(lastAt)}`],
      place: '/calls',
      evidence: {
        to: `/calls?operation=${encodeURIComponent(operation)}&status=${status}`,
        text: 'Show the calls',
      },
      runbook: 'service-does-not-answer',
    }));

/** TPPs most of whose calls are refused, each with its most frequent reason. */
const findRefusals = ({ groups, leftOut }: CallVolume): readonly Finding[] =>
  [...new Set(groups.flatMap(({ tppId }) => (tppId === null ? [] : [tppId])))].flatMap(
    (tppId): readonly Finding[] => {
      const own = groups.filter((group) => group.tppId === tppId);
      const refused = own.filter(({ status }) => status >= 400 && status < 500 && status !== 499);
      const { refused: refusedLeftOut, others } = leftOut[tppId] ?? { refused: 0, others: 0 };
      const total = sumOf(own) + refusedLeftOut + others;
      const count = sumOf(refused) + refusedLeftOut;
      const [top] = refused;
      if (top === undefined || count < refusedCalls || count < refusedShare * total) return [];
      const where = top.path === null ? '' : ` at ${top.path}`;
      const isOnly = top.calls === count;
      return [
        {
          level: 'attention',
          sentence: `${tppId} is refused in ${count} of ${total} calls: ${isOnly ? '' : 'most often '}${top.code ?? top.status}${where}`,
          details: [`${top.operation}, last at ${momentIn(top.lastAt)}`],
          place: '/calls',
          evidence: { to: `/calls?tpp=${encodeURIComponent(tppId)}&status=refused`, text: 'Show the calls' },
          runbook: 'tpp-refused',
        },
      ];
    },
  );

const sumOf = (groups: readonly CallGroup[]): number => groups.reduce((sum, { calls }) => sum + calls, 0);
