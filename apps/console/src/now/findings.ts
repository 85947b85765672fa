import { coreBankName } from '@xs2a/contracts/services';
import type { InstanceState } from '@xs2a/doctor/instances';
import type { CallGroup, CallVolume } from '../calls-pages/call-groups.js';
import { momentIn } from '../pages/times.js';
import type { TppCertificate } from '../tpps/tpp-certificates.js';
import type { NameOf } from '../tpps/tpp-names.js';
import type { Waiting } from './backlog.js';
import { findCertificates } from './certificate-findings.js';
import { countCalls, sumOf } from './call-effects.js';
import { findCoreBank } from './core-bank-findings.js';
import type { Finding } from './finding.js';
import { findKilled, type KilledProcess } from './killed-processes.js';
import { findPush } from './push-findings.js';
import { findStreams } from './stream-findings.js';
import { findServices, findSilence, findStarting } from './service-findings.js';
import { findUnsettled } from './settlement-findings.js';
import { refusedCalls, refusedShare, settlesAfterMoveMs, stoppedCallingMs } from './thresholds.js';
import { findUnanswered } from './unanswered-findings.js';

export interface Observed {
  readonly instances: readonly InstanceState[];
  readonly volume: CallVolume;
  readonly waiting: Waiting;
  /** Milliseconds since the system had started ({@link hasStarted}); undefined until then. */
  readonly startedForMs: number | undefined;
  /** Processes that were killed lately, and replaced. */
  readonly killed?: readonly KilledProcess[];
  /** The certificates of TPPs in the order of their ends. */
  readonly certificates?: readonly TppCertificate[];
  /** Milliseconds of real time since the sandbox clock was moved; undefined if it was not. */
  readonly sinceClockMoveMs?: number | undefined;
  /** When it was observed, in epoch milliseconds of real time. */
  readonly atMs: number;
  /** How TPPs are named; by default by their client ids. */
  readonly nameOf?: NameOf;
}

/**
 * Lists what is wrong, worst first: what customers or TPPs notice before what needs a person soon, and a cause before its effects.
 */
export const findFindings = (observed: Observed): readonly Finding[] => {
  const { instances, volume, waiting, startedForMs, sinceClockMoveMs = Number.POSITIVE_INFINITY } = observed;
  const { killed = [], certificates = [], atMs, nameOf = (tppId) => tppId } = observed;
  const { groups } = volume;
  const silent = new Set<string>(
    instances.filter(({ kind }) => kind !== 'running').map(({ service }) => service),
  );
  const coreBank = findCoreBank(waiting, groups);
  const named = new Set([...silent, ...(coreBank.length === 0 ? [] : [coreBankName])]);
  const isCatchingUp = sinceClockMoveMs < settlesAfterMoveMs && !silent.has('settlement-worker');
  const found = [
    ...(startedForMs === undefined ? findStarting(instances) : findSilent(instances, groups)),
    ...coreBank,
    ...(startedForMs === undefined
      ? []
      : findUnanswered({ instances, groups, silent: named, startedForMs, waiting })),
    ...findUnsettled(waiting, isCatchingUp),
    ...findFailures(groups),
    ...findRefusals(volume, atMs, nameOf),
    ...(waiting.notifications === undefined ? [] : findPush(waiting.notifications, nameOf)),
    ...findStreams(waiting.streams ?? [], atMs),
    ...findCertificates(certificates, nameOf),
    ...findKilled(killed),
  ];
  return [
    ...found.filter(({ level }) => level === 'problem'),
    ...found.filter(({ level }) => level === 'attention'),
  ];
};

const findSilent = (
  instances: readonly InstanceState[],
  groups: readonly CallGroup[],
): readonly Finding[] => {
  const silence = findSilence(instances);
  return silence.length > 0 ? silence : findServices(instances, groups);
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
const findRefusals = ({ groups, leftOut }: CallVolume, atMs: number, nameOf: NameOf): readonly Finding[] =>
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
      const lastMs = Math.max(...own.map(({ lastAt }) => lastAt.getTime()));
      const hasStopped = atMs - lastMs > stoppedCallingMs;
      return [
        {
          level: 'attention',
          sentence: `${nameOf(tppId)} ${hasStopped ? 'was' : 'is'} refused in ${count} of ${total} calls${hasStopped ? ` until ${momentIn(new Date(lastMs))}` : ''}: ${isOnly ? '' : 'most often '}${top.code ?? top.status}${where}`,
          details: [`${top.operation}, last at ${momentIn(top.lastAt)}`],
          place: '/calls',
          evidence: { to: `/calls?tpp=${encodeURIComponent(tppId)}&status=refused`, text: 'Show the calls' },
          runbook: 'tpp-refused',
        },
      ];
    },
  );
