/** Returns the address of the figures at one moment, or at two, in epoch milliseconds. */
export const pastPath = (atMs: number, andMs?: number): string => {
  const query = new URLSearchParams({ at: new Date(atMs).toISOString() });
  if (andMs !== undefined) query.set('and', new Date(andMs).toISOString());
  return `/now/as-of?${query.toString()}`;
};
