import { type Failure, fail } from '../failure/failures.js';
import { hasPassed } from '../time/bank-calendar.js';
import type { AccessType } from './consent-events.js';
import type { ConsentState } from './consent-state.js';

/** The account information endpoints (spec 4.4), as named in rules and counters. */
type AccessEndpoint = 'accounts' | 'account' | 'balances' | 'transactions';

/** `resourceId`: the account in the path; `today`: an ISO date in the bank's zone. */
export interface AccessRequest {
  readonly endpoint: AccessEndpoint;
  readonly resourceId?: string;
  readonly today: string;
  readonly now: string;
}

/**
 * The access type that an endpoint requires. The account list and GET /accounts/{id} accept any type, because a
 * TPP that may read balances or transactions may also see the account itself (spec 8).
 */
const neededAccess: Readonly<Record<AccessEndpoint, AccessType | 'any'>> = {
  accounts: 'any',
  account: 'any',
  balances: 'balances',
  transactions: 'transactions',
};

/**
 * Returns why a data call under this consent is refused (contract 3): consentExpired, consentInvalid,
 * accessNotGranted, or resourceUnknown for an account outside the consent. Undefined if the call is allowed. A consent past its end
 * counts as expired even before a job has recorded the expiry.
 */
export function consentAccessFailure(
  state: ConsentState,
  { endpoint, resourceId, today, now }: AccessRequest,
): Failure | undefined {
  if (state.status === 'expired') return fail('consentExpired');
  if (state.status !== 'valid') return fail('consentInvalid');
  const isUsedUp = state.oneOffEndsAt !== undefined && hasPassed(state.oneOffEndsAt, now);
  if (today > state.validUntil || isUsedUp) return fail('consentExpired');
  const needed = neededAccess[endpoint];
  const opens = (access: readonly AccessType[]): boolean => needed === 'any' || access.includes(needed);
  if (!state.accounts.some(({ access }) => opens(access))) return fail('accessNotGranted');
  if (endpoint === 'accounts') return undefined;
  const account = state.accounts.find((candidate) => candidate.resourceId === resourceId);
  if (account === undefined) return fail('resourceUnknown');
  return opens(account.access) ? undefined : fail('accessNotGranted');
}
