import { isMaxText } from '@xs2a/domain/text/text';
import { ArrayMaxSize, IsArray, IsInt, Matches, Max, Min, ValidateBy } from 'class-validator';

const maxAccounts = 10;
const maxSignatures = 10;

export const accountsHint = { message: `Send a list of 1 to ${maxAccounts} accounts.` };
const signaturesHint = { message: `Send a whole number from 1 to ${maxSignatures}.` };

/**
 * True for an array within the maximum length. A longer list is refused as a whole, without validating its
 * accounts.
 */
export const isAccountList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length <= maxAccounts;

export const IsMaxText = (max: number, message: string): PropertyDecorator =>
  ValidateBy({ name: 'isMaxText', validator: { validate: (value) => isMaxText(value, max) } }, { message });

const corporateIdPattern = /^[A-Za-z0-9._-]{1,35}$/;
export const isCorporateId = (value: unknown): value is string =>
  typeof value === 'string' && corporateIdPattern.test(value);

/**
 * The body of `POST /sandbox/psus` (contract 13). Accounts may be omitted depending on the corporate, so this DTO
 * does not validate that.
 */
export class NewPsuDto {
  @IsMaxText(70, 'Send a name of 1 to 70 characters.')
  readonly name?: string;

  @IsArray(accountsHint)
  @ArrayMaxSize(maxAccounts, accountsHint)
  readonly accounts?: readonly unknown[];

  @Matches(corporateIdPattern, {
    message: 'Send 1 to 35 letters, digits, dots, hyphens or underscores.',
  })
  readonly corporateId?: string;

  @IsInt(signaturesHint)
  @Min(1, signaturesHint)
  @Max(maxSignatures, signaturesHint)
  readonly signaturesRequired?: number;
}
