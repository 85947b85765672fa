import { type Failure, fail } from '@xs2a/domain/failure/failures';
import { readDto } from '@xs2a/runtime/read-dto';
import type { Pool } from 'pg';
import { type AccountStatus, AccountStatusDto } from './account-status.dto.js';

export interface AccountStatusChanged {
  readonly iban: string;
  readonly status: AccountStatus;
}

/**
 * Blocks or closes an account, or opens it again, so that a TPP can see what becomes of its consents and payments. Money
 * that is held already is still booked: the bank promised it. Refused with resourceUnknown when there is no such account.
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
