import { quotedName } from '@xs2a/event-store/streams/quoted-name';

/**
 * SQL for a migration that creates the request log. `privacy_log` has a row for each request to erase or export a
 * person's data; a row is never changed.
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
COMMENT ON TABLE ${at}.privacy_log IS 'when an operator exported or erased the data of a person; rows are never changed';
COMMENT ON COLUMN ${at}.privacy_log.asked IS 'tags of the PSU-IDs, IBANs or streams that the request names';
COMMENT ON COLUMN ${at}.privacy_log.streams IS 'number of payments, consents and baskets found';
COMMENT ON COLUMN ${at}.privacy_log.despite_retention IS 'true: what has ended is erased before the law''s time is over';
CREATE FUNCTION ${at}.privacy_log_stays() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION 'rows of privacy_log are never changed'; END $$;
CREATE TRIGGER stays BEFORE UPDATE OR DELETE OR TRUNCATE ON ${at}.privacy_log
  FOR EACH STATEMENT EXECUTE FUNCTION ${at}.privacy_log_stays();
`;
};
