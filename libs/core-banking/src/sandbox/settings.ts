import type { ClockMove } from '@xs2a/contracts/sandbox/clock-moves.contract';
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';

/**
 * The key with which cursors are sealed. It is generated once, and is the same for every instance and after every
 * restart.
 */
export const cursorKey = async (pool: Pool): Promise<KeyObject> => {
  await pool.query(`INSERT INTO setting (name, value) VALUES ('cursor-key', $1) ON CONFLICT DO NOTHING`, [
    randomBytes(32).toString('base64'),
  ]);
  const { rows } = await pool.query<{ value: string }>(`SELECT value FROM setting WHERE name = 'cursor-key'`);
  return createSecretKey(rows[0]?.value ?? '', 'base64');
};

/**
 * Reads the stored offset of the sandbox clock from real time, in milliseconds; 0 if the clock has never been
 * moved.
 */
export const readClockOffset = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ value: string }>(
    `SELECT value FROM setting WHERE name = 'clock-offset-ms'`,
  );
  return Number(rows[0]?.value ?? 0);
};

/** How many moves of the clock are kept. */
const keptMoves = 10;

/** Returns the latest moves of the sandbox clock, newest first. */
export const readStoredMoves = async (pool: Pool): Promise<readonly ClockMove[]> => {
  const { rows } = await pool.query<{ moves: ClockMove[] }>(
    `SELECT value::jsonb AS moves FROM setting WHERE name = 'clock-moves'`,
  );
  return rows[0]?.moves ?? [];
};

/**
 * Moves the stored offset forward by `byMs` milliseconds, from its current value or from `known`, whichever is
 * greater, and stores `move` as the latest. If several callers do this concurrently, the steps add up. Returns the new
 * offset once it is stored.
 */
export const advanceClockOffset = async (
  pool: Pool,
  { byMs, known, move }: { readonly byMs: number; readonly known: number; readonly move?: ClockMove },
): Promise<number> => {
  const { rows } = await pool.query<{ value: string }>(
    `WITH moved AS (
       INSERT INTO setting AS s (name, value) VALUES ('clock-offset-ms', ($1::bigint + $2::bigint)::text)
       ON CONFLICT (name) DO UPDATE SET value = (greatest(s.value::bigint, $2::bigint) + $1::bigint)::text
       RETURNING value
     ), stored AS (
       INSERT INTO setting AS s (name, value)
       SELECT 'clock-moves', jsonb_build_array($3::jsonb)::text WHERE $3::jsonb IS NOT NULL
       ON CONFLICT (name) DO UPDATE SET value = (
         SELECT jsonb_agg(move ORDER BY place)
         FROM jsonb_array_elements($3::jsonb || s.value::jsonb) WITH ORDINALITY AS list (move, place)
         WHERE place <= $4)::text
     ) SELECT value FROM moved`,
    [byMs, known, move === undefined ? null : JSON.stringify(move), keptMoves],
  );
  return Number(rows[0]?.value);
};
