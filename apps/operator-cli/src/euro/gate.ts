import type { SwitchOverPhase } from '@xs2a/domain/switch-over/switch-over-phase';
import { switchOverUnderWay } from '@xs2a/postgres/errors';

/*
 * The gate of the switch-over (contract E6.1). While it is closed, the tables refuse the rows of the services that
 * move or promise money; the services answer 503. A trigger, not the services' clocks, decides, so that an instance that
 * was stopped for a while cannot write what it decided before.
 */

/** The actors that finish what was signed before: settlement, and baskets that pass their signatures to their items. */
const finishing = ['settlement', 'baskets'];

interface GatedTable {
  readonly table: string;
  readonly role: string;
  /** SQL: true for a row that is refused in this phase. */
  refused(phase: Exclude<SwitchOverPhase, 'done'>, at: string): string;
}

/** In the order in which the services write them, so that taking the locks cannot deadlock. */
const tables: readonly GatedTable[] = [
  {
    table: 'payments.events',
    role: 'xs2a_payments',
    refused: (phase, at) =>
      ({
        planned: `occurred_at >= '${at}'`,
        settling: `meta->>'actor' NOT IN (${finishing.map((actor) => `'${actor}'`).join(', ')})`,
        converting: 'true',
      })[phase],
  },
  {
    table: 'accounts.account',
    role: 'xs2a_accounts',
    refused: (phase) => (phase === 'planned' ? 'false' : 'true'),
  },
  {
    table: 'accounts.transfer',
    role: 'xs2a_accounts',
    refused: (phase, at) =>
      ({ planned: `at >= '${at}'`, settling: `kind = 'direct' OR at >= '${at}'`, converting: 'true' })[phase],
  },
];

const functionOf = (table: string): string => `${table}_switch_over`;

const closing = (
  { table, role, refused }: GatedTable,
  phase: Exclude<SwitchOverPhase, 'done'>,
  at: string,
): readonly string[] => [
  // Waits for the transactions that are writing; the next ones meet the new function.
  `LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`,
  `CREATE OR REPLACE FUNCTION ${functionOf(table)}() RETURNS trigger LANGUAGE plpgsql AS $gate$
   BEGIN
     IF current_user = '${role}' AND EXISTS (SELECT FROM added WHERE ${refused(phase, at)}) THEN
       RAISE EXCEPTION 'the switch-over to euro is under way' USING ERRCODE = '${switchOverUnderWay}';
     END IF;
     RETURN NULL;
   END $gate$`,
  `CREATE OR REPLACE TRIGGER switch_over AFTER INSERT ON ${table} REFERENCING NEW TABLE AS added
   FOR EACH STATEMENT EXECUTE FUNCTION ${functionOf(table)}()`,
];

/** The statements that close the gate for a phase, in one transaction. `at`: the switch-over as an ISO instant. */
export const closingGate = (phase: Exclude<SwitchOverPhase, 'done'>, at: string): readonly string[] =>
  tables.flatMap((table) => closing(table, phase, at));

/** The statements that open the gate. They wait for no reader or writer, so they succeed during a backup too. */
export const openingGate: readonly string[] = tables.map(
  ({ table }) =>
    `CREATE OR REPLACE FUNCTION ${functionOf(table)}() RETURNS trigger LANGUAGE plpgsql AS $gate$
   BEGIN RETURN NULL; END $gate$`,
);

/**
 * The statements that remove the triggers of the open gate: each list is a transaction of its own. A repeat changes
 * nothing.
 */
export const removingGate: readonly (readonly string[])[] = tables.map(({ table }) => [
  // The lock that dropping a trigger needs, taken at once, because a reader that writes next would deadlock with it.
  `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`,
  `DROP TRIGGER IF EXISTS switch_over ON ${table}`,
  `DROP FUNCTION IF EXISTS ${functionOf(table)}`,
]);
