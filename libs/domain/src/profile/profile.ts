import { isJsonObject, type JsonObject, getMember } from '../form/form-checks.js';
import { findCurrency } from '../money/currencies.js';
import type { PaymentProduct } from '../payment/payment-products.js';
import type { StandardName } from '../payment/standards/standard-name.js';
import { paymentStandards } from '../payment/standards/standards.js';
import { isIsoDate } from '../time/bank-calendar.js';
import { type BankBrand, parseBankBrand } from './bank-brand.js';
import { refuseLev } from './euro-profile.js';
import { parsePriceList, priceFields, type PriceList } from './price-list.js';
import { type FileBeside, parseProfileTables, type ProfileTables, tableFields } from './profile-tables.js';

/** Features that spec 1.7 offers only in the sandbox. A bank enables each one by name. */
export const optionalFeatures = [
  'recurring-payments',
  'bulk-payments',
  'signing-baskets',
  'multilevel-sca',
] as const;
type OptionalFeature = (typeof optionalFeatures)[number];

/** What the name of a profile states: whether it is for tests, and the standard for its payments (contract E1.1). */
const kinds = {
  sandbox: { environment: 'sandbox', standard: 'lev' },
  production: { environment: 'production', standard: 'lev' },
  'bg-euro': { environment: 'sandbox', standard: 'euro' },
  'bg-euro-production': { environment: 'production', standard: 'euro' },
} as const satisfies Readonly<
  Record<string, { readonly environment: 'sandbox' | 'production'; readonly standard: StandardName }>
>;
export type ProfileName = keyof typeof kinds;
export const profileNames = Object.keys(kinds) as readonly ProfileName[];

/**
 * The rules that differ by environment. Each environment has one data file with its tables, which is read and
 * validated at startup (contract 8). Durations are in seconds.
 */
export interface Profile extends PriceList, ProfileTables {
  readonly name: ProfileName;
  /** Follows from the name. */
  readonly environment: 'sandbox' | 'production';
  /** The standard for payments, which follows from the name. */
  readonly standard: StandardName;
  /** The bank's name, colours, logo, phone and links on the pages. */
  readonly bank: BankBrand;
  /** ISO 4217 code of the currency of fees, rates and periodic payments. */
  readonly homeCurrency: string;
  /** ISO 4217 codes of the payment currencies (spec 1.6). */
  readonly currencies: readonly string[];
  /** The payment products offered. A path with any other product is refused with productUnknown. */
  readonly products: readonly PaymentProduct[];
  /** The optional features that are enabled (spec 1.7); others are refused. */
  readonly offers: readonly OptionalFeature[];
  /** The IANA time zone in which the bank's days are counted. */
  readonly timeZone: string;
  /** The bank's banking days: every day, or Monday to Friday except `holidays`. */
  readonly bankingDays: 'every-day' | 'weekdays';
  /**
   * Local time `HH:MM` from which a payment for today waits for the next banking day. If absent, there is no
   * cut-off.
   */
  readonly cutOff?: string;
  /** The ISO date on which payments in BGN ended. Present in the euro standard. */
  readonly levEnd?: string;
  /** Whether the pages verify the payee before the PSU signs (contract E4.1). Always off in the lev standard. */
  readonly payeeVerification: 'page' | 'off';
  /** Time from signature to settlement of a payment for today (spec 8). */
  readonly settlementDelaySeconds: number;
  /** Time from the pending entry to the booked one (spec 8). */
  readonly bookingDelaySeconds: number;
  /** Time from the POST of a payment until the payment is rejected if unsigned. */
  readonly authorisationSeconds: number;
  /** Time from the POST of a consent until the consent is rejected if not authorised. */
  readonly consentAuthorisationSeconds: number;
  /** The latest effective validUntil, in days from today. */
  readonly consentMaxDays: number;
  /** Time from the first use of a one-off consent to its expiry. */
  readonly oneOffConsentSeconds: number;
  /** Maximum number of calls in 24 hours without the PSU present, per endpoint and account (spec 8). */
  readonly unattendedPerDay: number;
  readonly authorizationCodeSeconds: number;
  readonly userTokenSeconds: number;
  readonly applicationTokenSeconds: number;
  readonly refreshTokenSeconds: number;
}

const durations = [
  'settlementDelaySeconds',
  'bookingDelaySeconds',
  'authorisationSeconds',
  'consentAuthorisationSeconds',
  'consentMaxDays',
  'oneOffConsentSeconds',
  'unattendedPerDay',
  'authorizationCodeSeconds',
  'userTokenSeconds',
  'applicationTokenSeconds',
  'refreshTokenSeconds',
] as const satisfies readonly (keyof Profile)[];
const others = [
  'name',
  'bank',
  'currencies',
  'products',
  'offers',
  'timeZone',
  'bankingDays',
  'cutOff',
  'levEnd',
  'payeeVerification',
] as const;
const fields: readonly string[] = [...others, ...tableFields, ...priceFields, ...durations];

const wrong = (field: string, expected: string): Error =>
  new Error(`Profile field "${field}" must be ${expected}.`);

function oneOf<T extends string>(json: JsonObject, field: string, allowed: readonly T[]): T {
  const value = getMember(json, field);
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw wrong(field, `one of ${allowed.join(', ')}`);
  return found;
}

function parseList<T extends string>(
  json: JsonObject,
  field: string,
  expected: string,
  isItem: (value: unknown) => value is T,
): readonly T[] {
  const value = getMember(json, field);
  if (!Array.isArray(value) || !value.every(isItem) || new Set(value).size !== value.length)
    throw wrong(field, expected);
  return value;
}

function positive(json: JsonObject, field: string): number {
  const value = getMember(json, field);
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1)
    throw wrong(field, 'a whole number above zero');
  return value;
}

function parseTimeZone(json: JsonObject): string {
  const value = getMember(json, 'timeZone');
  try {
    if (typeof value !== 'string') throw new RangeError('not text');
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    throw wrong('timeZone', 'an IANA time zone such as Europe/Sofia');
  }
}

function parseCutOff(json: JsonObject): string | undefined {
  const value = getMember(json, 'cutOff');
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !/^([01]\d|2[0-3]):[0-5]\d$/.test(value))
    throw wrong('cutOff', 'a time of day HH:MM');
  return value;
}

function parseBank(json: JsonObject): BankBrand {
  const bank = parseBankBrand(getMember(json, 'bank'));
  if (bank === undefined)
    throw wrong(
      'bank',
      'bic, name {bg, en}, colour and colourOnDark as #rrggbb with a contrast of 4.5, phone, logoFile (svg, png), and if wanted favicon (svg, png, ico), helpUrl and privacyUrl (https or a path)',
    );
  return bank;
}

const isCurrency = (value: unknown): value is string =>
  typeof value === 'string' && findCurrency(value) !== undefined;
const isFeature = (value: unknown): value is OptionalFeature =>
  optionalFeatures.some((feature) => feature === value);

/** Only the euro standard has these fields. */
function parseEuroFields(
  json: JsonObject,
  standard: StandardName,
): Pick<Profile, 'levEnd' | 'payeeVerification'> {
  if (standard === 'lev') {
    const other = ['levEnd', 'payeeVerification', 'instant'].find(
      (field) => getMember(json, field) !== undefined,
    );
    if (other !== undefined) throw wrong(other, 'absent before the euro');
    return { payeeVerification: 'off' };
  }
  const levEnd = getMember(json, 'levEnd');
  if (typeof levEnd !== 'string' || !isIsoDate(levEnd)) throw wrong('levEnd', 'an ISO date');
  return { levEnd, payeeVerification: oneOf(json, 'payeeVerification', ['page', 'off']) };
}

/**
 * Parses the profile of an environment from the JSON of its file, and reads its tables with `fileBeside`.
 * @throws Error that names the first invalid field and the value required.
 */
export function parseProfile(json: unknown, fileBeside: FileBeside): Profile {
  if (!isJsonObject(json)) throw new Error('The profile must be one JSON object.');
  const unknown = Object.keys(json).find((name) => !fields.includes(name));
  if (unknown !== undefined)
    throw new Error(`Profile field "${unknown}" is unknown. Known fields: ${fields.join(', ')}.`);
  const name = oneOf(json, 'name', profileNames);
  const { environment, standard } = kinds[name];
  const { products, homeCurrency } = paymentStandards[standard];
  const isProduct = (value: unknown): value is PaymentProduct =>
    products.some((product) => product === value);
  const head = {
    name,
    environment,
    standard,
    homeCurrency,
    bank: parseBank(json),
    currencies: parseList(json, 'currencies', 'a list of currency codes of spec 1.6, each once', isCurrency),
    products: parseList(json, 'products', `a list of ${products.join(', ')}, each once`, isProduct),
    offers: parseList(json, 'offers', `a list of ${optionalFeatures.join(', ')}, each once`, isFeature),
    timeZone: parseTimeZone(json),
    bankingDays: oneOf(json, 'bankingDays', ['every-day', 'weekdays']),
    cutOff: parseCutOff(json),
    ...parseEuroFields(json, standard),
    ...parseProfileTables(json, fileBeside, standard),
    ...parsePriceList(json, products),
  };
  if (head.currencies.length === 0) throw wrong('currencies', 'not empty');
  if (standard === 'euro') refuseLev(head);
  return {
    ...head,
    settlementDelaySeconds: positive(json, 'settlementDelaySeconds'),
    bookingDelaySeconds: positive(json, 'bookingDelaySeconds'),
    authorisationSeconds: positive(json, 'authorisationSeconds'),
    consentAuthorisationSeconds: positive(json, 'consentAuthorisationSeconds'),
    consentMaxDays: positive(json, 'consentMaxDays'),
    oneOffConsentSeconds: positive(json, 'oneOffConsentSeconds'),
    unattendedPerDay: positive(json, 'unattendedPerDay'),
    authorizationCodeSeconds: positive(json, 'authorizationCodeSeconds'),
    userTokenSeconds: positive(json, 'userTokenSeconds'),
    applicationTokenSeconds: positive(json, 'applicationTokenSeconds'),
    refreshTokenSeconds: positive(json, 'refreshTokenSeconds'),
  };
}
