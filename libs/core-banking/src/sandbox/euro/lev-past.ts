import { levaPerEuro, levToEuro } from '@xs2a/domain/money/lev-conversion';
import type { PastMovement } from '../plausible-history.js';

/** The part of an account's history that is in leva. Amounts are in stotinki. */
export interface LevPast {
  readonly movements: readonly PastMovement[];
  /** The balance that was converted. */
  readonly balance: number;
}

/**
 * Splits the history, in leva, of an account that was converted into euro on the day `levEnd`. What came since then is
 * converted; what came before stays in leva, and ends with the balance whose conversion leads to `opening`, in
 * cents, today. Without movements from before, everything is in euro.
 */
export const splitAtConversion = (
  history: readonly PastMovement[],
  opening: number,
  levEnd: string,
): { readonly lev?: LevPast; readonly movements: readonly PastMovement[] } => {
  const before = history.filter(({ date }) => date < levEnd);
  const movements = history
    .filter(({ date }) => date >= levEnd)
    .map((movement) => ({ ...movement, amount: levToEuro(movement.amount) }));
  const balance = levOf(opening - movements.reduce((sum, { amount }) => sum + amount, 0));
  return before.length === 0 ? { movements } : { lev: { movements: before, balance }, movements };
};

/** The leva that are converted into this many cents: of the amounts that are, the one nearest to the rate. */
const levOf = (cents: number): number => Math.round(cents * Number(levaPerEuro));
