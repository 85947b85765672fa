import { type Failure, fail } from '@xs2a/domain/failure/failures';
import { readDto } from '@xs2a/runtime/read-dto';
import type { Pool } from 'pg';
import { type AccountStatus, AccountStatusDto } from './account-status.dto.js';

export interface AccountStatusChanged {
  readonly iban: string;
  readonly status: AccountStatus;
}

/**
 * Blocks, closes or reopens an account, so that a TPP can see how this affects its consents and payments. Funds
 * that are already held are still booked, because the bank has guaranteed them. Fails with resourceUnknown if the
 * account does not exist.
 */
export const changeAccountStatus = async (
  pool: Pool,
  iban: string,
  body: unknown,
): Promise<AccountStatusChanged | { readonly refused: readonly Failure[] }> => {
  const read = readDto(AccountStatusDto, body);
  if ('failures' in read) return { refused: read.failures };
  const { status } = read.dto;
  const { rowCount } = await pool.query('UPDATE account SET status = $2 WHERE iban = $1', [iban, status]);
  return rowCount === 1 ? { iban, status } : { refused: [fail('resourceUnknown')] };
};
