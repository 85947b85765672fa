import { presentServer } from './recovery/lost-events.js';
import { quotedName } from './streams/quoted-name.js';

/** Events, their positions, and those that wait for a position. */
const eventTables = (at: string): string => `
-- Partitioned by the month in the stream's id (UUIDv7). The migration job creates partitions in advance; ids without
-- a time go to the default partition.
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
-- The queue is emptied continuously, so it is vacuumed by the number of dead rows rather than by its (tiny) size.
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
`;

/** Idempotency keys and the keys of streams. */
const keyTables = (at: string): string => `
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
-- Without its key, nobody can read a stream's personal data any more, wherever they are stored.
CREATE TABLE ${at}.stream_key (
  stream_id uuid PRIMARY KEY,
  wrapped bytea,
  master_key text,
  CHECK ((wrapped IS NULL) = (master_key IS NULL))
);
COMMENT ON COLUMN ${at}.stream_key.wrapped IS 'AES-256 key of the personal data of the stream, wrapped (RFC 3394); null: erased';
COMMENT ON COLUMN ${at}.stream_key.master_key IS 'name of the master key that wrapped it';
`;

/** What is known about lost positions, and the anchors of the log. */
const recoveryTables = (at: string): string => `
CREATE TABLE ${at}.log_gap (
  after bigint PRIMARY KEY,
  up_to bigint NOT NULL CHECK (up_to > after),
  found_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE ${at}.examined_server (
  server text PRIMARY KEY,
  examined_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN ${at}.examined_server.server IS
  'start time and timeline of a database server whose log was compared with the stream';
CREATE TABLE ${at}.lost_event (
  event_id uuid PRIMARY KEY,
  stream_id uuid NOT NULL,
  version int NOT NULL,
  pos bigint NOT NULL,
  type text NOT NULL,
  schema_version int NOT NULL,
  data json NOT NULL,
  actor text NOT NULL,
  occurred_at timestamptz NOT NULL,
  holds boolean NOT NULL,
  found_at timestamptz NOT NULL DEFAULT now(),
  released_at timestamptz,
  released_by text,
  reason text,
  CHECK ((released_at IS NULL) = (released_by IS NULL) AND (released_at IS NULL) = (reason IS NULL))
);
CREATE INDEX lost_event_of_stream ON ${at}.lost_event (stream_id);
CREATE INDEX lost_event_waiting ON ${at}.lost_event (stream_id) WHERE holds AND released_at IS NULL;
COMMENT ON TABLE ${at}.lost_event IS 'events that were published, and lost when the database went back';
COMMENT ON COLUMN ${at}.lost_event.holds IS 'nothing of the stream is settled until it is released';
COMMENT ON COLUMN ${at}.lost_event.released_by IS 'an operator, or the service, which ended again what the event had ended';
-- Nothing is lost yet.
INSERT INTO ${at}.examined_server (server) VALUES (${presentServer});
CREATE TABLE ${at}.log_anchor (
  pos bigint PRIMARY KEY,
  hash text NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now()
);
`;

/** What was archived. */
const archiveTables = (at: string): string => `
CREATE TABLE ${at}.archived_month (
  month text NOT NULL CHECK (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  part int NOT NULL,
  file text NOT NULL,
  sha256 text NOT NULL,
  streams int NOT NULL,
  events bigint NOT NULL,
  head bigint NOT NULL,
  carried_streams int NOT NULL,
  written_at timestamptz NOT NULL DEFAULT now(),
  detached_at timestamptz,
  finished_at timestamptz,
  restoring boolean NOT NULL DEFAULT false,
  PRIMARY KEY (month, part)
);
COMMENT ON TABLE ${at}.archived_month IS 'files to which the ended streams of a month were moved';
COMMENT ON COLUMN ${at}.archived_month.part IS '1, and one more each time streams that were open before are archived';
COMMENT ON COLUMN ${at}.archived_month.head IS 'last position of the log when the file was written';
COMMENT ON COLUMN ${at}.archived_month.carried_streams IS 'number of streams of the month that had not ended: their events stay';
COMMENT ON COLUMN ${at}.archived_month.detached_at IS 'since then the events of the file are no longer in the table events';
COMMENT ON COLUMN ${at}.archived_month.restoring IS 'a restore of the file was begun';
CREATE TABLE ${at}.log_archived (
  first_pos bigint PRIMARY KEY,
  last_pos bigint NOT NULL CHECK (last_pos >= first_pos),
  before text NOT NULL,
  hash text NOT NULL,
  month text NOT NULL,
  part int NOT NULL
);
CREATE INDEX log_archived_file ON ${at}.log_archived (month, part, first_pos);
COMMENT ON TABLE ${at}.log_archived IS 'ranges of positions whose events were archived, with the hash of the log before and after each';
`;

/** The rights of the service. */
const grants = (at: string, role: string): string => `
GRANT SELECT, INSERT ON ${at}.events, ${at}.log, ${at}.stream_key, ${at}.log_gap, ${at}.log_anchor,
  ${at}.examined_server, ${at}.lost_event TO ${role};
GRANT UPDATE (released_at, released_by, reason) ON ${at}.lost_event TO ${role};
GRANT SELECT, INSERT, DELETE ON ${at}.unsequenced TO ${role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ${at}.idempotency_key TO ${role};
GRANT SELECT ON ${at}.archived_month, ${at}.log_archived TO ${role};
`;

/**
 * SQL for a migration that creates all tables of a service that stores events, except its status views. One text
 * with several statements. The service's role may insert and read events, positions, keys, gaps and anchors, but
 * never change or remove them; only the operator's command writes to the archive tables.
 */
export const eventStoreTables = (schema: string, serviceRole: string): string => {
  const at = quotedName(schema);
  const role = quotedName(serviceRole);
  return [eventTables(at), keyTables(at), recoveryTables(at), archiveTables(at), grants(at, role)].join('');
};
