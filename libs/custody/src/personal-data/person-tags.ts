import type { Involved, Persons } from '@xs2a/domain/persons';
import type { MasterKeys } from '@xs2a/runtime/master-keys';
import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import { newStreamKey } from '@xs2a/event-store/encryption/stream-keys';

/** The id of the key for tags among the stream keys, so that a rotation rewraps it. No stream has it. */
const tagKeyId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Tags: 8 bytes of HMAC-SHA-256 as a bigint. Without the master keys nobody can find out whose they are. */
export interface Tagger {
  /** The tags under which a stream of these persons is stored. */
  ofStored(persons: Involved): string[];
  /** The tags that find the streams of these persons. A PSU may have signed a stream or only be named in it. */
  ofAsked(persons: Persons): string[];
  /** One tag for each person and account, for the request log. */
  ofLogged(persons: Persons): string[];
  ofStream(streamId: string): string;
}

/**
 * Creates the tagger for this schema with the schema's own key, which is generated if it does not exist. Tags make
 * it possible to find a person's archived streams, and keep names out of the request log.
 */
export const readTagger = async (pool: Pool, masterKeys: MasterKeys): Promise<Tagger> => {
  const { wrapped } = newStreamKey(masterKeys);
  await pool.query(
    'INSERT INTO stream_key (stream_id, wrapped, master_key) VALUES ($1, $2, $3) ON CONFLICT (stream_id) DO NOTHING',
    [tagKeyId, wrapped?.key, wrapped?.masterKey],
  );
  const { rows } = await pool.query<{ wrapped: Buffer }>(
    'SELECT wrapped FROM stream_key WHERE stream_id = $1',
    [tagKeyId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('reading the tag key failed');
  const key = masterKeys.unwrap(row.wrapped);
  // The last bit marks PSUs who signed, so that the tags show whether PSUs other than the requested one
  // signed an archived stream.
  const [signer, other] = [1n, 0n];
  const tag = (text: string, lastBit: bigint): string =>
    ((createHmac('sha256', key).update(text).digest().readBigInt64BE() & ~1n) | lastBit).toString();
  const ofStored: Tagger['ofStored'] = ({ psuIds, signers, ibans }) => [
    ...psuIds.map((psuId) => tag(`psu ${psuId}`, signers.includes(psuId) ? signer : other)),
    ...ibans.map((iban) => tag(`iban ${iban}`, other)),
  ];
  return {
    ofStored,
    ofLogged: (persons) => ofStored({ ...persons, signers: persons.psuIds }),
    ofAsked: ({ psuIds, ibans }) => [
      ...psuIds.flatMap((psuId) => [signer, other].map((bit) => tag(`psu ${psuId}`, bit))),
      ...ibans.map((iban) => tag(`iban ${iban}`, other)),
    ],
    ofStream: (streamId) => tag(`stream ${streamId}`, other),
  };
};

const isOfSigner = (tag: string): boolean => (BigInt(tag) & 1n) === 1n;

/** An archived stream that contains data of a requested person. */
export interface ArchivedStream {
  readonly streamId: string;
  /** True if PSUs other than the requested ones have signed the stream too. */
  readonly isShared: boolean;
}

/** Returns the archived streams that have one of these tags and have not been erased. */
export const findArchivedStreams = async (
  pool: Pool,
  asked: readonly string[],
): Promise<ArchivedStream[]> => {
  const { rows } = await pool.query<{ stream_id: string; tags: string[] }>(
    `SELECT stream_id, tags::text[] AS tags FROM stream_key
     WHERE tags && $1::bigint[] AND tags IS NOT NULL AND wrapped IS NOT NULL ORDER BY stream_id`,
    [asked],
  );
  return rows.map(({ stream_id: streamId, tags }) => ({ streamId, isShared: isShared(tags, asked) }));
};

const isShared = (tags: readonly string[], asked: readonly string[]): boolean => {
  const others = tags.filter((tag) => isOfSigner(tag) && !asked.includes(tag));
  return asked.some(isOfSigner) ? others.length > 0 : others.length > 1;
};
