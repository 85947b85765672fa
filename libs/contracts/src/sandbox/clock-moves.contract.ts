import { call } from '../call.js';

/** Who moved the sandbox's clock, and by how much. */
export interface ClockMove {
  /** The TPP that moved it. */
  readonly tppId: string;
  /** The ISO 8601 duration that it sent. */
  readonly advance: string;
  /** When, in real time. @format date-time */
  readonly movedAt: string;
}
/** The latest moves of the sandbox's clock, newest first, at most ten (contract 13). Only in the sandbox. */
export const readClockMoves = call<Record<string, never>, { readonly moves: readonly ClockMove[] }>(
  'svc.accounts.sandbox.clock-moves',
  'idempotent',
);
