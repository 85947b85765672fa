import type { Finding } from './finding.js';
import type { OwnLog } from './own-log.js';
import type { Group, Situation } from './situation.js';
import { groups } from './situations.js';

/** A situation with what the log says about it. */
export interface Evaluated {
  readonly group: Group;
  readonly situation: Situation;
  readonly finding: Finding;
}

const ms = (instant: string): number => Date.parse(instant);

/** Compares what a TPP did with all situations. The same calls and notifications have the same result in any order. */
export const evaluate = (log: OwnLog): readonly Evaluated[] => {
  const sorted: OwnLog = {
    ...log,
    calls: log.calls.toSorted((one, other) => ms(one.time) - ms(other.time)),
    notifications: log.notifications.toSorted((one, other) => ms(other.createdAt) - ms(one.createdAt)),
  };
  return groups.flatMap((group) =>
    group.situations.map((situation) => ({ group, situation, finding: situation.find(sorted) })),
  );
};
