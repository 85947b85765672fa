import {
  bookPendingEntries,
  bookRounding,
  type ConversionDay,
  convertAccounts,
  readAccountsBefore,
} from '@xs2a/core-banking/sandbox/switch-over/convert-accounts';
import { forecastSwitchOver } from '@xs2a/domain/switch-over/forecast';
import type { SwitchOverFigures } from '@xs2a/domain/switch-over/report';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import { countSwitchedRows, type RowCounts, switchOverChecks } from '@xs2a/invariants/switch-over-checks';
import { failpoint } from '@xs2a/runtime/failpoint';
import { setTimeout as wait } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import type { Connections } from '../connections.js';
import { oneRow } from '../connections.js';
import type { Output } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';
import { mayConvertAccounts } from './core-bank.js';
import { openPayments, openStores, readSwitched, switchPayments } from './payments.js';
import { readPlan, type SwitchOverPlan, writePlan } from './plan.js';
import { announceProfile, toSwitched } from './profile-change.js';
import type { SwitchOverReport } from './report.js';

/** The switch-over, and the profiles before and after it. */
export interface Switch {
  readonly plan: SwitchOverPlan;
  readonly from: Profile;
  readonly target: Profile;
}

const accountsAtOnce = 500;
const askEveryMs = 250;
/** Milliseconds without progress after which the command gives up waiting for settlement. */
const settlesWithinMs = 60_000;

/** Computes the figures of the switch-over without changing anything. */
export const forecast = async (
  connections: Connections,
  { plan, from }: Pick<Switch, 'plan' | 'from'>,
): Promise<SwitchOverFigures> => {
  const stores = await openStores(connections);
  const payments: PaymentState[] = [];
  for await (const page of openPayments(connections, stores)) payments.push(...page);
  return forecastSwitchOver(
    payments,
    await readAccountsBefore(connections.patientPool('accounts')),
    plan.at,
    from,
  );
};

/** Throws {@link Refusal} if money was booked or held in leva at or after the switch-over. */
export const mustBeQuietSince = async (client: Pick<ClientBase, 'query'>, at: string): Promise<void> => {
  const { rows } = await client.query<{ isMoved: boolean }>(
    `SELECT EXISTS (SELECT FROM accounts.transfer t
         JOIN accounts.ledger_account a ON a.id IN (t.debit_account, t.credit_account)
         WHERE a.currency = 'BGN' AND t.at >= $1)
       OR EXISTS (SELECT FROM payments.payment_view WHERE status = 'ACSP' AND due_at >= $1) AS "isMoved"`,
    [at],
  );
  if (rows[0]?.isMoved !== false)
    throw new Refusal(
      `Money was booked in leva since ${at}, because the switch-over was not planned. Plan a later day.`,
    );
};

/**
 * Closes the gate for the work. Throws {@link Refusal}, and changes nothing, if money was booked since the
 * switch-over: that happens if it was not planned before, so that the gate was open.
 */
export const beginWork = async (connections: Connections, plan: SwitchOverPlan): Promise<SwitchOverPlan> => {
  const begun = { ...plan, phase: 'settling' } as const;
  const check = async (client: ClientBase): Promise<void> => mustBeQuietSince(client, plan.at);
  await writePlan(connections, begun, { check });
  return begun;
};

/** Counts what still has to be settled in leva: payments due before, baskets with items to be signed, and holds. */
const countUnsettled = async (connections: Connections, at: string): Promise<number> => {
  const { left } = await oneRow<{ left: number }>(
    connections.patientPool('payments'),
    `SELECT (SELECT count(*)::int FROM payment_view WHERE due_at < $1 AND status IN ('ACCP', 'ACSP', 'CANC'))
       + (SELECT count(*)::int FROM basket_view WHERE stage = 'signed' AND due_at IS NOT NULL)
       + (SELECT count(*)::int FROM accounts.ledger_account WHERE customer AND currency = 'BGN'
          AND (debits_pending > 0 OR credits_pending > 0)) AS left`,
    [at],
  );
  return left;
};

/** Waits until the settlement worker has settled what was due before. Throws {@link Refusal} if it does not. */
const untilSettled = async (connections: Connections, at: string, output: Output): Promise<void> => {
  let least = Number.POSITIVE_INFINITY;
  let since = performance.now();
  for (;;) {
    const left = await countUnsettled(connections, at);
    if (left === 0) return;
    if (left < least) [least, since] = [left, performance.now()];
    if (performance.now() - since > settlesWithinMs)
      throw new Refusal(`${left} payments or accounts still have money to be settled in leva.`);
    output.say(`${left} to be settled in leva`);
    await wait(askEveryMs);
  }
};

/** The number of transactions, in any currency, that were settled after the switch-over because they were due before. */
const countSettled = async (connections: Connections, at: string): Promise<number> =>
  (
    await oneRow<{ count: number }>(
      connections.patientPool('payments'),
      `SELECT count(*)::int AS count FROM events
       WHERE type IN ('settled', 'transaction-settled') AND occurred_at >= $1`,
      [at],
    )
  ).count;

const convertAll = async (connections: Connections, day: ConversionDay): Promise<void> => {
  const accounts = connections.patientPool('accounts');
  await bookPendingEntries(accounts, day);
  for (;;) {
    const converted = await convertAccounts(accounts, day, accountsAtOnce);
    failpoint('euro.accounts-converted');
    if (converted === 0) return;
  }
};

/** Checks the eight invariants. Throws {@link Refusal} with the violations. */
const mustHold = async (connections: Connections, at: string, before: RowCounts): Promise<string> => {
  const schemas = { of: (schema: 'payments' | 'consents' | 'accounts') => connections.patientPool(schema) };
  const checks = switchOverChecks({ schemas, at, before });
  const violations: string[] = [];
  for (const { rule, check } of checks)
    violations.push(...(await check()).map((violation) => `${rule}: ${violation}`));
  if (violations.length > 0) throw new Refusal(violations.join('\n'));
  return `${checks.length} of ${checks.length}`;
};

/**
 * Does the work of the switch-over after {@link beginWork}, or what an earlier run left of it: has settled in leva what
 * was due before, converts, checks the invariants, and opens the gate with the new profile. Throws {@link Refusal}, and
 * leaves the gate closed, if a step fails.
 */
export const doWork = async (
  connections: Connections,
  { plan, target }: Switch,
  output: Output,
): Promise<SwitchOverReport> => {
  const { at } = plan;
  const stores = await openStores(connections);
  const day = { at, timeZone: target.timeZone };
  if (plan.phase === 'settling') {
    failpoint('euro.settling');
    await untilSettled(connections, at, output);
    const accountsAsked = await mayConvertAccounts(connections, stores);
    const settledBefore = await countSettled(connections, at);
    const before = await countSwitchedRows({ of: (schema) => connections.patientPool(schema) });
    await writePlan(
      connections,
      { ...plan, phase: 'converting' },
      { begun: { settledBefore, before, accountsAsked } },
    );
  }
  const begun = (await readPlan(connections.pool('payments')))?.begun;
  if (begun === undefined || begun === null) throw new Error('the switch-over has no counts');
  failpoint('euro.converting');
  await switchPayments(connections, stores, { at, target });
  await convertAll(connections, day);
  const accounts = await bookRounding(connections.patientPool('accounts'), day);
  failpoint('euro.rounded');
  const switched = await readSwitched(connections, stores, begun.settledBefore);
  const invariants = await mustHold(connections, at, begun.before);
  const { accountsAsked } = begun;
  const report: SwitchOverReport = { at, dryRun: false, accounts, ...switched, accountsAsked, invariants };
  await announceProfile(connections, toSwitched(plan, target.timeZone));
  failpoint('euro.announced');
  await writePlan(connections, { ...plan, phase: 'done' }, { report });
  failpoint('euro.done');
  return report;
};
