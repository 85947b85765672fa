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
  CHECK ((wrapped IS NULL) = (master_key IS NULL))
);
COMMENT ON COLUMN ${at}.stream_key.wrapped IS 'AES-256 key of the personal data of the stream, wrapped (RFC 3394); null: erased';
COMMENT ON COLUMN ${at}.stream_key.master_key IS 'name of the master key that wrapped it';
GRANT SELECT, INSERT ON ${at}.stream_key TO ${quotedName(serviceRole)};
`;
};
