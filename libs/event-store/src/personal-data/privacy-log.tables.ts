import { quotedName } from '../streams/quoted-name.js';

/**
 * SQL of the log of requests, for a migration: `privacy_log` has a row for each request to forget or export a person's data, which is
 * never changed. A key knows the row by which its stream was asked to be forgotten, and of an archived stream the tags of its persons
 * (person-tags.ts).
 */
export const privacyLogTable = (schema: string): string => {
  const at = quotedName(schema);
  return `
CREATE TABLE ${at}.privacy_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  operator text NOT NULL,
  act text NOT NULL,
  asked bigint[] NOT NULL,
  streams bigint NOT NULL,
  reason text NOT NULL,
  despite_retention boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE ${at}.privacy_log IS 'when an operator exported or forgot the data of a person; rows are never changed';
COMMENT ON COLUMN ${at}.privacy_log.asked IS 'tags of the PSU-IDs, IBANs or streams that were asked about';
COMMENT ON COLUMN ${at}.privacy_log.streams IS 'number of payments, consents and baskets that were found';
COMMENT ON COLUMN ${at}.privacy_log.despite_retention IS 'true: what has ended is forgotten before the law''s time is over';
CREATE FUNCTION ${at}.privacy_log_stays() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION 'rows of privacy_log are never changed'; END $$;
CREATE TRIGGER stays BEFORE UPDATE OR DELETE OR TRUNCATE ON ${at}.privacy_log
  FOR EACH STATEMENT EXECUTE FUNCTION ${at}.privacy_log_stays();

ALTER TABLE ${at}.stream_key ADD COLUMN erasure bigint REFERENCES ${at}.privacy_log, ADD COLUMN tags bigint[];
COMMENT ON COLUMN ${at}.stream_key.erasure IS 'row of privacy_log by which it is to be forgotten; null again once it is';
COMMENT ON COLUMN ${at}.stream_key.tags IS 'tags of the persons of an archived stream; null: it is not archived';
CREATE INDEX stream_key_asked ON ${at}.stream_key (stream_id) WHERE erasure IS NOT NULL AND wrapped IS NOT NULL;
CREATE INDEX stream_key_erasure ON ${at}.stream_key (erasure) WHERE erasure IS NOT NULL;
CREATE INDEX stream_key_retained ON ${at}.stream_key (retained_until, stream_id)
  WHERE retained_until IS NOT NULL AND wrapped IS NOT NULL;
CREATE INDEX stream_key_tags ON ${at}.stream_key USING gin (tags) WHERE tags IS NOT NULL;
`;
};

/** Reverts {@link privacyLogTable}. */
export const withoutPrivacyLog = (schema: string): string => {
  const at = quotedName(schema);
  return `
ALTER TABLE ${at}.stream_key DROP COLUMN erasure, DROP COLUMN tags;
DROP TABLE ${at}.privacy_log;
DROP FUNCTION ${at}.privacy_log_stays;
`;
};
