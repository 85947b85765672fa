import { quotedName } from './quoted-name.js';

/**
 * SQL for a migration that creates the event tables in a schema. One text with several statements. The service's
 * role may insert and read events, but never change or remove them. Events are partitioned by the month in their
 * stream's id (UUIDv7), and the migration job creates partitions in advance. Ids without a time go to the default
 * partition.
 */
export const eventTables = (schema: string, serviceRole: string): string => {
  const at = quotedName(schema);
  const role = quotedName(serviceRole);
  // The queue of unsequenced events is emptied continuously, so it is vacuumed by the number of dead rows
  // rather than by its (tiny) size.
  return `
CREATE TABLE ${at}.events (
  stream_id uuid NOT NULL,
  version int NOT NULL CHECK (version > 0),
  event_id uuid NOT NULL,
  type text NOT NULL,
  schema_version int NOT NULL,
  data json NOT NULL,
  meta json NOT NULL,
  occurred_at timestamptz NOT NULL,
  prev_hash bytea NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (stream_id, version)
) PARTITION BY RANGE (stream_id);
CREATE TABLE ${at}.events_default PARTITION OF ${at}.events DEFAULT;
CREATE TABLE ${at}.unsequenced (
  id bigint GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY,
  stream_id uuid NOT NULL,
  version int NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE TABLE ${at}.log (
  pos bigint PRIMARY KEY,
  stream_id uuid NOT NULL,
  version int NOT NULL,
  UNIQUE (stream_id, version)
);
GRANT SELECT, INSERT ON ${at}.events TO ${role};
GRANT SELECT, INSERT, DELETE ON ${at}.unsequenced TO ${role};
GRANT SELECT, INSERT ON ${at}.log TO ${role};
`;
};

/** SQL that creates the table of idempotency keys. */
export const idempotencyTable = (schema: string, serviceRole: string): string => {
  const at = quotedName(schema);
  return `
CREATE TABLE ${at}.idempotency_key (
  tpp_id text NOT NULL,
  path text NOT NULL,
  key text NOT NULL,
  hash text NOT NULL,
  answer json NOT NULL,
  expires_at timestamptz NOT NULL,
  key_name text NOT NULL,
  PRIMARY KEY (tpp_id, path, key)
);
CREATE INDEX idempotency_key_expiry ON ${at}.idempotency_key (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON ${at}.idempotency_key TO ${quotedName(serviceRole)};
`;
};
