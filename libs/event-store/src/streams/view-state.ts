/** A row of a status view, as far as its state needs. */
export interface StateRow {
  readonly stream_id: string;
  readonly version: number;
  readonly state: unknown;
}

/**
 * The member of a stored state that says who folded it: the version of the states, and the version of the stream. The second
 * tells a state that a release without this member has taken over and changed.
 */
const mark = '$state';

/** A state as it is stored. */
export const storedState = (
  state: unknown,
  { stateVersion, version }: { readonly stateVersion: number; readonly version: number },
): string => JSON.stringify({ [mark]: [stateVersion, version], ...(state as object) });

/** The state of a row, without the mark, and whether the fold of this version made it. */
export const readState = <State>(
  { state: stored, version }: StateRow,
  stateVersion: number,
): { readonly state: State; readonly isOwn: boolean } => {
  const { [mark]: by, ...state } = stored as Readonly<Record<string, unknown>>;
  const isOwn = Array.isArray(by) && by[0] === stateVersion && by[1] === version;
  return { state: state as State, isOwn };
};

/** SQL: the mark of a stored state, and the state without it. */
export const markIn = (column: string): string => `${column}::jsonb -> '${mark}'`;
export const withoutMark = (column: string): string => `${column}::jsonb - '${mark}'`;
