// SQL that migrations of payments and consents share: what they have run stays as it is.

const identifier = (name: string): string => {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error('a schema or role name has only a-z, 0-9 and _');
  return `"${name}"`;
};

/** The event store's tables as the first release had them; several statements in one text. */
export const firstEventStoreTables = (schema: string, serviceRole: string): string => {
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
CREATE TABLE ${at}.idempotency_key (
  tpp_id text NOT NULL,
  path text NOT NULL,
  key text NOT NULL,
  hash text NOT NULL,
  answer json NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tpp_id, path, key)
);
CREATE INDEX idempotency_key_expiry ON ${at}.idempotency_key USING brin (expires_at);
GRANT SELECT, INSERT ON ${at}.events TO ${role};
GRANT SELECT, INSERT, DELETE ON ${at}.unsequenced TO ${role};
GRANT SELECT, INSERT ON ${at}.log TO ${role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${at}.idempotency_key TO ${role};
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
DROP INDEX ${identifier(schema)}.idempotency_key_expiry;
CREATE INDEX idempotency_key_expiry ON ${identifier(schema)}.idempotency_key (expires_at);
`;

/** The way back. */
export const attemptsBySummary = (schema: string): string => `
DROP INDEX ${identifier(schema)}.idempotency_key_expiry;
CREATE INDEX idempotency_key_expiry ON ${identifier(schema)}.idempotency_key USING brin (expires_at);
`;

/** The tables that the partitioned ones are filled from, and that are dropped then. */
const before = ['events', 'log', 'unsequenced'] as const;

/** Sets the tables of events, positions and queue aside, so that new ones can be made under their names. */
export const setEventsAside = (schema: string): string =>
  before
    .map(
      (table) => `
ALTER TABLE ${identifier(schema)}.${table} RENAME TO ${table}_before;
ALTER INDEX ${identifier(schema)}.${table}_pkey RENAME TO ${table}_before_pkey;`,
    )
    .join('');

/**
 * Fills the new tables from those that were set aside, and the hash of each stream's last event into the status view.
 * Fails on a row of the view whose event is gone: `xs2a events verify` names it.
 */
export const takeEventsOver = (schema: string, view: string): string => {
  const at = identifier(schema);
  return `
INSERT INTO ${at}.events
  (stream_id, version, event_id, type, schema_version, data, meta, occurred_at, prev_hash, hash)
  SELECT stream_id, version, event_id, type, schema_version, data, meta, occurred_at, prev_hash, hash
  FROM ${at}.events_before;
INSERT INTO ${at}.log (pos, stream_id, version)
  SELECT pos, stream_id, version FROM ${at}.log_before JOIN ${at}.events_before USING (id) ORDER BY pos;
INSERT INTO ${at}.unsequenced (stream_id, version)
  SELECT stream_id, version FROM ${at}.unsequenced_before JOIN ${at}.events_before USING (id) ORDER BY id;
ALTER TABLE ${at}.${identifier(view)} ADD COLUMN last_hash bytea;
UPDATE ${at}.${identifier(view)} v SET last_hash = e.hash
  FROM ${at}.events_before e WHERE e.stream_id = v.stream_id AND e.version = v.version;
ALTER TABLE ${at}.${identifier(view)} ALTER last_hash SET NOT NULL;
DROP TABLE ${before.map((table) => `${at}.${table}_before`).join(', ')};
ANALYZE ${at}.events, ${at}.log, ${at}.${identifier(view)};
`;
};

/** The way back for both: one table of events with an id, which the log names by that id. */
export const eventsInOneTable = (schema: string, serviceRole: string, view: string): string => {
  const at = identifier(schema);
  const tables = firstEventStoreTables(schema, serviceRole);
  return `
${setEventsAside(schema)}
ALTER TABLE ${at}.idempotency_key RENAME TO idempotency_key_kept;
ALTER INDEX ${at}.idempotency_key_pkey RENAME TO idempotency_key_kept_pkey;
ALTER INDEX ${at}.idempotency_key_expiry RENAME TO idempotency_key_kept_expiry;
${tables}
DROP TABLE ${at}.idempotency_key;
ALTER TABLE ${at}.idempotency_key_kept RENAME TO idempotency_key;
ALTER INDEX ${at}.idempotency_key_kept_pkey RENAME TO idempotency_key_pkey;
ALTER INDEX ${at}.idempotency_key_kept_expiry RENAME TO idempotency_key_expiry;
ALTER TABLE ${at}.events ALTER data TYPE json, ALTER meta TYPE json;
INSERT INTO ${at}.events (event_id, stream_id, version, type, schema_version, data, meta, occurred_at, prev_hash, hash)
  SELECT event_id, stream_id, version, type, schema_version, data, meta, occurred_at, prev_hash, hash
  FROM ${at}.events_before LEFT JOIN ${at}.log_before USING (stream_id, version)
    LEFT JOIN ${at}.unsequenced_before USING (stream_id, version)
  ORDER BY pos, unsequenced_before.id;
INSERT INTO ${at}.log SELECT pos, id FROM ${at}.log_before JOIN ${at}.events USING (stream_id, version);
INSERT INTO ${at}.unsequenced
  SELECT e.id FROM ${at}.unsequenced_before JOIN ${at}.events e USING (stream_id, version);
ALTER TABLE ${at}.${identifier(view)} DROP COLUMN last_hash;
DROP TABLE ${before.map((table) => `${at}.${table}_before`).join(', ')};
`;
};
