/**
 * What a member of the bank's staff may do. A person may have several roles; the identity provider assigns them.
 *
 * - `viewer` sees every page except Actions, without personal data.
 * - `operator` also repairs and reveals.
 * - `approver` also approves what an operator requested.
 * - `auditor` sees only Actions.
 * - `support` finds the open approvals of a PSU and lifts an SCA lock.
 */
export const roles = ['viewer', 'operator', 'approver', 'auditor', 'support'] as const;
export type Role = (typeof roles)[number];

/** The roles that see the pages of the running system. */
export const watchers = ['viewer', 'operator', 'approver'] as const satisfies readonly Role[];

/** Selects the roles among the values of an ID token's claim. The provider's other groups have no meaning here. */
export const readRoles = (claim: unknown): readonly Role[] => {
  const values = Array.isArray(claim) ? claim : [claim];
  return roles.filter((role) => values.includes(role));
};
