import { isEik } from '@xs2a/domain/identifiers/eik';
import { isMaxText } from '@xs2a/domain/text/text';
import { ArrayMaxSize, IsArray, IsBoolean, ValidateBy } from 'class-validator';
import { IsAmount, NewAccountDto } from './new-account.dto.js';
import { IsMaxText, NewPsuDto } from './new-psu.dto.js';

const maxNames = 10;
const maxNameLength = 140;
const namesHint = {
  message: `Send a list of at most ${maxNames} names of 1 to ${maxNameLength} characters.`,
};

const AreNames = (): PropertyDecorator =>
  ValidateBy(
    {
      name: 'areNames',
      validator: {
        validate: (value) => !Array.isArray(value) || value.every((name) => isMaxText(name, maxNameLength)),
      },
    },
    namesHint,
  );

/** An account in the body of `POST /sandbox/psus` at a bank in euro (contract E8.4). */
export class EuroAccountDto extends NewAccountDto {
  /** The highest amount of an instant payment that the PSU allows, in major units. */
  @IsAmount()
  readonly instantLimit?: string;

  /** The names of the other holders of the account. */
  @IsArray(namesHint)
  @ArrayMaxSize(maxNames, namesHint)
  @AreNames()
  readonly holders?: readonly string[];
}

/** The body of `POST /sandbox/psus` at a bank in euro. The members added here describe a new corporate. */
export class EuroPsuDto extends NewPsuDto {
  @IsMaxText(maxNameLength, `Send a name of 1 to ${maxNameLength} characters.`)
  readonly corporateName?: string;

  /** The Latin and trading names of the corporate. */
  @IsArray(namesHint)
  @ArrayMaxSize(maxNames, namesHint)
  @AreNames()
  readonly otherNames?: readonly string[];

  @ValidateBy(
    { name: 'isEik', validator: { validate: (value) => typeof value === 'string' && isEik(value) } },
    { message: 'Send an EIK of 9 or 13 digits, with right check digits.' },
  )
  readonly eik?: string;

  @IsBoolean({ message: 'Send true or false.' })
  readonly payeeVerificationOptOut?: boolean;
}

/** The members that only a body with a new corporate id may have. */
export const corporateMembers = [
  'corporateName',
  'otherNames',
  'eik',
  'payeeVerificationOptOut',
] as const satisfies readonly (keyof EuroPsuDto)[];
