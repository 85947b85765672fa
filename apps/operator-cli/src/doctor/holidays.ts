import { holidaysEnd } from '@xs2a/domain/profile/profile-tables';
import { toBankDate } from '@xs2a/domain/time/bank-calendar';
import { Clock } from '@xs2a/runtime/clock';
import { readProfile } from '@xs2a/runtime/profile-file';
import type { Connections } from '../connections.js';
import { type Check, type Outcome, passed } from './check.js';

/**
 * Checks that the bank's holidays are known far enough in advance. A profile may use a table of single days, which
 * ends at some point.
 */
export const holidaysOutcome = (file: string, offsetMs: number): Outcome => {
  const profile = readProfile(file);
  const now = new Date(new Clock(false).nowMs() + offsetMs).toISOString();
  const problem = holidaysEnd(profile, toBankDate(now, profile.timeZone));
  const computed = profile.holidaysUntil === undefined ? 'computed' : `known until ${profile.holidaysUntil}`;
  return problem === undefined
    ? passed(computed)
    : passed(problem, `add days, or "calendars", to the table that ${file} names as holidays`);
};

export const holidaysCheck: Check = {
  name: 'holidays',
  needs: ['nats'],
  run: async (connections: Connections) =>
    holidaysOutcome(connections.profileFile, await connections.clockOffsetMs()),
};
