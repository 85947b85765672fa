import { type Failure, fail, listFailures } from '../failure/failures.js';
import {
  ibanReferenceFailures,
  isJsonObject,
  type JsonObject,
  getMember,
  unknownMembers,
} from '../form/form-checks.js';
import type { Profile } from '../profile/profile.js';
import { isMaxText } from '../text/text.js';
import { addDays, isIsoDate } from '../time/bank-calendar.js';
import {
  type AccessType,
  type AccountAccess,
  type AccountReference,
  accessTypes,
  type ConsentEvent,
} from './consent-events.js';

/** `today` is an ISO date in the bank's zone. */
export interface ConsentRules {
  readonly profile: Profile;
  readonly today: string;
}

/** The values of a valid body: the members of a `created` event that the TPP sets. */
export type ValidConsent = Pick<
  Extract<ConsentEvent, { type: 'created' }>['data'],
  | 'access'
  | 'psuPicksAccounts'
  | 'recurringIndicator'
  | 'validUntil'
  | 'frequencyPerDay'
  | 'combinedServiceIndicator'
>;

/** The members of the body of POST /consents. */
export const consentMembers = [
  'access',
  'recurringIndicator',
  'validUntil',
  'frequencyPerDay',
  'combinedServiceIndicator',
] as const;

/** Maximum number of account references in one array. */
const maxReferences = 100;

const accessHint =
  'Fill every array that you send with IBANs, or send accounts, balances and transactions, all empty.';

/** Validates the headers of POST /consents that name the PSU (spec 2.1). */
export function consentHeaderFailure(headers: {
  readonly psuId?: string;
  readonly psuCorporateId?: string;
}): Failure | undefined {
  const hint = 'Send PSU-ID or PSU-Corporate-ID, 1 to 100 characters.';
  if (headers.psuId === undefined && headers.psuCorporateId === undefined)
    return fail('headerMalformed', 'PSU-ID', hint);
  if (headers.psuId !== undefined && !isMaxText(headers.psuId, 100))
    return fail('headerMalformed', 'PSU-ID', hint);
  const corporate = headers.psuCorporateId;
  if (corporate !== undefined && !isMaxText(corporate, 100))
    return fail('headerMalformed', 'PSU-Corporate-ID', hint);
  return undefined;
}

const readIban = (reference: unknown): unknown =>
  isJsonObject(reference) ? getMember(reference, 'iban') : undefined;

function referencesFailures(references: readonly unknown[], path: string): Failure[] {
  if (references.length > maxReferences) {
    return [fail('fieldMalformed', path, `Name at most ${maxReferences} accounts.`)];
  }
  const ibans = references.map(readIban);
  return references.flatMap((reference, index) => {
    const at = `${path}[${index}]`;
    const wrong = ibanReferenceFailures(reference, at);
    if (wrong.length > 0 || ibans.indexOf(ibans[index]) === index) return wrong;
    return [fail('fieldMalformed', `${at}.iban`, 'Name each account only once in an array.')];
  });
}

function accessFailures(access: unknown): Failure[] {
  if (access === undefined) return [fail('fieldMissing', 'access')];
  if (!isJsonObject(access)) return [fail('fieldMalformed', 'access', accessHint)];
  const sent = accessTypes.filter((type) => getMember(access, type) !== undefined);
  const notArrays = sent.filter((type) => !Array.isArray(getMember(access, type)));
  const lengths = sent.map((type) => readArray(access, type).length);
  const allFilled = sent.length > 0 && lengths.every((length) => length > 0);
  const allThreeEmpty = sent.length === accessTypes.length && lengths.every((length) => length === 0);
  const malformed =
    notArrays.length > 0
      ? notArrays.map((type) =>
          fail('fieldMalformed', `access.${type}`, 'Send an array of account references.'),
        )
      : allFilled || allThreeEmpty
        ? []
        : [fail('fieldMalformed', 'access', accessHint)];
  return [
    ...malformed,
    ...sent.flatMap((type) => referencesFailures(readArray(access, type), `access.${type}`)),
    ...unknownMembers(access, accessTypes, 'access'),
  ];
}

function readArray(access: JsonObject, type: AccessType): readonly unknown[] {
  const value = getMember(access, type);
  return Array.isArray(value) ? value : [];
}

const booleans = new Map<unknown, boolean>([
  [true, true],
  [false, false],
]);
const booleansOrTheirNames = new Map<unknown, boolean>([...booleans, ['true', true], ['false', false]]);

function fieldFailure(
  body: JsonObject,
  name: string,
  hint: string,
  admits: (value: unknown) => boolean,
): Failure[] {
  const value = getMember(body, name);
  if (value === undefined) return [fail('fieldMissing', name)];
  return admits(value) ? [] : [fail('fieldMalformed', name, hint)];
}

const isFrequency = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 1;

function bodyFailures(body: JsonObject, today: string): Failure[] {
  const isOneOff = getMember(body, 'recurringIndicator') === false;
  const onceHint = 'A consent that is not recurring must have frequencyPerDay 1.';
  return [
    ...accessFailures(getMember(body, 'access')),
    ...fieldFailure(body, 'recurringIndicator', 'Send true or false.', (value) => booleans.has(value)),
    ...fieldFailure(
      body,
      'validUntil',
      'Send today or a later day as YYYY-MM-DD.',
      (value) => isIsoDate(value) && value >= today,
    ),
    ...fieldFailure(
      body,
      'frequencyPerDay',
      isOneOff ? onceHint : 'Send a whole number of at least 1.',
      (value) => isFrequency(value) && (!isOneOff || value === 1),
    ),
    ...fieldFailure(body, 'combinedServiceIndicator', 'Send true or false.', (value) =>
      booleansOrTheirNames.has(value),
    ),
    ...unknownMembers(body, consentMembers, ''),
  ];
}

/** Parses a well-formed account reference. */
function referenceFrom(reference: unknown): AccountReference[] {
  if (!isJsonObject(reference)) return [];
  const [iban, currency, cashAccountType] = ['iban', 'currency', 'cashAccountType'].map((name) =>
    getMember(reference, name),
  );
  if (typeof iban !== 'string') return [];
  return [
    {
      iban,
      currency: typeof currency === 'string' ? currency : undefined,
      cashAccountType: typeof cashAccountType === 'string' ? cashAccountType : undefined,
    },
  ];
}

function parseAccess(access: unknown): AccountAccess {
  if (!isJsonObject(access)) return {};
  const sent = accessTypes.filter((type) => getMember(access, type) !== undefined);
  return Object.fromEntries(sent.map((type) => [type, readArray(access, type).flatMap(referenceFrom)]));
}

/**
 * Validates the body of POST /consents (spec 2.1, contract 5) and returns all violations together. On success,
 * returns the effective values, limited to the profile's calls per day and number of days ahead.
 */
export function validateConsent(
  body: unknown,
  { profile, today }: ConsentRules,
): { readonly valid: ValidConsent } | { readonly failures: readonly Failure[] } {
  if (!isJsonObject(body)) return { failures: [fail('bodyNotJson')] };
  const failures = listFailures(bodyFailures(body, today));
  if (failures.length > 0) return { failures };
  const access = parseAccess(getMember(body, 'access'));
  const [asked, latest] = [String(getMember(body, 'validUntil')), addDays(today, profile.consentMaxDays)];
  return {
    valid: {
      access,
      psuPicksAccounts: accessTypes.every((type) => access[type]?.length === 0),
      recurringIndicator: getMember(body, 'recurringIndicator') === true,
      validUntil: asked < latest ? asked : latest,
      frequencyPerDay: Math.min(Number(getMember(body, 'frequencyPerDay')), profile.unattendedPerDay),
      combinedServiceIndicator:
        booleansOrTheirNames.get(getMember(body, 'combinedServiceIndicator')) === true,
    },
  };
}
