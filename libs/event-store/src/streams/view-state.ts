import { seal } from '../personal-data/sealed.js';
import { openStored, type PersonalData, placeOfState, type StreamKey } from '../personal-data/stream-keys.js';

/** A row of a status view, as far as its state needs. */
export interface StateRow {
  readonly stream_id: string;
  readonly version: number;
  readonly state: unknown;
  /** The wrapped key of the stream (`streamKeyOf`); null: it has none. */
  readonly stream_key: Buffer | null;
}

/**
 * The member of a stored state that says who folded it: the version of the states, and the version of the stream. The second
 * identifies a state that a release without this member has taken over and changed.
 */
const mark = '$state';

/** The parts from which a stored state is made. */
export interface StoringState {
  readonly streamId: string;
  readonly stateVersion: number;
  /** The version of the stream in this state. */
  readonly version: number;
  readonly personalData: PersonalData | undefined;
  readonly key: StreamKey | undefined;
}

/** A state as it is stored, its personal data encrypted. */
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

/** The state of a row, without the mark, and whether the fold of this version made it. Throws StreamForgotten. */
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

/** SQL: the mark of a stored state, and the state without it and without some other members. */
export const markIn = (column: string): string => `${column}::jsonb -> '${mark}'`;
export const withoutMark = (column: string, others: readonly string[] = []): string =>
  [mark, ...others].reduce((state, member) => `${state} - '${member}'`, `${column}::jsonb`);
