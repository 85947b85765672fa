import { quotedName } from '../streams/quoted-name.js';

/**
 * SQL for a migration that creates the table of stream keys. Each stream has one key, wrapped by a master key.
 * Without its key, nobody can read the stream's personal data any more, wherever they are stored. The service's
 * role may add and read keys, but never remove them.
 */
export const streamKeyTable = (schema: string, serviceRole: string): string => {
  const at = quotedName(schema);
  return `
CREATE TABLE ${at}.stream_key (
  stream_id uuid PRIMARY KEY,
  wrapped bytea,
  master_key text,
  retained_until date,
  forgotten_at timestamptz,
  erasure bigint REFERENCES ${at}.privacy_log,
  tags bigint[],
  CHECK ((wrapped IS NULL) = (master_key IS NULL) AND (wrapped IS NULL) = (forgotten_at IS NOT NULL))
);
CREATE INDEX stream_key_asked ON ${at}.stream_key (stream_id) WHERE erasure IS NOT NULL AND wrapped IS NOT NULL;
CREATE INDEX stream_key_erasure ON ${at}.stream_key (erasure) WHERE erasure IS NOT NULL;
CREATE INDEX stream_key_retained ON ${at}.stream_key (retained_until, stream_id)
  WHERE retained_until IS NOT NULL AND wrapped IS NOT NULL;
CREATE INDEX stream_key_tags ON ${at}.stream_key USING gin (tags) WHERE tags IS NOT NULL;
COMMENT ON COLUMN ${at}.stream_key.wrapped IS 'AES-256 key of the personal data of the stream, wrapped (RFC 3394); null: forgotten';
COMMENT ON COLUMN ${at}.stream_key.master_key IS 'name of the master key that wrapped it';
COMMENT ON COLUMN ${at}.stream_key.retained_until IS 'last day on which the law may ask for it; null: the stream is not archived';
COMMENT ON COLUMN ${at}.stream_key.erasure IS 'row of privacy_log by which it is to be forgotten; null again once it is';
COMMENT ON COLUMN ${at}.stream_key.tags IS 'tags of the persons of an archived stream; null: it is not archived';
GRANT SELECT, INSERT ON ${at}.stream_key TO ${quotedName(serviceRole)};
`;
};
