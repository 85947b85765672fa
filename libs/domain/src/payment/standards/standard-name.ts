/** The names of the standards: payments in leva, and payments after Bulgaria introduced the euro. */
export type StandardName = 'lev' | 'euro';
