/** What comparing a name with that of an account's holder gives. */
export type NameVerdict = 'MATCH' | 'CLOSE_MATCH' | 'NO_MATCH';

const fromBest: readonly NameVerdict[] = ['MATCH', 'CLOSE_MATCH', 'NO_MATCH'];
/** Returns a negative number if `a` is the better verdict. */
export const compareVerdicts = (a: NameVerdict, b: NameVerdict): number =>
  fromBest.indexOf(a) - fromBest.indexOf(b);
