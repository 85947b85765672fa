import { type Failure, fail } from '@xs2a/domain/failure/failures';
import { isJsonObject, memberOf, unknownMembers } from '@xs2a/domain/form/form-checks';
import type { Pool } from 'pg';

const accountStatuses = ['enabled', 'blocked', 'closed'] as const;
type AccountStatus = (typeof accountStatuses)[number];
export interface AccountStatusChanged {
  readonly iban: string;
  readonly status: AccountStatus;
}

/** The service may change nothing else of an account. */
export const accountStatusRight = (role: string): string => `GRANT UPDATE (status) ON account TO ${role}`;

const isStatus = (value: unknown): value is AccountStatus =>
  accountStatuses.some((status) => status === value);

/**
 * Blocks or closes an account, or opens it again, so that a TPP can see what becomes of its consents and payments. Money
 * that is held already is still booked: the bank promised it. Refused with resourceUnknown when there is no such account.
 */
export const changeAccountStatus = async (
  pool: Pool,
  iban: string,
  body: unknown,
): Promise<AccountStatusChanged | { readonly refused: readonly Failure[] }> => {
  if (!isJsonObject(body)) return { refused: [fail('bodyNotJson')] };
  const status = memberOf(body, 'status');
  const failures = unknownMembers(body, ['status'], '');
  if (status === undefined) failures.unshift(fail('fieldMissing', 'status'));
  else if (!isStatus(status))
    failures.unshift(fail('fieldMalformed', 'status', `Send one of ${accountStatuses.join(', ')}.`));
  if (!isStatus(status) || failures.length > 0) return { refused: failures };
  const { rowCount } = await pool.query('UPDATE account SET status = $2 WHERE iban = $1', [iban, status]);
  return rowCount === 1 ? { iban, status } : { refused: [fail('resourceUnknown')] };
};
