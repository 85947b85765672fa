import { durationText } from './durations.js';

/** A standby of the PostgreSQL server. State and lag are null if the database role has no permission to read them. */
export interface Standby {
  readonly name: string;
  /** `streaming`, or the state of a standby that is not up to date yet, such as `catchup`. */
  readonly state: string | null;
  /** `sync` or `quorum` if commits wait for this standby, otherwise `async` or `potential`. */
  readonly syncState: string | null;
  readonly behindBytes: number | null;
  readonly lagMs: number | null;
}

/** Returns true if commits wait for this standby: it streams, and is synchronous or a member of a quorum. */
export const isWaitedFor = ({ state, syncState }: Standby): boolean =>
  state === 'streaming' && (syncState === 'sync' || syncState === 'quorum');

/** Returns, as text, how many bytes of WAL a standby is behind, and for how long if PostgreSQL reports the time. */
export const standbyLag = ({ behindBytes, lagMs }: Standby): string =>
  `${behindBytes ?? '?'} bytes${lagMs === null ? '' : `, ${durationText(lagMs)}`}`;

/**
 * Returns the names of the standbys in a value of `synchronous_standby_names`: `FIRST 1 (a, b)`, `ANY 1 (a, b)`, `2 (a, b)` or `a, b`.
 * Returns no names for `*`, which matches any standby.
 */
export const synchronousNames = (setting: string): readonly string[] => {
  const [, inside] = /\(([^)]*)\)/.exec(setting) ?? [];
  return (inside ?? setting)
    .split(',')
    .map((name) => name.trim().replaceAll(/^"|"$/g, ''))
    .filter((name) => name !== '' && name !== '*');
};

/**
 * Returns the names in `synchronous_standby_names` to which no connected standby belongs. Returns `*` if the setting is `*` and no
 * standby is connected.
 */
export const missingStandbys = (setting: string, standbys: readonly Standby[]): readonly string[] => {
  if (setting.trim() === '') return [];
  const names = synchronousNames(setting);
  if (names.length === 0) return standbys.length === 0 ? ['*'] : [];
  const connected = new Set(standbys.map(({ name }) => name.toLowerCase()));
  return names.filter((name) => !connected.has(name.toLowerCase()));
};
