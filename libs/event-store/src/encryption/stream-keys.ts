import type { Fields } from '@xs2a/events/personal-members';
import { binaryArray } from '@xs2a/postgres/binary-array';
import { randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { MasterKeys } from '@xs2a/runtime/master-keys';
import { isEncrypted, decryptMembers } from './encrypted-members.js';

/** The master keys with which a store encrypts personal data, and the table that decides what it encrypts. */
export interface PersonalData {
  readonly masterKeys: MasterKeys;
  /** The table of a state's members. An event's table is defined with the event's type. */
  readonly ofState: Fields;
}

/** Thrown if the key of a stream's personal data was erased, so that nobody can read them. */
class StreamErased extends Error {
  override readonly name = 'StreamErased';

  constructor(readonly streamId: string) {
    super(`the personal data of stream ${streamId} were erased`);
  }
}

/** A stream's key, both unwrapped and in its stored form. */
export interface StreamKey {
  readonly bytes: Buffer;
  /** Present until the key has been stored, which happens together with the append. */
  readonly wrapped?: { readonly key: Buffer; readonly masterKey: string };
}

/** Generates a key for a stream that has none. */
export const newStreamKey = ({ current, wrap }: MasterKeys): StreamKey => {
  const bytes = randomBytes(32);
  return { bytes, wrapped: { key: wrap(bytes), masterKey: current } };
};

/** SQL for the wrapped key of a row's stream. */
export const streamKeyOf = (row: string): string =>
  `(SELECT k.wrapped FROM stream_key k WHERE k.stream_id = ${row}.stream_id)`;

/** Returns the unwrapped key, or undefined if the stream has none. */
export const unwrapped = (
  wrapped: Buffer | null | undefined,
  personalData: Pick<PersonalData, 'masterKeys'> | undefined,
): StreamKey | undefined =>
  wrapped === null || wrapped === undefined || personalData === undefined
    ? undefined
    : { bytes: personalData.masterKeys.unwrap(wrapped) };

/** The place of an encrypted state. */
export const placeOfState = (streamId: string): string => `state ${streamId}`;
/** The place of the encrypted data of an event. */
export const placeOfEvent = (eventId: string): string => `event ${eventId}`;

/** Decrypts a stored value, if it is encrypted. Throws {@link StreamErased} if the stream has no key. */
export const decryptStored = (
  value: unknown,
  {
    streamId,
    place,
    key,
  }: { readonly streamId: string; readonly place: string; readonly key: StreamKey | undefined },
): unknown => {
  if (!isEncrypted(value)) return value;
  if (key === undefined) throw new StreamErased(streamId);
  return decryptMembers(value, { place, key: key.bytes });
};

/** Returns the wrapped keys of streams that have one, by stream id; null for an erased stream. */
export const readStreamKeys = async (
  session: Pool | PoolClient,
  streamIds: readonly string[],
): Promise<ReadonlyMap<string, Buffer | null>> => {
  const { rows } = await session.query<{ stream_id: string; wrapped: Buffer | null }>({
    name: 'stream-keys',
    text: 'SELECT stream_id, wrapped FROM stream_key WHERE stream_id = ANY($1::uuid[])',
    values: [binaryArray('uuid', streamIds)],
  });
  return new Map(rows.map(({ stream_id, wrapped }) => [stream_id, wrapped]));
};
