import { quotedName } from '../streams/quoted-name.js';

/**
 * SQL for a migration that creates the archive tables: `archived_month` has a row for each file, and
 * `log_archived` has one for each range of positions in a file. The service may only read the ranges; only the
 * operator's command writes to these tables.
 */
export const archiveTables = (schema: string, serviceRole: string): string => {
  const at = quotedName(schema);
  return `
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
GRANT SELECT ON ${at}.archived_month, ${at}.log_archived TO ${quotedName(serviceRole)};
`;
};
