import { type Failure, fail } from '../failure/failures.js';
import { isIban } from '../iban/iban.js';

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns an object's own member, never an inherited one. */
export const getMember = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const plainName = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/**
 * Returns `parent.name`, or only the parent if the name could not be a field name, because such a name is never
 * echoed.
 */
function joinPath(parent: string, name: string): string | undefined {
  if (!plainName.test(name)) return parent === '' ? undefined : parent;
  return parent === '' ? name : `${parent}.${name}`;
}

/** Returns one `fieldUnknown` failure for each unknown member. */
export const unknownMembers = (object: JsonObject, known: readonly string[], parent: string): Failure[] =>
  Object.keys(object)
    .filter((name) => !known.includes(name))
    .map((name) => fail('fieldUnknown', joinPath(parent, name)));

const currencyPattern = /^[A-Z]{3}$/;
const cashAccountTypePattern = /^[A-Z]{4}$/;
export const ibanHint = 'Send an IBAN without spaces, in capital letters, with correct check digits.';

/** Validates the optional members of a Berlin Group account reference. */
export function accountReferenceExtras(reference: JsonObject, path: string): Failure[] {
  const currency = getMember(reference, 'currency');
  const type = getMember(reference, 'cashAccountType');
  const found: Failure[] = [];
  if (currency !== undefined && !(typeof currency === 'string' && currencyPattern.test(currency))) {
    found.push(
      fail('fieldMalformed', `${path}.currency`, 'Send the currency as three capital letters of ISO 4217.'),
    );
  }
  if (type !== undefined && !(typeof type === 'string' && cashAccountTypePattern.test(type))) {
    found.push(
      fail(
        'fieldMalformed',
        `${path}.cashAccountType`,
        'Send the account type as its ISO 20022 code, such as CACC.',
      ),
    );
  }
  return found;
}

/** Validates an account reference that must contain an IBAN: `{iban, currency?, cashAccountType?}`. */
export function ibanReferenceFailures(value: unknown, path: string): Failure[] {
  if (!isJsonObject(value)) return [fail('fieldMalformed', path, 'Send an object with iban.')];
  const iban = getMember(value, 'iban');
  const found: Failure[] = [];
  if (iban === undefined) found.push(fail('fieldMissing', `${path}.iban`));
  else if (!isIban(iban)) found.push(fail('fieldMalformed', `${path}.iban`, ibanHint));
  return [
    ...found,
    ...accountReferenceExtras(value, path),
    ...unknownMembers(value, ['iban', 'currency', 'cashAccountType'], path),
  ];
}
