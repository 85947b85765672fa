import type { Profile } from '@xs2a/domain/profile/profile';
import type { SwitchOverPhase } from '@xs2a/domain/switch-over/switch-over-phase';
import { toBankDate } from '@xs2a/domain/time/bank-calendar';
import type { ClientBase, Pool } from 'pg';
import { BankFault } from '../../port/bank-fault.js';

export interface SwitchOverSetting {
  /** The start of the bank's first day in euro (ISO instant). */
  readonly at: string;
  readonly phase: SwitchOverPhase;
}

/** SQL for the stored switch-over, as text; null if none is planned. */
export const switchOverSetting = `(SELECT value FROM setting WHERE name = 'switch-over')`;

/** Parses what {@link switchOverSetting} returns. */
export const parseSwitchOver = (value: string | null | undefined): SwitchOverSetting | undefined =>
  value === null || value === undefined ? undefined : (JSON.parse(value) as SwitchOverSetting);

/** Returns the bank's switch-over; undefined if none is planned. */
export const readSwitchOver = async (
  database: Pick<ClientBase, 'query'>,
): Promise<SwitchOverSetting | undefined> => {
  const { rows } = await database.query<{ value: string | null }>({
    name: 'switch-over',
    text: `SELECT ${switchOverSetting} AS value`,
  });
  return parseSwitchOver(rows[0]?.value);
};

/** Stores the switch-over in place of an earlier one. */
export const writeSwitchOver = async (
  database: Pick<Pool, 'query'>,
  setting: SwitchOverSetting,
): Promise<void> => {
  await database.query(
    `INSERT INTO setting (name, value) VALUES ('switch-over', $1)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [JSON.stringify(setting)],
  );
};

/** True from the switch-over until it is done: money is neither moved nor promised. `now` is an ISO instant. */
export const isSwitching = (
  switchOver: SwitchOverSetting | undefined,
  now: string,
): switchOver is SwitchOverSetting =>
  switchOver !== undefined && switchOver.phase !== 'done' && now >= switchOver.at;

/**
 * Returns the first day in euro: that of the profile, or, while the bank switches, that of the switch-over. Undefined at
 * a bank in leva. `now` is an ISO instant.
 */
export const findLevEnd = async (
  database: Pick<ClientBase, 'query'>,
  { levEnd, timeZone }: Pick<Profile, 'levEnd' | 'timeZone'>,
  now: string,
): Promise<string | undefined> => {
  if (levEnd !== undefined) return levEnd;
  const switchOver = await readSwitchOver(database);
  return isSwitching(switchOver, now) ? toBankDate(switchOver.at, timeZone) : undefined;
};

/** Throws a BankFault while the bank switches, because money is not promised then. `now` is an ISO instant. */
export const mustNotSwitch = (switchOver: SwitchOverSetting | undefined, now: string): void => {
  if (isSwitching(switchOver, now))
    throw new BankFault('unavailable', 'the switch-over to euro is under way', 30);
};
