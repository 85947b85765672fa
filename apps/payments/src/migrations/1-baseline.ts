import { createProjection, projectionTables } from '@xs2a/event-store/projections/projection.tables';
import { custodyTables } from '@xs2a/custody/custody.tables';
import { eventStoreTables } from '@xs2a/event-store/service-tables';
import { withoutValueStatistics } from '@xs2a/migrations/without-value-statistics';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { paymentProjections } from '../background/projections/payment-projections.js';

const [schema, role] = ['payments', 'xs2a_payments'] as const;

const tables = `
-- The status view of payments: their state, and the columns by which they are found. It is written in the transaction that
-- appends the event. Each page keeps 15 % free for new versions of its rows, and is vacuumed when 2 % of the table are dead
-- rows (ADR 65).
CREATE TABLE payments.payment_view (
  stream_id uuid PRIMARY KEY,
  version int NOT NULL,
  -- json, not jsonb: the text that was hashed, returned as it is.
  state json NOT NULL,
  tpp_id text NOT NULL,
  product text NOT NULL,
  status text NOT NULL,
  funds_available boolean,
  rejection_reason text,
  psu_id text,
  unsigned_until timestamptz,
  signed_at timestamptz,
  hidden boolean NOT NULL DEFAULT false,
  signers jsonb,
  due_at timestamptz,
  last_hash bytea NOT NULL,
  notified boolean,
  service text NOT NULL,
  due_lane bigint
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX payment_unsigned ON payments.payment_view (unsigned_until) WHERE unsigned_until IS NOT NULL;
CREATE INDEX payment_signed_by_psu ON payments.payment_view (psu_id, signed_at DESC) WHERE signed_at IS NOT NULL;
CREATE INDEX payment_of_signers ON payments.payment_view USING gin (signers) WHERE signers IS NOT NULL;
CREATE INDEX payment_of_tpp ON payments.payment_view (tpp_id) WHERE NOT hidden;
CREATE INDEX payment_due ON payments.payment_view (due_at, stream_id) WHERE due_at IS NOT NULL;
CREATE INDEX payment_due_in_lane ON payments.payment_view (due_lane, due_at, stream_id)
  WHERE due_at IS NOT NULL AND due_lane IS NOT NULL;
COMMENT ON COLUMN payments.payment_view.unsigned_until IS
  'until when it waits for the signature; null once it does not';
COMMENT ON COLUMN payments.payment_view.hidden IS
  'sandbox: cleared from the view of its TPP; not an event, it says nothing about the payment';
COMMENT ON COLUMN payments.payment_view.signers IS
  'ids of the PSUs who signed it, where several have to; null where one does';
COMMENT ON COLUMN payments.payment_view.due_at IS
  'when the settlement worker has to act, by the one clock, which the sandbox can move; null: it has nothing to do';
COMMENT ON COLUMN payments.payment_view.last_hash IS 'hash of the last event, which the next one names';
COMMENT ON COLUMN payments.payment_view.notified IS 'true: its changes are pushed; null: they are not';
COMMENT ON COLUMN payments.payment_view.service IS 'payments, periodic-payments or bulk-payments';
COMMENT ON COLUMN payments.payment_view.due_lane IS
  '16 bits that follow from the debtor account, by which due work is taken fairly; null: nothing is to be done';

-- The status view of signing baskets. Their events are in the same tables as those of payments.
CREATE TABLE payments.basket_view (
  stream_id uuid PRIMARY KEY,
  version int NOT NULL,
  last_hash bytea NOT NULL,
  state json NOT NULL,
  tpp_id text NOT NULL,
  stage text NOT NULL,
  payment_ids jsonb NOT NULL,
  due_at timestamptz,
  notified boolean
) WITH (fillfactor = 60);
CREATE INDEX basket_due ON payments.basket_view (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX basket_signed ON payments.basket_view (stream_id) WHERE stage = 'signed';
CREATE INDEX basket_of_tpp ON payments.basket_view (tpp_id) WHERE stage = 'received';
COMMENT ON COLUMN payments.basket_view.due_at IS
  'when it is abandoned or expires, or its items are to be updated; null: none of these';
COMMENT ON COLUMN payments.basket_view.notified IS 'true: its changes are pushed; null: they are not';

GRANT SELECT, INSERT, UPDATE ON payments.payment_view, payments.basket_view TO xs2a_payments;
`;

/** The tables of version 0.1.0. */
export class PaymentsBaseline1795700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(eventStoreTables(schema, role));
    await runner.query(custodyTables(schema));
    await runner.query(tables);
    // Projections that follow the log. The time zone matters for what is written, not for the tables.
    await runner.query(projectionTables(schema, role));
    for (const projection of paymentProjections('UTC'))
      await runner.query(createProjection(schema, role, projection));
    // PostgreSQL's statistics would keep personal data after the rows are gone.
    const personal = { psu_id: 0.1, signers: null };
    await withoutValueStatistics(runner, { schema, table: 'payment_view', columns: personal });
  }

  async down(): Promise<void> {
    throw new Error('nothing precedes the baseline; drop the schema instead');
  }
}
