import { IsDefined, IsString } from 'class-validator';

/** The body of `POST /sandbox/accounts/{iban}/deposit` (contract 13), with the amount in major units. */
export class DepositDto {
  @IsDefined()
  @IsString({
    message: 'Send the amount as a string: digits, and a point before decimals, such as "12.50".',
  })
  readonly amount!: string;

  @IsDefined()
  @IsString({ message: 'Send the currency of the account.' })
  readonly currency!: string;
}
