import type { AisEndpoint } from '@xs2a/contracts/consents.contract';
import type { UnattendedCalls } from '@xs2a/contracts/timeline.contract';
import { consentAccessFailure } from '@xs2a/domain/consent/consent-access';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { callLimit, unattendedCall } from '@xs2a/domain/consent/unattended-window';
import { lastFour } from '@xs2a/resources/masking';
import type { Pool } from 'pg';

interface Counter {
  readonly endpoint: AisEndpoint;
  readonly resourceId: string;
  /** Epoch microseconds, oldest first. */
  readonly calls: readonly string[];
}
const ofAccount = ['account', 'balances', 'transactions'] as const satisfies readonly AisEndpoint[];

/**
 * Returns how many calls without the PSU a consent still permits at `now`: for the list of accounts, and for each endpoint and
 * account to which it gives access. Empty for a consent that permits nothing now. Account numbers are cut to four characters.
 */
export const unattendedLeft = async (
  pool: Pool,
  consentId: string,
  state: ConsentState,
  { now, today }: { readonly now: string; readonly today: string },
): Promise<readonly UnattendedCalls[]> => {
  const limit = callLimit(state, false);
  const { rows } = await pool.query<Counter>({
    name: 'calls-of-consent',
    text: 'SELECT endpoint, resource_id AS "resourceId", calls FROM access_window WHERE consent_id = $1',
    values: [consentId],
  });
  const places = [
    { endpoint: 'accounts' as const, resourceId: '', account: null },
    ...state.accounts.flatMap(({ iban, resourceId }) =>
      ofAccount.map((endpoint) => ({ endpoint, resourceId, account: lastFour(iban) })),
    ),
  ];
  return places.flatMap(({ endpoint, resourceId, account }): UnattendedCalls[] => {
    const isOpen = consentAccessFailure(state, { endpoint, resourceId, today, now }) === undefined;
    if (!isOpen || limit === undefined) return [];
    const counter = rows.find((row) => row.endpoint === endpoint && row.resourceId === resourceId);
    const calledAt = (counter?.calls ?? []).map((at) => new Date(Number(at) / 1000).toISOString());
    if (!state.recurringIndicator)
      return [{ endpoint, account, limit, left: Math.max(0, limit - calledAt.length), nextAt: null }];
    const next = unattendedCall(calledAt, now, limit);
    const nextAt = next.allowed
      ? null
      : new Date(Date.parse(now) + next.retryAfterSeconds * 1000).toISOString();
    return [{ endpoint, account, limit, left: next.allowed ? next.remaining + 1 : 0, nextAt }];
  });
};
