import type { NotificationSummary, TppQueue } from '@xs2a/contracts/notifications.contract';
import { commandLine } from '../pages/command-line.js';
import { pushPath } from '../push-pages/push-filter.js';
import type { NameOf } from '../tpps/tpp-names.js';
import { momentIn } from '../pages/times.js';
import type { Finding } from './finding.js';
import { namedReceivers } from './thresholds.js';

/** TPPs whose receivers do not accept notifications, dead letters, and changes that cannot be read. */
export const findPush = (
  { tpps, totals, unread }: NotificationSummary,
  nameOf: NameOf,
): readonly Finding[] => {
  const refusing = tpps.filter(({ failing }) => failing > 0);
  const withDead = tpps.filter(({ dead }) => dead > 0);
  return [
    ...refusing.slice(0, namedReceivers).map((queue) => describeRefusing(queue, nameOf)),
    ...theRest(refusing.length, (count) =>
      count === 1
        ? '1 more TPP does not accept notifications'
        : `${count} more TPPs do not accept notifications`,
    ),
    ...withDead.slice(0, namedReceivers).map((queue) => describeDead(queue, nameOf)),
    ...theRest(
      withDead.length,
      (count) => `${counted(count, 'more TPP')} ${count === 1 ? 'has' : 'have'} dead letters`,
    ),
    ...unread.slice(0, 1).map(({ source, since }) => ({
      ...common,
      sentence: `changes of ${counted(totals.unread, 'resource')} cannot be read: their notifications wait since ${momentIn(since)}`,
      details: [`the oldest belongs to ${source}`],
      evidence: { to: '/push', text: 'Show the resources' },
    })),
  ];
};

const common = { level: 'attention', place: '/push', runbook: 'push-fails' } as const;
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
const evidenceOf = (tppId: string): Finding['evidence'] => ({
  to: pushPath({ tpp: tppId }),
  text: 'Show the notifications',
});

const describeRefusing = (
  { tppId, waiting, failing, oldestAt, reason, uri }: TppQueue,
  nameOf: NameOf,
): Finding => ({
  ...common,
  sentence: `${nameOf(tppId)} does not accept notifications: ${failing} failing, ${waiting} waiting${oldestAt === undefined ? '' : `, the oldest since ${momentIn(oldestAt)}`}${reason === undefined ? '' : ` (${reason})`}`,
  details: uri === undefined ? [] : [`receiver: ${uri}`],
  evidence: evidenceOf(tppId),
});

const describeDead = ({ tppId, dead, failing, reason }: TppQueue, nameOf: NameOf): Finding => ({
  ...common,
  sentence: `${counted(dead, 'notification')} for ${nameOf(tppId)} ${dead === 1 ? 'is a dead letter' : 'are dead letters'}`,
  details: [
    `Given up${failing > 0 || reason === undefined ? '' : ` (the latest answer: ${reason})`}: not sent again by itself. Send again once the receiver accepts notifications.`,
  ],
  evidence: evidenceOf(tppId),
  repairs: [{ command: commandLine('xs2a notifications replay', { tpp: tppId, reason: 'REASON' }) }],
});

/** One more finding for TPPs that are not named, because a fault of the network concerns all of them. */
const theRest = (count: number, toSentence: (count: number) => string): readonly Finding[] =>
  count <= namedReceivers
    ? []
    : [
        {
          ...common,
          sentence: toSentence(count - namedReceivers),
          details: [],
          evidence: { to: '/push', text: 'Show the TPPs' },
        },
      ];
