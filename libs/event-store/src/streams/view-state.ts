import { encryptMembers } from '../encryption/encrypted-members.js';
import { decryptStored, type PersonalData, placeOfState, type StreamKey } from '../encryption/stream-keys.js';

/** The columns of a status view row that are needed to read its state. */
export interface StateRow {
  readonly stream_id: string;
  readonly version: number;
  readonly state: unknown;
  /** The wrapped key of the stream (`streamKeyOf`), or null if the stream has none. */
  readonly stream_key: Buffer | null;
}

/**
 * The member of a stored state that identifies how it was folded: the state version and the stream's version. The
 * stream's version shows whether a release that does not set this member has changed the state since.
 */
const mark = '$state';

/** The parts of a stored state. */
export interface StoringState {
  readonly streamId: string;
  readonly stateVersion: number;
  /** The stream's version after the events included in this state. */
  readonly version: number;
  readonly personalData: PersonalData | undefined;
  readonly key: StreamKey | undefined;
}

/** Returns a state in its stored form, with its personal data encrypted. */
export const storedState = (
  state: unknown,
  { streamId, stateVersion, version, personalData, key }: StoringState,
): string => {
  const stored =
    personalData === undefined || key === undefined
      ? state
      : encryptMembers(state, {
          fields: personalData.ofState,
          key: key.bytes,
          place: placeOfState(streamId),
        });
  return JSON.stringify({ [mark]: [stateVersion, version], ...(stored as object) });
};

/** Returns a row's state without the mark, and whether the state was folded by this version. Throws StreamErased. */
export const readState = <State>(
  { stream_id: streamId, state: stored, version }: StateRow,
  { stateVersion, key }: { readonly stateVersion: number; readonly key: StreamKey | undefined },
): { readonly state: State; readonly isOwn: boolean } => {
  const { [mark]: by, ...state } = stored as Readonly<Record<string, unknown>>;
  const isOwn = Array.isArray(by) && by[0] === stateVersion && by[1] === version;
  return {
    state: decryptStored(state, { streamId, place: placeOfState(streamId), key }) as State,
    isOwn,
  };
};

/** SQL for the mark of a stored state, and for the state without the mark and certain other members. */
export const markIn = (column: string): string => `${column}::jsonb -> '${mark}'`;
export const withoutMark = (column: string, others: readonly string[] = []): string =>
  [mark, ...others].reduce((state, member) => `${state} - '${member}'`, `${column}::jsonb`);
