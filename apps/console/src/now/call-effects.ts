import type { CallGroup } from '../calls-pages/call-groups.js';
import { momentIn } from '../pages/times.js';
import type { Finding } from './finding.js';

/** The calls that a part of the system made fail. */
const hitBy = (dependency: string, groups: readonly CallGroup[]): readonly CallGroup[] =>
  groups.filter((group) => group.dependency === dependency && group.status >= 500);

export const sumOf = (groups: readonly CallGroup[]): number =>
  groups.reduce((sum, { calls }) => sum + calls, 0);

export const countCalls = (calls: number): string => `${calls} ${calls === 1 ? 'call' : 'calls'}`;

/** Returns how many calls a part of the system made fail. */
export const countHits = (dependency: string, groups: readonly CallGroup[]): number =>
  sumOf(hitBy(dependency, groups));

/** Says which calls a part of the system made fail within five minutes, also by an earlier fault; empty if none. */
export const effectOf = (dependency: string, groups: readonly CallGroup[]): string => {
  const hit = hitBy(dependency, groups);
  const [first] = hit;
  if (first === undefined) return '';
  const operations = [...new Set(hit.map(({ operation }) => operation))];
  const since = hit.reduce((from, { firstAt }) => (firstAt < from ? firstAt : from), first.firstAt);
  return `: ${countCalls(sumOf(hit))} of ${operations.slice(0, 3).join(', ')} failed (${first.status}) in five minutes, the first at ${momentIn(since)}`;
};

export const evidenceOf = (dependency: string, groups: readonly CallGroup[]): Finding['evidence'] =>
  groups.some((group) => group.dependency === dependency)
    ? { to: `/calls?dependency=${encodeURIComponent(dependency)}`, text: 'Show the calls' }
    : { to: `/services`, text: 'Show the services' };
