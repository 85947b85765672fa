import { quotedName } from '@xs2a/event-store/streams/quoted-name';
import { privacyLogTable } from './personal-data/privacy-log.tables.js';

/**
 * SQL for a migration that adds what custody stores to the tables of the engine, in the schema of a service whose
 * events contain personal data. It runs after `eventStoreTables`.
 */
export const custodyTables = (schema: string): string => {
  const at = quotedName(schema);
  return `${privacyLogTable(schema)}
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
