import { writeSwitchOver } from '@xs2a/core-banking/sandbox/switch-over/switch-over-setting';
import type { SwitchOverPhase } from '@xs2a/domain/switch-over/switch-over-phase';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { RowCounts } from '@xs2a/invariants/switch-over-checks';
import type { SwitchOverReport } from './report.js';
import { setTimeout as wait } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import type { Connections } from '../connections.js';
import { Refusal } from '../command-line/refusal.js';
import { closingGate, openingGate, removingGate } from './gate.js';

/** The stored switch-over. */
export interface SwitchOverPlan {
  /** The start of the first day in euro (ISO instant). */
  readonly at: string;
  /** The name of the profile that holds afterwards. */
  readonly target: string;
  readonly phase: SwitchOverPhase;
}

/** What the report needs from the beginning of the conversion. */
interface Begun {
  /** The number of transactions that were settled in leva first. */
  readonly settledBefore: number;
  readonly before: RowCounts;
  /** Absent with the sandbox ledger. */
  readonly accountsAsked?: number;
}
interface StoredPlan extends SwitchOverPlan {
  /** Null before the conversion begins. */
  readonly begun: Begun | null;
  /** Null until the switch-over is done. */
  readonly report: SwitchOverReport | null;
}

/** Returns the stored switch-over; undefined if none is planned. */
export const readPlan = async (pool: Pick<Pool, 'query'>): Promise<StoredPlan | undefined> => {
  const { rows } = await pool.query<Omit<StoredPlan, 'at'> & { readonly at: Date }>(
    'SELECT at, target, phase, begun, report FROM payments.switch_over',
  );
  const [row] = rows;
  return row && { ...row, at: row.at.toISOString() };
};

/** What is stored with a phase. */
interface WithPhase {
  readonly begun?: Begun;
  readonly report?: SwitchOverReport;
  /** Called once no transaction is writing any more. If it throws, nothing is stored, and the gate stays as it was. */
  check?(client: ClientBase): Promise<void>;
}

/**
 * Stores the switch-over in this phase, together with the rows that the tables of payments and of the ledger accept
 * in it. Closing waits for transactions that are already writing; a later one meets the new rule.
 */
export const writePlan = async (
  connections: Connections,
  { at, target, phase }: SwitchOverPlan,
  { begun, report, check }: WithPhase = {},
): Promise<void> =>
  inTransaction(connections.patientPool('accounts'), async (client) => {
    for (const statement of phase === 'done' ? openingGate : closingGate(phase, at))
      await client.query(statement);
    await check?.(client);
    await client.query(
      `INSERT INTO payments.switch_over AS kept (at, target, phase, begun, report) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (once) DO UPDATE SET at = excluded.at, target = excluded.target, phase = excluded.phase,
         begun = coalesce(excluded.begun, kept.begun), report = excluded.report`,
      [at, target, phase, begun && JSON.stringify(begun), report && JSON.stringify(report)],
    );
    await writeSwitchOver(client, { at, phase });
  });

const removalTries = 10;
const nextTryMs = 1000;

const dropTriggers = async (connections: Connections): Promise<void> => {
  for (const statements of removingGate)
    await inTransaction(connections.patientPool('accounts'), async (client) => {
      for (const statement of statements) await client.query(statement);
    });
};

/**
 * Removes the triggers of the gate, which let every row pass since the switch-over is done. A repeat changes nothing.
 * Throws {@link Refusal} if a long transaction, such as a backup, reads a table all the time.
 */
export const removeGate = async (connections: Connections): Promise<void> => {
  for (let tried = 1; ; tried += 1)
    try {
      await dropTriggers(connections);
      return;
    } catch (error) {
      if (tried === removalTries)
        throw new Refusal(
          `The switch-over is done, and the gate is open. Its triggers, which let every row pass, could not be removed: ${error instanceof Error ? error.message : String(error)}. Run the same command again after a running backup has ended.`,
        );
      await wait(nextTryMs);
    }
};
