import { IsDefined, IsIn } from 'class-validator';

const accountStatuses = ['enabled', 'blocked', 'closed'] as const;
export type AccountStatus = (typeof accountStatuses)[number];

/** The body of `PATCH /sandbox/accounts/{iban}` (contract 13). */
export class AccountStatusDto {
  @IsDefined()
  @IsIn(accountStatuses, { message: `Send one of ${accountStatuses.join(', ')}.` })
  readonly status!: AccountStatus;
}
