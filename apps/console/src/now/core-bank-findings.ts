import { coreBankName } from '@xs2a/contracts/services';
import { durationText } from '@xs2a/doctor/durations';
import type { CallGroup } from '../calls-pages/call-groups.js';
import type { Waiting } from './backlog.js';
import { affectedBy } from './affected.js';
import { effectOf, evidenceOf } from './call-effects.js';
import type { Finding } from './finding.js';
import { slowCoreBankMs } from './thresholds.js';

/** A core bank that leaves the console's own question without an answer, or answers slowly. */
export const findCoreBank = (
  { coreBank }: Pick<Waiting, 'coreBank'>,
  groups: readonly CallGroup[],
): readonly Finding[] => {
  const common = {
    place: '/services',
    evidence: evidenceOf(coreBankName, groups),
    runbook: 'core-bank-slow',
  } as const;
  if (coreBank === undefined) return [];
  if (coreBank === 'no answer')
    return [
      {
        ...common,
        level: 'problem',
        sentence: `${coreBankName} does not answer calls${effectOf(coreBankName, groups)}`,
        details: [
          ...affectedBy(coreBankName),
          'It did not answer a question without effect, which the console asks every five seconds.',
        ],
      },
    ];
  if (coreBank.ms < slowCoreBankMs) return [];
  return [
    {
      ...common,
      level: 'attention',
      sentence: `${coreBankName} is slow: it answered a question without effect in ${durationText(coreBank.ms)}`,
      details: [],
    },
  ];
};
