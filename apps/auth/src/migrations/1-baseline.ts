import { withoutValueStatistics } from '@xs2a/migrations/without-value-statistics';
import { idempotencyTable } from '@xs2a/postgres/idempotent-execution';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = `
-- Third parties (TPPs), one row for each OAuth client. The version increases with each change of the registration.
CREATE TABLE auth.tpp (
  client_id text PRIMARY KEY,
  name text NOT NULL,
  secret_hash text,
  roles text[] NOT NULL,
  redirect_uris text[] NOT NULL,
  jwks jsonb,
  auth_method text NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'blocked')),
  registered_at timestamptz NOT NULL,
  -- Its identity in eIDAS certificates.
  organization_identifier text,
  -- Tokens that were issued before this time are refused.
  tokens_from timestamptz,
  version int NOT NULL DEFAULT 1
);

-- The models of oidc-provider: codes, tokens, sessions, pushed authorization requests.
CREATE TABLE auth.oidc_model (
  model text NOT NULL,
  id_hash bytea NOT NULL,
  grant_id text,
  -- json, not jsonb: the state of a request may contain a NUL character, which jsonb refuses.
  payload json NOT NULL,
  expires_at timestamptz NOT NULL,
  consumed_at timestamptz,
  PRIMARY KEY (model, id_hash)
);
CREATE INDEX oidc_model_of_grant ON auth.oidc_model (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oidc_model_expiry ON auth.oidc_model (expires_at);

-- What a grant is for. A grant for account information belongs to a consent.
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
CREATE INDEX grant_for_funds ON auth.grant_binding (psu_id, client_id) WHERE scope = 'PSP_IC';

-- Revoked grants, until their last token has expired.
CREATE TABLE auth.revocation (
  grant_id text PRIMARY KEY,
  expires_at timestamptz NOT NULL
);

-- Sessions of the SCA pages.
CREATE TABLE auth.page_session (
  id_hash bytea PRIMARY KEY,
  resource text NOT NULL,
  csrf text NOT NULL,
  state jsonb NOT NULL,
  version int NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX page_session_expiry ON auth.page_session (expires_at);

-- One-time codes. Unused codes of a PSU are counted, which limits how many may be requested.
CREATE TABLE auth.challenge (
  challenge_id uuid PRIMARY KEY,
  psu_id text NOT NULL,
  code_hash bytea NOT NULL,
  failures int NOT NULL,
  used_at timestamptz,
  expires_at timestamptz NOT NULL
);
CREATE INDEX challenge_expiry ON auth.challenge (expires_at);
CREATE INDEX challenge_unused ON auth.challenge (psu_id, expires_at) WHERE used_at IS NULL;

-- SCA failures and the language of each name. A name with which nobody ever signed in is not known: anybody can invent
-- such names, so they are stored as HMACs and only for a short time.
CREATE TABLE auth.psu_sca (
  psu_id text PRIMARY KEY,
  failures int NOT NULL DEFAULT 0,
  locked_until timestamptz,
  language text,
  changed_at timestamptz NOT NULL,
  is_known boolean NOT NULL DEFAULT false
);
CREATE INDEX psu_sca_unknown ON auth.psu_sca (changed_at) WHERE NOT is_known;

-- Browsers in which a PSU completed SCA. Their failures are counted apart, so that strangers cannot lock the PSU out.
CREATE TABLE auth.known_browser (
  id_hash bytea PRIMARY KEY,
  failures int NOT NULL DEFAULT 0,
  locked_until timestamptz,
  changed_at timestamptz NOT NULL
);

GRANT SELECT, INSERT, UPDATE ON auth.tpp TO xs2a_auth;
GRANT SELECT, INSERT, UPDATE, DELETE ON auth.oidc_model, auth.grant_binding, auth.page_session, auth.challenge,
  auth.psu_sca, auth.known_browser TO xs2a_auth;
GRANT SELECT, INSERT, DELETE ON auth.revocation TO xs2a_auth;
`;

/** The tables of version 0.1.0. Codes, tokens and cookies are stored as hashes only. */
export class AuthBaseline1795700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
    // Idempotency keys of registrations (contract 2).
    await runner.query(idempotencyTable('auth', 'xs2a_auth'));
    // PostgreSQL's statistics would keep personal data after the rows are gone.
    for (const [table, columns] of [
      ['challenge', { psu_id: 0.5 }],
      ['grant_binding', { psu_id: 0.5 }],
      ['page_session', { state: null }],
      ['psu_sca', { psu_id: null }],
    ] as const)
      await withoutValueStatistics(runner, { schema: 'auth', table, columns });
  }

  async down(): Promise<void> {
    throw new Error('nothing precedes the baseline; drop the schema instead');
  }
}
