/** How urgent something is, which is also its colour. */
export type Level = 'good' | 'attention' | 'problem' | 'neutral';

const attention = new Set(['RJCT', 'CANC', 'PART', 'rejected', 'revokedByPsu', 'terminatedByTpp', 'expired']);
const good = new Set(['ACSC', 'ACCC', 'ACFC', 'valid']);

/** The level of the status of a payment, a signing basket or a consent. */
export const levelOf = (status: string | null): Level => {
  if (status === null) return 'problem';
  if (attention.has(status)) return 'attention';
  return good.has(status) ? 'good' : 'neutral';
};
