import type { TimelineEvent } from '@xs2a/contracts/timeline.contract';

/** The facts of an event that help an operator, with their names. Everything else stays hidden. */
const facts = {
  reason: 'reason',
  failure: 'failure',
  executionDate: 'to be executed on',
  dueAt: 'due at',
  bookAt: 'its pending entry becomes booked at',
  expiresAt: 'expires at',
  validUntil: 'valid until',
  basketId: 'basket',
} as const;

/** Says in words what an event recorded: `signed – to be executed on 2026-11-27, due at 2026-11-27 13:45:20`. */
export const whatHappened = ({ type, data }: Pick<TimelineEvent, 'type' | 'data'>): string => {
  const { number } = data;
  const name = `${type.replaceAll('-', ' ')}${typeof number === 'number' ? ` #${number}` : ''}`;
  const known = Object.entries(facts).flatMap(([member, label]) => {
    const value = data[member];
    return typeof value === 'string' ? [`${label} ${shortTime(value)}`] : [];
  });
  return known.length === 0 ? name : `${name} – ${known.join(', ')}`;
};

const shortTime = (value: string): string =>
  value.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2');
