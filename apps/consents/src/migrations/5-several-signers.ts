import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Consents that several persons sign: the status view tells every authorisation, and finds consents by the PSU or the
 * corporate that holds them. What is stored is brought to the new shape, as the events fold into it; they stay as they are.
 */
export class SeveralSigners1700000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE consents.consent_view ADD COLUMN holder text;
      COMMENT ON COLUMN consents.consent_view.holder IS
        'psu:<id> of the one who signed, or corporate:<id>: whose list it is in, and whose newer consent replaces it';

      UPDATE consents.consent_view view SET
        holder = CASE WHEN was ? 'psuCorporateId' THEN 'corporate:' || (was->>'psuCorporateId')
          WHEN was#>>'{authorisation,scaStatus}' = 'finalised' THEN 'psu:' || (was#>>'{authorisation,psuId}') END,
        state = (was - 'authorisation'
          || CASE WHEN was ? 'psuCorporateId' THEN jsonb_build_object('corporateId', was->'psuCorporateId') ELSE '{}' END
          || jsonb_build_object('signaturesRequired', 1, 'authorisations', jsonb_build_array(
            was->'authorisation'
            || CASE WHEN was ? 'namedPsuId' THEN jsonb_build_object('namedPsuId', was->'namedPsuId') ELSE '{}' END
        )))::json
      FROM (SELECT stream_id, state::jsonb AS was FROM consents.consent_view) old
      WHERE old.stream_id = view.stream_id AND was ? 'authorisation';

      ALTER TABLE consents.consent_view DROP COLUMN psu_id;
      CREATE INDEX consent_of_holder ON consents.consent_view (holder, stream_id DESC) WHERE holder IS NOT NULL;
      CREATE INDEX consent_in_force ON consents.consent_view (holder, tpp_id) WHERE status = 'valid' AND recurring;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE consents.consent_view ADD COLUMN psu_id text;
      UPDATE consents.consent_view view SET
        psu_id = was#>>'{authorisations,0,psuId}',
        state = (was - 'authorisations' - 'signaturesRequired' - 'corporateId'
          || jsonb_build_object('authorisation', was#>'{authorisations,0}'))::json
      FROM (SELECT stream_id, state::jsonb AS was FROM consents.consent_view) old
      WHERE old.stream_id = view.stream_id AND was ? 'authorisations';
      ALTER TABLE consents.consent_view DROP COLUMN holder;
      CREATE INDEX consent_of_psu ON consents.consent_view (psu_id, stream_id DESC) WHERE psu_id IS NOT NULL;
      CREATE INDEX consent_in_force ON consents.consent_view (psu_id, tpp_id) WHERE status = 'valid' AND recurring;
    `);
  }
}
