import { quotedName } from './quoted-name.js';

/**
 * SQL that creates the tables of events in a schema, for a migration (several statements in one text). The service's role
 * may add and read events, never change or remove them. Events are in a partition for each month of their stream's id
 * (UUIDv7), which the migration job makes ahead; ids without a time are in the default one.
 */
export const eventTables = (schema: string, serviceRole: string): string => {
  const at = quotedName(schema);
  const role = quotedName(serviceRole);
  // The queue of unsequenced events is emptied all the time: it is vacuumed by count of dead rows, not by its (tiny) size.
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

/** SQL of the table of idempotency keys. */
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
