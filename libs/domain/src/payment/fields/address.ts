import { type Failure, fail } from '../../failure/failures.js';
import { isJsonObject, getMember, unknownMembers } from '../../form/form-checks.js';
import { countryCodes } from '../../iban/countries.js';
import { isMaxText } from '../../text/text.js';
import { maxTextHint } from './max-text.js';

/** A part of an address: a text with at most `max` characters. */
interface AddressPart {
  readonly name: 'streetName' | 'buildingNumber' | 'townName' | 'postCode';
  readonly max: number;
  readonly mandatory: boolean;
}

/** The members of an address. The country is always mandatory. */
export interface AddressForm {
  readonly parts: readonly AddressPart[];
  /** Set if `addressLine`, a list of texts, may take the place of street and building number. */
  readonly lines?: { readonly most: number; readonly max: number };
}

const textFailures = (value: unknown, path: string, max: number): Failure[] =>
  isMaxText(value, max) ? [] : [fail('fieldMalformed', path, maxTextHint(max))];

function lineFailures(
  value: unknown,
  path: string,
  { most, max }: NonNullable<AddressForm['lines']>,
  isStructured: boolean,
): Failure[] {
  if (isStructured)
    return [
      fail('fieldMalformed', path, 'Send either streetName and buildingNumber or addressLine, not both.'),
    ];
  if (!Array.isArray(value) || value.length < 1 || value.length > most)
    return [fail('fieldMalformed', path, `Send an array of 1 to ${most} texts.`)];
  return value.flatMap((line: unknown, index) => textFailures(line, `${path}[${index}]`, max));
}

function countryFailures(country: unknown, path: string): Failure[] {
  if (country === undefined) return [fail('fieldMissing', path)];
  if (typeof country === 'string' && countryCodes.has(country)) return [];
  return [fail('fieldMalformed', path, 'Send the country as two capital letters of ISO 3166.')];
}

/** The check of an address: the violations in the order of its members. */
export const addressCheck =
  ({ parts, lines }: AddressForm) =>
  (value: unknown, path: string): Failure[] => {
    if (!isJsonObject(value)) {
      const mandatory = [...parts.filter((part) => part.mandatory).map(({ name }) => name), 'country'];
      return [fail('fieldMalformed', path, `Send an object with ${mandatory.join(' and ')}.`)];
    }
    const isStructured = ['streetName', 'buildingNumber'].some(
      (name) => getMember(value, name) !== undefined,
    );
    const addressLine = lines === undefined ? undefined : getMember(value, 'addressLine');
    return [
      ...parts.flatMap(({ name, max, mandatory }) => {
        const text = getMember(value, name);
        if (text === undefined) return mandatory ? [fail('fieldMissing', `${path}.${name}`)] : [];
        return textFailures(text, `${path}.${name}`, max);
      }),
      ...(lines === undefined || addressLine === undefined
        ? []
        : lineFailures(addressLine, `${path}.addressLine`, lines, isStructured)),
      ...countryFailures(getMember(value, 'country'), `${path}.country`),
      ...unknownMembers(
        value,
        [...parts.map(({ name }) => name), ...(lines === undefined ? [] : ['addressLine']), 'country'],
        path,
      ),
    ];
  };
