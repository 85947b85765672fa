import { quotedName } from '@xs2a/event-store/streams/quoted-name';

/**
 * SQL for a migration that adds what custody stores to the tables of the engine, in the schema of a service whose
 * events contain personal data. It runs after `eventStoreTables`. `privacy_log` has a row for each request to erase,
 * search or export a person's data.
 */
export const custodyTables = (schema: string): string => {
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
COMMENT ON TABLE ${at}.privacy_log IS 'when an operator exported or erased the data of a person; rows are never changed';
COMMENT ON COLUMN ${at}.privacy_log.asked IS 'tags of the PSU-IDs, IBANs or streams that the request names';
COMMENT ON COLUMN ${at}.privacy_log.streams IS 'number of payments, consents and baskets found';
COMMENT ON COLUMN ${at}.privacy_log.despite_retention IS 'true: what has ended is erased before the law''s time is over';
CREATE FUNCTION ${at}.privacy_log_stays() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION 'rows of privacy_log are never changed'; END $$;
CREATE TRIGGER stays BEFORE UPDATE OR DELETE OR TRUNCATE ON ${at}.privacy_log
  FOR EACH STATEMENT EXECUTE FUNCTION ${at}.privacy_log_stays();
ALTER TABLE ${at}.stream_key
  ADD retained_until date,
  ADD erased_at timestamptz,
  ADD erasure bigint REFERENCES ${at}.privacy_log,
  ADD tags bigint[],
  ADD CHECK ((wrapped IS NULL) = (erased_at IS NOT NULL));
CREATE INDEX stream_key_asked ON ${at}.stream_key (stream_id) WHERE erasure IS NOT NULL AND wrapped IS NOT NULL;
CREATE INDEX stream_key_erasure ON ${at}.stream_key (erasure) WHERE erasure IS NOT NULL;
CREATE INDEX stream_key_retained ON ${at}.stream_key (retained_until, stream_id)
  WHERE retained_until IS NOT NULL AND wrapped IS NOT NULL;
CREATE INDEX stream_key_tags ON ${at}.stream_key USING gin (tags) WHERE tags IS NOT NULL;
COMMENT ON COLUMN ${at}.stream_key.retained_until IS 'last day on which the law may ask for the stream; null: the stream is not archived';
COMMENT ON COLUMN ${at}.stream_key.erasure IS 'row of privacy_log that requested the erasure; null again once it is done';
COMMENT ON COLUMN ${at}.stream_key.tags IS 'tags of the persons of an archived stream; null: the stream is not archived';
`;
};
