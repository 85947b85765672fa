import type { SwitchOverPhase } from '@xs2a/domain/switch-over/switch-over-phase';
import { switchOverUnderWay } from '@xs2a/postgres/errors';

/*
 * The gate of the switch-over (contract-euro E6.1). While it is closed, the tables refuse the rows of the services that
 * move or promise money; the services answer 503. A trigger, not the services' clocks, decides, so that an instance that
 * was stopped for a while cannot write what it decided before.
 */

/** The events that settlement appends. */
const settlementEvents = [
  'settlement-started',
  'funds-refused',
  'settled',
  'entry-booked',
  'transaction-planned',
  'transaction-started',
  'transaction-settled',
  'transaction-refused',
  'completed',
  'partly-completed',
];

interface GatedTable {
  readonly table: string;
  readonly role: string;
  /** SQL: true for a row that is refused in this phase. */
  refused(phase: Exclude<SwitchOverPhase, 'done'>, at: string): string;
}

const tables: readonly GatedTable[] = [
  {
    table: 'payments.events',
    role: 'xs2a_payments',
    refused: (phase, at) =>
      ({
        planned: `occurred_at >= '${at}'`,
        settling: `type NOT IN (${settlementEvents.map((type) => `'${type}'`).join(', ')})`,
        converting: 'true',
      })[phase],
  },
  {
    table: 'accounts.transfer',
    role: 'xs2a_accounts',
    refused: (phase, at) =>
      ({ planned: `at >= '${at}'`, settling: `kind = 'direct' OR at >= '${at}'`, converting: 'true' })[phase],
  },
  {
    table: 'accounts.account',
    role: 'xs2a_accounts',
    refused: (phase) => (phase === 'planned' ? 'false' : 'true'),
  },
];

const gateOfTable = (
  { table, role, refused }: GatedTable,
  phase: SwitchOverPhase,
  at: string,
): readonly string[] => {
  const gate = `${table}_switch_over`;
  // Waits for the transactions that are writing; the next ones meet the new function.
  const begin = [`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`];
  if (phase === 'done')
    return [...begin, `DROP TRIGGER IF EXISTS switch_over ON ${table}`, `DROP FUNCTION IF EXISTS ${gate}`];
  return [
    ...begin,
    `CREATE OR REPLACE FUNCTION ${gate}() RETURNS trigger LANGUAGE plpgsql AS $gate$
     BEGIN
       IF current_user = '${role}' AND EXISTS (SELECT FROM added WHERE ${refused(phase, at)}) THEN
         RAISE EXCEPTION 'the switch-over to euro is under way' USING ERRCODE = '${switchOverUnderWay}';
       END IF;
       RETURN NULL;
     END $gate$`,
    `CREATE OR REPLACE TRIGGER switch_over AFTER INSERT ON ${table} REFERENCING NEW TABLE AS added
     FOR EACH STATEMENT EXECUTE FUNCTION ${gate}()`,
  ];
};

/** The statements that set the gate for a phase. `at`: the switch-over as an ISO instant. */
export const gateOf = (phase: SwitchOverPhase, at: string): readonly string[] =>
  tables.flatMap((table) => gateOfTable(table, phase, at));
