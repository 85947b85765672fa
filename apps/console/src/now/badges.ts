import type { Finding } from './finding.js';

/** What waits on a page, and how urgent the worst of it is. */
export interface Badge {
  readonly count: number;
  readonly level: Finding['level'];
}

/** Counts what Now says, for Now and for each page to which a finding leads. */
export const toBadges = (
  findings: readonly Pick<Finding, 'place' | 'level'>[],
): ReadonlyMap<string, Badge> => {
  const places = findings.flatMap(({ place, level }) => [
    { to: '/now', level },
    { to: place, level },
  ]);
  return new Map(
    [...Map.groupBy(places, ({ to }) => to)].map(([to, all]) => [
      to,
      { count: all.length, level: all.some(({ level }) => level === 'problem') ? 'problem' : 'attention' },
    ]),
  );
};
