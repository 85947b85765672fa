import type { InstanceState } from '@xs2a/doctor/instances';
import type { CallGroup, CallVolume } from '../calls-pages/call-groups.js';
import { momentIn } from '../pages/times.js';
import type { Waiting } from './backlog.js';
import { countCalls, sumOf } from './call-effects.js';
import type { Finding } from './finding.js';
import { findPush } from './push-findings.js';
import { findServices, findStarting } from './service-findings.js';
import { findUnsettled } from './settlement-findings.js';
import { refusedCalls, refusedShare, settlesAfterMoveMs, startingMs } from './thresholds.js';
import { findUnanswered } from './unanswered-findings.js';

export interface Observed {
  readonly instances: readonly InstanceState[];
  readonly volume: CallVolume;
  readonly waiting: Waiting;
  /** Milliseconds for which the console has listened to the processes. */
  readonly listenedMs: number;
  /** Milliseconds of real time since the sandbox clock was moved; undefined if it was not. */
  readonly sinceClockMoveMs?: number | undefined;
}

/**
 * Lists what is wrong, worst first: what customers or TPPs notice before what needs a person soon, and a cause before its effects.
 */
export const findFindings = (observed: Observed): readonly Finding[] => {
  const { instances, volume, waiting, listenedMs, sinceClockMoveMs = Number.POSITIVE_INFINITY } = observed;
  const { groups } = volume;
  const silent = new Set<string>(
    instances.filter(({ kind }) => kind !== 'running').map(({ service }) => service),
  );
  const isStarting = listenedMs < startingMs;
  const isCatchingUp = sinceClockMoveMs < settlesAfterMoveMs && !silent.has('settlement-worker');
  const found = [
    ...(isStarting ? findStarting(instances) : findServices(instances, groups)),
    ...(isStarting ? [] : findUnanswered(instances, groups, silent, listenedMs - startingMs)),
    ...findUnsettled(waiting, isCatchingUp),
    ...findFailures(groups),
    ...findRefusals(volume),
    ...(waiting.notifications === undefined ? [] : findPush(waiting.notifications)),
  ];
  return [
    ...found.filter(({ level }) => level === 'problem'),
    ...found.filter(({ level }) => level === 'attention'),
  ];
};

/** Answers that failed without naming a part that did not answer. */
const findFailures = (groups: readonly CallGroup[]): readonly Finding[] =>
  groups
    .filter(({ status, dependency }) => status >= 500 && dependency === null)
    .map(({ operation, status, calls, lastAt }) => ({
      level: 'problem',
      sentence: `${operation} failed in ${countCalls(calls)} (${status})`,
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
