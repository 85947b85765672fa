import type { MigrationInterface, QueryRunner } from 'typeorm';

/** TPP clients, what oidc-provider keeps (hashes of handles only), the PSUs' page sessions, one-time codes and lockouts. */
export class Auth1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE auth.tpp (
        client_id text PRIMARY KEY,
        name text NOT NULL,
        secret_hash text,
        roles text[] NOT NULL,
        redirect_uris text[] NOT NULL,
        jwks jsonb,
        auth_method text NOT NULL,
        status text NOT NULL CHECK (status IN ('active', 'blocked')),
        registered_at timestamptz NOT NULL
      );

      CREATE TABLE auth.oidc_model (
        model text NOT NULL,
        id_hash bytea NOT NULL,
        grant_id text,
        -- json, not jsonb: a request's state may hold what jsonb refuses (a NUL character)
        payload json NOT NULL,
        expires_at timestamptz NOT NULL,
        consumed_at timestamptz,
        PRIMARY KEY (model, id_hash)
      );
      CREATE INDEX oidc_model_of_grant ON auth.oidc_model (grant_id) WHERE grant_id IS NOT NULL;
      CREATE INDEX oidc_model_expiry ON auth.oidc_model (expires_at);

      CREATE TABLE auth.grant_binding (
        grant_id text PRIMARY KEY,
        client_id text NOT NULL,
        psu_id text NOT NULL,
        scope text NOT NULL,
        consent_id uuid,
        expires_at timestamptz NOT NULL,
        CHECK ((scope = 'PSP_AI') = (consent_id IS NOT NULL))
      );
      CREATE INDEX grant_binding_expiry ON auth.grant_binding (expires_at);

      CREATE TABLE auth.revocation (
        grant_id text PRIMARY KEY,
        expires_at timestamptz NOT NULL
      );

      CREATE TABLE auth.page_session (
        id_hash bytea PRIMARY KEY,
        resource text NOT NULL,
        csrf text NOT NULL,
        state jsonb NOT NULL,
        version int NOT NULL,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX page_session_expiry ON auth.page_session (expires_at);

      CREATE TABLE auth.challenge (
        challenge_id uuid PRIMARY KEY,
        psu_id text NOT NULL,
        code_hash bytea NOT NULL,
        failures int NOT NULL,
        used_at timestamptz,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX challenge_expiry ON auth.challenge (expires_at);

      CREATE TABLE auth.psu_sca (
        psu_id text PRIMARY KEY,
        failures int NOT NULL DEFAULT 0,
        locked_until timestamptz,
        language text,
        changed_at timestamptz NOT NULL
      );

      GRANT SELECT, INSERT, UPDATE ON auth.tpp TO xs2a_auth;
      GRANT SELECT, INSERT, UPDATE, DELETE ON auth.oidc_model, auth.grant_binding, auth.page_session, auth.challenge,
        auth.psu_sca TO xs2a_auth;
      GRANT SELECT, INSERT, DELETE ON auth.revocation TO xs2a_auth;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE auth.psu_sca, auth.challenge, auth.page_session, auth.revocation, auth.grant_binding, auth.oidc_model,
        auth.tpp`);
  }
}
