import type { CallVolume } from './call-groups.js';

/** The calls of a period by their outcome, with those that have no row. */
export interface CallTotals {
  readonly total: number;
  /** 4xx */
  readonly refused: number;
  /** 5xx */
  readonly failed: number;
}

export const callTotals = ({ groups, leftOut }: CallVolume): CallTotals => {
  const missing = Object.values(leftOut).reduce(
    (sum, one) => ({ refused: sum.refused + one.refused, others: sum.others + one.others }),
    { refused: 0, others: 0 },
  );
  const count = (isWanted: (status: number) => boolean): number =>
    groups.reduce((sum, { status, calls }) => (isWanted(status) ? sum + calls : sum), 0);
  return {
    total: count(() => true) + missing.refused + missing.others,
    refused: count((status) => status >= 400 && status < 500) + missing.refused,
    failed: count((status) => status >= 500),
  };
};
