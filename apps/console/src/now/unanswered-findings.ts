import type { LastReplies } from '@xs2a/contracts/pulse.contract';
import { coreBankName } from '@xs2a/contracts/services';
import { durationText } from '@xs2a/doctor/durations';
import type { InstanceState } from '@xs2a/doctor/instances';
import type { CallGroup } from '../calls-pages/call-groups.js';
import { affectedBy } from './affected.js';
import { countCalls, countHits, effectOf, evidenceOf } from './call-effects.js';
import type { Finding } from './finding.js';
import type { Waiting } from './backlog.js';
import { answersAgainAfterMs, quietAfterMs, unansweredCalls } from './thresholds.js';

interface Callee {
  readonly name: string;
  readonly calls: number;
  readonly callers: readonly string[];
  /** By caller; undefined for one of an earlier release. */
  readonly replies: readonly (LastReplies | undefined)[];
}

interface Situation {
  readonly instances: readonly InstanceState[];
  readonly groups: readonly CallGroup[];
  /** Parts that are named for another reason. */
  readonly silent: ReadonlySet<string>;
  /** Since when the system had started; calls that were left before count for nothing. */
  readonly startedForMs: number;
  readonly waiting: Pick<Waiting, 'coreBank'>;
}

/**
 * Parts that are heard or have no pulse, such as the core bank, and yet left calls of the last minute without a reply. One that
 * replies again is recovering. One that is well and left no call for ten seconds is not named any more.
 */
export const findUnanswered = ({
  instances,
  groups,
  silent,
  startedForMs,
  waiting,
}: Situation): readonly Finding[] =>
  listCallees(instances)
    .filter(({ name, calls }) => !silent.has(name) && calls >= unansweredCalls)
    .filter((callee) => !answersAgain(callee) || sinceMissing(callee) < startedForMs)
    .filter((callee) => sinceMissing(callee) < quietAfterMs || !isHeard(callee.name, instances, waiting))
    .toSorted((a, b) => countHits(b.name, groups) - countHits(a.name, groups))
    .map((callee) => describe(callee, groups));

const listCallees = (instances: readonly InstanceState[]): readonly Callee[] => {
  const left = instances.flatMap((state) =>
    state.kind !== 'running'
      ? []
      : Object.entries(state.pulse.unanswered).map(([callee, calls]) => ({
          callee,
          calls,
          caller: state.service,
          replies: state.pulse.lastReplies?.[callee],
        })),
  );
  return [...Map.groupBy(left, ({ callee }) => callee)].map(([name, all]) => ({
    name,
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    callers: [...new Set(all.map(({ caller }) => caller))],
    replies: all.map(({ replies }) => replies),
  }));
};

/** Milliseconds since a reply was last missing, for any caller; 0 if a caller does not say. */
const sinceMissing = ({ replies }: Callee): number =>
  Math.min(...replies.map((reply) => reply?.missingMs ?? 0));

/** True if some caller has received a reply since, and none has missed one in the meantime. */
const answersAgain = (callee: Callee): boolean => {
  const received = Math.min(...callee.replies.map((reply) => reply?.receivedMs ?? Number.POSITIVE_INFINITY));
  return received + answersAgainAfterMs <= sinceMissing(callee);
};

/** True if a part shows that it is well: by its pulse, or the core bank by its answer to the console's own question. */
const isHeard = (
  name: string,
  instances: readonly InstanceState[],
  { coreBank }: Situation['waiting'],
): boolean =>
  name === coreBankName
    ? typeof coreBank === 'object'
    : instances.some((state) => state.service === name && state.kind === 'running');

const describe = (callee: Callee, groups: readonly CallGroup[]): Finding => {
  const { name, calls, callers } = callee;
  const isRecovering = answersAgain(callee);
  return {
    level: isRecovering ? 'attention' : 'problem',
    sentence: isRecovering
      ? `${name} is recovering: it answers again, and last missed a reply ${durationText(sinceMissing(callee))} ago`
      : `${name} does not answer calls${effectOf(name, groups)}`,
    details: [
      ...(isRecovering ? [] : affectedBy(name)),
      `${countCalls(calls)} of ${callers.join(', ')} without a reply in the last minute`,
    ],
    place: '/services',
    evidence: evidenceOf(name, groups),
    runbook: name === coreBankName ? 'core-bank-slow' : 'service-does-not-answer',
  };
};
