import { callFailed } from '@xs2a/domain/failure/failed';
import type { CallerCheck } from './check.js';

/**
 * The TPP must be registered with the PSD2 role that the endpoint requires:
 * - it lacks this role: 401 `ROLE_INVALID`.
 */
export const checkRole: CallerCheck = ({ tpp }, { scope }) => {
  if (scope !== undefined && !tpp.roles.includes(scope)) throw callFailed('roleMissing');
};
