import type { BundleEvents, StoredBundleEvent } from '@xs2a/contracts/dispute-bundle.contract';
import { initiatingEventTypes } from '@xs2a/domain/payment/payment-transitions';
import { isEncrypted } from '@xs2a/event-store/encryption/encrypted-members';
import { readStreamKeys } from '@xs2a/event-store/encryption/stream-keys';
import type { MasterKeys } from '@xs2a/runtime/master-keys';
import type { Pool } from 'pg';

interface Row {
  readonly pos: number | null;
  readonly event_id: string;
  readonly version: number;
  readonly type: string;
  readonly schema_version: number;
  readonly data: unknown;
  readonly meta: unknown;
  readonly occurred_at: Date;
  readonly prev_hash: Buffer;
  readonly hash: Buffer;
}

/** The events of an answer have about this many characters, or it has only one event. NATS accepts 2 MB. */
const maxCharacters = 500_000;
const rowsAtOnce = 200;

const toEvent = (row: Row): StoredBundleEvent => ({
  pos: row.pos === null ? null : Number(row.pos),
  eventId: row.event_id,
  version: row.version,
  type: row.type,
  schemaVersion: row.schema_version,
  occurredAt: row.occurred_at.toISOString(),
  meta: row.meta,
  stored: row.data,
  prevHash: row.prev_hash.toString('hex'),
  hash: row.hash.toString('hex'),
});

/** The number of rows, at least one, that fit into an answer. */
const countFitting = (rows: readonly Row[]): number => {
  let characters = 0;
  const first = rows.findIndex(({ data }, index) => {
    characters += JSON.stringify(data).length + 600;
    return characters > maxCharacters && index > 0;
  });
  return first === -1 ? rows.length : first;
};

/** Reads the events of a payment after a version, as stored, and the key of its personal data. */
export const readStoredEvents = async (
  pool: Pool,
  masterKeys: MasterKeys,
  { paymentId, after }: { readonly paymentId: string; readonly after: number },
): Promise<BundleEvents> => {
  const { rows } = await pool.query<Row>(
    `SELECT l.pos, e.event_id, e.version, e.type, e.schema_version, e.data, e.meta, e.occurred_at, e.prev_hash, e.hash
     FROM events e LEFT JOIN log l USING (stream_id, version)
     WHERE e.stream_id = $1 AND (e.version > $2 OR e.version = 1) ORDER BY e.version LIMIT $3`,
    // The first event, which shows what the stream is, and one more, which shows whether there are more.
    [paymentId, after, rowsAtOnce + 2],
  );
  const [beginning] = rows;
  if (beginning === undefined || !isBeginning(beginning.type)) return { outcome: 'unknown' };
  const wrapped = (await readStreamKeys(pool, [paymentId])).get(paymentId) ?? undefined;
  if (wrapped === undefined && isEncrypted(beginning.data)) return { outcome: 'erased' };
  const later = rows.filter(({ version }) => version > after);
  const count = countFitting(later.slice(0, rowsAtOnce));
  return {
    outcome: 'read',
    key: wrapped === undefined ? null : masterKeys.unwrap(wrapped).toString('base64'),
    events: later.slice(0, count).map(toEvent),
    hasMore: later.length > count,
  };
};

const isBeginning = (type: string): boolean => (initiatingEventTypes as readonly string[]).includes(type);
