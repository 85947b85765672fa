/**
 * What a member of the bank's staff may do. A person may have several roles; the identity provider assigns them.
 *
 * - `viewer` sees every page except Actions and PSUs, without personal data.
 * - `operator` sees every page, and also repairs and reveals.
 * - `approver` sees Actions too, and approves what an operator requested.
 * - `auditor` sees only Actions.
 * - `support` sees only PSUs: whether the SCA of a PSU is locked, and what waits for the PSU's approval. This role may lift an SCA lock.
 */
export const roles = ['viewer', 'operator', 'approver', 'auditor', 'support'] as const;
export type Role = (typeof roles)[number];

/** The roles that see the pages of the running system. */
export const watchers = ['viewer', 'operator', 'approver'] as const satisfies readonly Role[];

/** The roles that see what the staff did. */
export const auditors = ['auditor', 'operator', 'approver'] as const satisfies readonly Role[];

/** The roles that help PSUs. */
export const helpers = ['support', 'operator'] as const satisfies readonly Role[];

/** Selects the roles among the values of an ID token's claim. The provider's other groups have no meaning here. */
export const readRoles = (claim: unknown): readonly Role[] => {
  const values = Array.isArray(claim) ? claim : [claim];
  return roles.filter((role) => values.includes(role));
};
