import { seal } from '../personal-data/sealed.js';
import { openStored, type PersonalData, placeOfState, type StreamKey } from '../personal-data/stream-keys.js';

/** The part of a status view row that its state depends on. */
export interface StateRow {
  readonly stream_id: string;
  readonly version: number;
  readonly state: unknown;
  /** The wrapped key of the stream (`streamKeyOf`); null if it has none. */
  readonly stream_key: Buffer | null;
}

/**
 * The member of a stored state that identifies its fold: the version of the states and the version of the stream.
 * The latter detects a state that a release without this member has taken over and changed.
 */
const mark = '$state';

/** The parts of a stored state. */
export interface StoringState {
  readonly streamId: string;
  readonly stateVersion: number;
  /** The stream's version in this state. */
  readonly version: number;
  readonly personalData: PersonalData | undefined;
  readonly key: StreamKey | undefined;
}

/** Returns a state as stored, with its personal data encrypted. */
export const storedState = (
  state: unknown,
  { streamId, stateVersion, version, personalData, key }: StoringState,
): string => {
  const stored =
    personalData === undefined || key === undefined
      ? state
      : seal(state, { personal: personalData.ofState, key: key.bytes, place: placeOfState(streamId) });
  return JSON.stringify({ [mark]: [stateVersion, version], ...(stored as object) });
};

/** Returns a row's state without the mark, and whether this version's fold produced it. Throws StreamForgotten. */
export const readState = <State>(
  { stream_id: streamId, state: stored, version }: StateRow,
  { stateVersion, key }: { readonly stateVersion: number; readonly key: StreamKey | undefined },
): { readonly state: State; readonly isOwn: boolean } => {
  const { [mark]: by, ...state } = stored as Readonly<Record<string, unknown>>;
  const isOwn = Array.isArray(by) && by[0] === stateVersion && by[1] === version;
  return {
    state: openStored(state, { streamId, place: placeOfState(streamId), key }) as State,
    isOwn,
  };
};

/** SQL: the mark of a stored state, and the state without the mark and certain other members. */
export const markIn = (column: string): string => `${column}::jsonb -> '${mark}'`;
export const withoutMark = (column: string, others: readonly string[] = []): string =>
  [mark, ...others].reduce((state, member) => `${state} - '${member}'`, `${column}::jsonb`);
