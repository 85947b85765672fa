import { type Failure, fail } from '@xs2a/domain/failure/failures';
import { readDto } from '@xs2a/runtime/read-dto';
import type { Pool } from 'pg';
import { isAccountOf } from '../people/created-psus.js';
import { type AccountStatus, AccountStatusDto } from './account-status.dto.js';

export interface AccountStatusChanged {
  readonly iban: string;
  readonly status: AccountStatus;
}

interface StatusChange {
  readonly iban: string;
  /** The request body `{status}` as received; `changeAccountStatus` validates it. */
  readonly body: unknown;
  readonly createdBy?: string | undefined;
}

/**
 * Blocks, closes or reopens an account, so that a TPP can see how this affects its consents and payments. Funds
 * that are already held are still booked, because the bank has guaranteed them. Fails with resourceUnknown if the
 * account does not exist, or if `createdBy` names a TPP that did not create the account.
 */
export const changeAccountStatus = async (
  pool: Pool,
  { iban, body, createdBy }: StatusChange,
): Promise<AccountStatusChanged | { readonly refused: readonly Failure[] }> => {
  const read = readDto(AccountStatusDto, body);
  if ('failures' in read) return { refused: read.failures };
  const { status } = read.dto;
  const { rowCount } = await pool.query(
    `UPDATE account a SET status = $2 WHERE a.iban = $1 AND ${isAccountOf('$3')}`,
    [iban, status, createdBy],
  );
  return rowCount === 1 ? { iban, status } : { refused: [fail('resourceUnknown')] };
};
