import { lastInstantBefore } from '@xs2a/domain/switch-over/switch-over-phase';
import type { SwitchOverPhase } from '@xs2a/domain/switch-over/switch-over-phase';
import type { Pool } from 'pg';

/** Returns when the bank switches to euro (ISO instant); undefined if no switch-over is planned, or it has begun. */
export const readPlannedSwitchOver = async (pool: Pick<Pool, 'query'>): Promise<string | undefined> => {
  const { rows } = await pool.query<{ at: Date }>({
    name: 'planned-switch-over',
    text: "SELECT at FROM switch_over WHERE phase = 'planned'",
  });
  return rows[0]?.at.toISOString();
};

/** True from the switch-over to euro until it is done. `now` is an ISO instant. */
export const isSwitching = async (pool: Pick<Pool, 'query'>, now: string): Promise<boolean> =>
  (await readSettlementTime(pool, now)) !== now;

/**
 * The time (ISO instant) until which payments are due for settlement: now, or during the switch-over to euro the last
 * instant before it, so that what was due before is settled in leva. Undefined while nothing may be settled.
 */
export const readSettlementTime = async (
  pool: Pick<Pool, 'query'>,
  now: string,
): Promise<string | undefined> => {
  const { rows } = await pool.query<{ at: Date; phase: SwitchOverPhase }>({
    name: 'settlement-time',
    text: "SELECT at, phase FROM switch_over WHERE phase <> 'done' AND at <= $1",
    values: [now],
  });
  const [switchOver] = rows;
  if (switchOver === undefined) return now;
  return switchOver.phase === 'settling' ? lastInstantBefore(switchOver.at.toISOString()) : undefined;
};
