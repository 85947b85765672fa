import { toClearingAccount } from '@xs2a/core-banking/sandbox/ledger/ledger-ids';
import { ledgerViolations } from '@xs2a/core-banking/sandbox/ledger/ledger-invariants';
import { verifyStreams } from '@xs2a/event-store/verification/verify-events';
import { resources } from '@xs2a/resources/resources';
import type { Pool } from 'pg';

/** The tables that the switch-over to euro changes; every pool has the schema as its search path. */
export interface SwitchOverSources {
  readonly schemas: { of(schema: 'payments' | 'consents' | 'accounts'): Pool };
  /** The start of the first day in euro (ISO instant). */
  readonly at: string;
  /** The numbers of rows when the work began; absent if they may have grown since. */
  readonly before?: RowCounts;
}

/** The numbers of accounts, consents, payments and orders. */
export type RowCounts = Readonly<Record<'accounts' | 'consents' | 'payments' | 'orders', number>>;

export const countSwitchedRows = async ({ of }: SwitchOverSources['schemas']): Promise<RowCounts> => {
  const { rows } = await of('payments').query<RowCounts>(
    `SELECT (SELECT count(*)::int FROM accounts.account) AS accounts,
       (SELECT count(*)::int FROM consents.consent_view) AS consents,
       (SELECT count(*)::int FROM payment_view) AS payments,
       (SELECT count(*)::int FROM payment_view WHERE service = 'periodic-payments') AS orders`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the query has no row');
  return row;
};

/** One of the eight invariants of the switch-over (contract E6.6). */
interface SwitchOverInvariant {
  readonly rule: string;
  /** Returns one sentence per violation, with ids, never personal data. */
  check(): Promise<readonly string[]>;
}

const texts = async (
  pool: Pool,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ violation: string }>(`${text} LIMIT 20`, [...values]);
  return rows.map(({ violation }) => violation);
};

/** Consents are created during the switch-over too (contract E6.1); nothing else is. */
const mayGrow = (name: string): boolean => name === 'consents';

const isRateViolation = (violation: string): boolean =>
  /was not converted at the fixed rate|still has leva/.test(violation);

const ledgerChecks = ({ schemas, at }: SwitchOverSources): readonly SwitchOverInvariant[] => {
  const accounts = schemas.of('accounts');
  let found: Promise<readonly string[]> | undefined;
  const ledger = async (): Promise<readonly string[]> => (found ??= ledgerViolations(accounts));
  return [
    {
      rule: 'debits = credits per currency',
      check: async () => (await ledger()).filter((violation) => !isRateViolation(violation)),
    },
    {
      rule: 'no customer balance, hold or limit is in leva',
      check: async () =>
        texts(
          accounts,
          `SELECT 'account ' || id || ' is in leva' AS violation FROM ledger_account WHERE customer AND currency = 'BGN'`,
        ),
    },
    {
      rule: 'each converted account has its last balance in leva at the fixed rate',
      check: async () => (await ledger()).filter(isRateViolation),
    },
    {
      rule: 'the rounding account explains the rest to the cent',
      check: async () =>
        texts(
          accounts,
          `SELECT 'the conversion and its rounding differ by ' || euro + round(lev * 100000 / 195583) AS violation FROM (
             SELECT sum(CASE WHEN credit_account = $1 THEN amount WHEN debit_account = $1 THEN -amount ELSE 0 END) AS lev,
               sum(CASE WHEN credit_account = $2 THEN amount WHEN debit_account = $2 THEN -amount ELSE 0 END) AS euro
             FROM transfer WHERE ARRAY[debit_account, credit_account] && ARRAY[$1::uuid, $2::uuid]) s
           WHERE euro <> -round(lev * 100000 / 195583)`,
          ['BGN', 'EUR'].map((currency) => toClearingAccount('conversion', currency)),
        ),
    },
    {
      rule: 'no transfer in leva is as young as the switch-over',
      check: async () =>
        texts(
          accounts,
          `SELECT 'transfer ' || t.id || ' is in leva' AS violation
           FROM transfer t JOIN ledger_account a ON a.id IN (t.debit_account, t.credit_account) AND a.currency = 'BGN'
           WHERE t.at >= $1`,
          [at],
        ),
    },
  ];
};

const streamChecks = ({ schemas, before }: SwitchOverSources): readonly SwitchOverInvariant[] => {
  const payments = schemas.of('payments');
  return [
    {
      rule: 'accounts, consents, payments and orders are as many as before; only the switch-over changed a status',
      check: async () => {
        const now = await countSwitchedRows(schemas);
        const changed = Object.entries(before ?? now).flatMap(([name, count]) => {
          const after = now[name as keyof RowCounts];
          const isKept = mayGrow(name) ? after >= count : after === count;
          return isKept ? [] : [`${count} ${name} before, ${after} after`];
        });
        const others = await texts(
          payments,
          `SELECT 'stream ' || stream_id || ' has ' || type || ' by the switch-over' AS violation FROM events
           WHERE meta->>'actor' = 'euro-switch' AND type NOT IN ('converted-to-euro', 'rejected', 'basket-rejected')`,
        );
        return [...changed, ...others];
      },
    },
    {
      rule: 'each converted payment has one conversion, and nothing signed is left in leva',
      check: async () => [
        ...(await texts(
          payments,
          `SELECT 'payment ' || stream_id || ' was converted ' || count(*) || ' times' AS violation FROM events
           WHERE type = 'converted-to-euro' GROUP BY stream_id HAVING count(*) > 1`,
        )),
        ...(await texts(
          payments,
          `SELECT 'payment ' || stream_id || ' is due in leva' AS violation FROM payment_view
           WHERE currency = 'BGN' AND due_at IS NOT NULL AND status IN ('ACCP', 'ACSP')`,
        )),
      ],
    },
    {
      rule: 'the hash chains of the events are whole',
      check: async () => {
        const resource = resources.payments;
        const { findings } = await verifyStreams(payments, { resource });
        return findings.map(({ streamId, text }) => `stream ${streamId}: ${text}`);
      },
    },
  ];
};

/** The eight invariants of the switch-over to euro. They hold from its end on. */
export const switchOverChecks = (sources: SwitchOverSources): readonly SwitchOverInvariant[] => [
  ...ledgerChecks(sources),
  ...streamChecks(sources),
];
