import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Payments that several persons sign: the status view tells every authorisation, and finds payments by any signer. What
 * is stored is brought to the new shape, exactly as the events fold into it; they stay as they are.
 */
export class SeveralSigners1700000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payments.payment_view ADD COLUMN signers jsonb;
      CREATE INDEX payment_of_signers ON payments.payment_view USING gin (signers) WHERE signers IS NOT NULL;
      COMMENT ON COLUMN payments.payment_view.signers IS
        'ids of the PSUs who signed it, where several have to; null where one does';

      UPDATE payments.payment_view view SET state = (was - 'authorisation' || jsonb_build_object(
        'signaturesRequired', 1,
        'authorisations', jsonb_build_array(
          was->'authorisation'
          || CASE WHEN was ? 'namedPsuId' THEN jsonb_build_object('namedPsuId', was->'namedPsuId') ELSE '{}' END
          || CASE WHEN was ? 'signed' THEN jsonb_build_object('signedAt', was#>'{signed,signedAt}') ELSE '{}' END
      )))::json
      FROM (SELECT stream_id, state::jsonb AS was FROM payments.payment_view) old
      WHERE old.stream_id = view.stream_id AND was ? 'authorisation';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE payments.payment_view view SET state = (was - 'authorisations' - 'signaturesRequired'
        || jsonb_build_object('authorisation', was#>'{authorisations,0}'))::json
      FROM (SELECT stream_id, state::jsonb AS was FROM payments.payment_view) old
      WHERE old.stream_id = view.stream_id AND was ? 'authorisations';
      ALTER TABLE payments.payment_view DROP COLUMN signers;
    `);
  }
}
