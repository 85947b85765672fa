const identifier = (name: string): string => {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error('a schema or role name has only a-z, 0-9 and _');
  return `"${name}"`;
};

/**
 * SQL that creates the event store's tables in a schema, for a migration (several statements in one text). The service's
 * role may add and read events, never change or remove them.
 */
export const eventStoreTables = (schema: string, serviceRole: string): string => {
  const at = identifier(schema);
  const role = identifier(serviceRole);
  // The queue of unsequenced ids is emptied all the time: it is vacuumed by count of dead rows, not by its (tiny) size.
  return `
CREATE TABLE ${at}.events (
  id bigint GENERATED ALWAYS AS IDENTITY (CACHE 1) UNIQUE,
  event_id uuid NOT NULL,
  stream_id uuid NOT NULL,
  version int NOT NULL CHECK (version > 0),
  type text NOT NULL,
  schema_version int NOT NULL,
  data jsonb NOT NULL,
  meta jsonb NOT NULL,
  occurred_at timestamptz NOT NULL,
  prev_hash bytea NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (stream_id, version)
);
CREATE TABLE ${at}.unsequenced (id bigint PRIMARY KEY)
  WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE TABLE ${at}.log (pos bigint PRIMARY KEY, id bigint NOT NULL UNIQUE);
CREATE TABLE ${at}.attempt (
  tpp_id text NOT NULL,
  path text NOT NULL,
  key text NOT NULL,
  hash text NOT NULL,
  answer json NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tpp_id, path, key)
);
CREATE INDEX attempt_expiry ON ${at}.attempt USING brin (expires_at);
GRANT SELECT, INSERT ON ${at}.events TO ${role};
GRANT SELECT, INSERT, DELETE ON ${at}.unsequenced TO ${role};
GRANT SELECT, INSERT ON ${at}.log TO ${role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${at}.attempt TO ${role};
`;
};

/**
 * SQL that makes the JSON of events and of the view's states text, as it was hashed and as it goes out, instead of a tree
 * that PostgreSQL builds and writes out again. Rewrites both tables; nothing may be appended meanwhile.
 */
export const jsonAsText = (schema: string, view: string): string => `
ALTER TABLE ${identifier(schema)}.events ALTER data TYPE json, ALTER meta TYPE json;
ALTER TABLE ${identifier(schema)}.${identifier(view)} ALTER state TYPE json;
`;

/** The way back. */
export const jsonAsTree = (schema: string, view: string): string =>
  jsonAsText(schema, view).replaceAll('TYPE json', 'TYPE jsonb');

/**
 * SQL for a migration: idempotency keys are found by the time at which they end. Keys that go leave room in between, so the
 * blocks of the table are in no order of time, which the summary of blocks that was here before needs.
 */
export const attemptsByExpiry = (schema: string): string => `
DROP INDEX ${identifier(schema)}.attempt_expiry;
CREATE INDEX attempt_expiry ON ${identifier(schema)}.attempt (expires_at);
`;

/** The way back. */
export const attemptsBySummary = (schema: string): string => `
DROP INDEX ${identifier(schema)}.attempt_expiry;
CREATE INDEX attempt_expiry ON ${identifier(schema)}.attempt USING brin (expires_at);
`;
