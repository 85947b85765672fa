import type { Profile } from '@xs2a/domain/profile/profile';
import { startOfBankDay, toBankDate } from '@xs2a/domain/time/bank-calendar';
import { readProfile } from '@xs2a/runtime/profile-file';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PoolClient } from 'pg';
import { defineCommand, group } from '../command-line/define-command.js';
import { flag, option } from '../command-line/options.js';
import { xs2a } from '../command-line/own-name.js';
import { Refusal } from '../command-line/refusal.js';
import type { Connections } from '../connections.js';
import { readPlan, removeGate, writePlan } from './plan.js';
import { restoreProfile } from './profile-change.js';
import { reportJson, reportText, type SwitchOverReport } from './report.js';
import { beginWork, doWork, forecast, mustBeQuietSince } from './work.js';

/** The profile to which each profile in leva switches. */
const targets: Readonly<Record<string, string>> = { sandbox: 'bg-euro', production: 'bg-euro-production' };

const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

/** Parses `--at`: the start of a day of the bank, as an ISO instant. Throws {@link Refusal}. */
const readAt = (text: string, timeZone: string): string => {
  const time = instantPattern.test(text) ? Date.parse(text) : Number.NaN;
  const at = Number.isNaN(time) ? undefined : new Date(time).toISOString();
  if (at === undefined || startOfBankDay(toBankDate(at, timeZone), timeZone) !== at)
    throw new Refusal(
      `--at must be the start of a day in ${timeZone}, such as 2026-01-01T00:00:00+02:00.`,
      2,
    );
  return at;
};

/** Reads the profile to switch to. Throws {@link Refusal} if it is not the one that follows the current profile. */
const readTarget = (profileFile: string, from: Profile, to: string | undefined): Profile => {
  const expected = targets[from.name] ?? from.name;
  const name = to ?? expected;
  if (name !== expected)
    throw new Refusal(`With the profile ${from.name}, --to must be ${expected}, not ${name}.`, 2);
  const file = join(dirname(profileFile), `${name}.json`);
  if (!existsSync(file)) throw new Refusal(`There is no profile ${name}.json next to ${profileFile}.`, 2);
  return readProfile(file);
};

/** Runs `work` unless another process is running it. Throws {@link Refusal} if one is. */
const alone = async <Result>(connections: Connections, work: () => Promise<Result>): Promise<Result> => {
  // The lock belongs to the session, so it ends with the process.
  const session: PoolClient = await connections.pool('accounts').connect();
  try {
    const { rows } = await session.query<{ locked: boolean }>(
      "SELECT pg_try_advisory_lock(hashtext('xs2a euro switch')) AS locked",
    );
    if (rows[0]?.locked !== true) throw new Refusal('Another process is switching the bank to euro.');
    return await work();
  } finally {
    session.release(true);
  }
};

/** What the command did: planned the switch-over, or reports it. */
type Outcome = { readonly planned: string; readonly target: string } | SwitchOverReport;

const isReport = (outcome: Outcome): outcome is SwitchOverReport => 'accounts' in outcome;

const toJson = (outcome: Outcome): unknown => (isReport(outcome) ? reportJson(outcome) : outcome);

const switchCommand = defineCommand({
  name: 'switch',
  help: 'plans the switch-over from leva to euro; from then on, does it',
  options: {
    at: option('<instant>', 'the start of the first day in euro').required(),
    to: option('<profile>', 'the profile that holds afterwards'),
    dryRun: flag('shows what would happen, and changes nothing'),
    report: option('<file>', 'writes the report to this file, as JSON'),
  },
  run: async ({ connections, output, options }): Promise<Outcome> => {
    const from = readProfile(connections.profileFile);
    const target = readTarget(connections.profileFile, from, options.to);
    const at = readAt(options.at ?? '', target.timeZone);
    const outcome = await alone(connections, async (): Promise<Outcome> => {
      const stored = await readPlan(connections.pool('payments'));
      if (stored === undefined && from.standard === 'euro')
        throw new Refusal(`The profile ${from.name} is in euro already.`, 2);
      const isBegun = stored !== undefined && stored.phase !== 'planned';
      if (isBegun && stored.at !== at)
        throw new Refusal(`The bank switches, or has switched, at ${stored.at}, not at ${at}.`, 2);
      if (stored?.phase === 'done' && stored.report !== null) {
        if (!options.dryRun) {
          await restoreProfile(connections);
          await removeGate(connections);
        }
        return stored.report;
      }
      if (isBegun && options.dryRun)
        throw new Refusal('The switch-over is under way. Run the command without --dry-run.');
      const plan = { at, target: target.name, phase: stored?.phase ?? 'planned' } as const;
      const isDue = (await connections.nowMs()) >= Date.parse(at);
      if (options.dryRun) {
        if (isDue) await mustBeQuietSince(connections.pool('accounts'), at);
        return { at, dryRun: true, ...(await forecast(connections, { plan, from })) };
      }
      if (!isDue) {
        await writePlan(connections, { ...plan, phase: 'planned' });
        return { planned: at, target: target.name };
      }
      const begun = isBegun ? plan : await beginWork(connections, plan);
      let report: SwitchOverReport;
      try {
        report = await doWork(connections, { plan: begun, from, target }, output);
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        throw new Refusal(
          `${problem}\nThe gate stays closed: no payment is accepted or settled. Repair this (${xs2a('doctor --deep')}), then run the same command again.`,
        );
      }
      await removeGate(connections);
      return report;
    });
    if (options.report !== undefined && isReport(outcome))
      writeFileSync(options.report, `${JSON.stringify(reportJson(outcome), null, 2)}\n`);
    return outcome;
  },
  json: toJson,
  text: (outcome) =>
    isReport(outcome)
      ? reportText(outcome)
      : `✓ planned for ${outcome.planned}, with the profile ${outcome.target}. Run the same command again then.`,
});

export const euro = group('euro', 'the bank’s switch-over from leva to euro', [switchCommand]);
