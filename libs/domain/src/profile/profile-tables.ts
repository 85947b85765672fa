import { isJsonObject, type JsonObject, getMember } from '../form/form-checks.js';
import { countryCodes } from '../iban/countries.js';
import { isBic } from '../iban/bic.js';
import { ibanLengths } from '../iban/iban-lengths.js';
import { addDays, isIsoDate } from '../time/bank-calendar.js';
import type { StandardName } from '../payment/standards/standard-name.js';
import { computedHolidays, type HolidayCalendar, holidayCalendars } from '../time/holiday-calendars.js';

/** The accounts that can be reached by a SEPA credit transfer (spec 1.9). */
export interface SepaReachability {
  /** ISO 3166 country codes, as at the start of an IBAN. */
  readonly countries: ReadonlySet<string>;
  /** The first eight characters of the BICs of banks in those countries that cannot be reached by SEPA. */
  readonly exceptBanks: ReadonlySet<string>;
}

/** The European Economic Area, which determines the allowed charge bearers (contract 8). */
export interface Eea {
  readonly countries: ReadonlySet<string>;
  readonly currencies: ReadonlySet<string>;
}

/**
 * Tables that a bank can update without a new software release. Each is a separate file, named in the profile
 * (contract 8).
 */
export interface ProfileTables {
  readonly sepa: SepaReachability;
  readonly eea: Eea;
  /** The accounts that an instant transfer reaches. Present in the euro standard (contract E2.1). */
  readonly instant?: SepaReachability;
  /** ISO dates that are not banking days if `bankingDays` is `weekdays`. */
  readonly holidays: readonly string[];
  /**
   * The last day covered by a table without a computed calendar; later holidays are unknown. Absent if the
   * calendar is computed.
   */
  readonly holidaysUntil?: string;
}

export const tableFields = [
  'sepa',
  'instant',
  'eea',
  'holidays',
] as const satisfies readonly (keyof ProfileTables)[];
type TableField = (typeof tableFields)[number];

/** Reads a JSON file in the profile folder, by name. */
export type FileBeside = (name: string) => unknown;

interface Column {
  readonly name: string;
  readonly expected: string;
  readonly mayBeEmpty?: boolean;
  readonly mayBeAbsent?: boolean;
  isItem(value: unknown): value is string;
}
const text =
  (test: (value: string) => boolean) =>
  (value: unknown): value is string =>
    typeof value === 'string' && test(value);
const countries = (test: (value: string) => boolean) => ({
  name: 'countries' as const,
  expected: 'a list of ISO 3166 codes, each once, not empty',
  isItem: text((value) => countryCodes.has(value) && test(value)),
});

const isCalendar = (value: unknown): value is HolidayCalendar =>
  holidayCalendars.some((calendar) => calendar === value);
const dates = <Name extends string>(name: Name) => ({
  name,
  expected: 'a list of ISO dates, each once',
  mayBeEmpty: true,
  mayBeAbsent: true,
  isItem: (value: unknown): value is string => isIsoDate(value),
});

/** The accounts that a transfer reaches. */
const reach = [
  countries((country) => Object.hasOwn(ibanLengths, country)),
  {
    name: 'exceptBanks',
    expected: 'a list of BICs of eight characters, each once',
    mayBeEmpty: true,
    isItem: text((value) => value.length === 8 && isBic(value)),
  },
] as const satisfies readonly Column[];

/** The lists in each table. */
const columns = {
  sepa: reach,
  instant: reach,
  eea: [
    countries(() => true),
    {
      name: 'currencies',
      expected: 'a list of ISO 4217 codes, each once, not empty',
      isItem: text((value) => /^[A-Z]{3}$/.test(value)),
    },
  ],
  holidays: [
    {
      name: 'calendars',
      expected: `a list of ${holidayCalendars.join(' and ')}, each once`,
      mayBeEmpty: true,
      mayBeAbsent: true,
      isItem: isCalendar,
    },
    dates('closed'),
    dates('open'),
    // The former name of `closed`, used before calendars were computed.
    dates('days'),
  ],
} as const satisfies Readonly<Record<TableField, readonly Column[]>>;

const wrong = (place: string, expected: string): Error =>
  new Error(`Profile field "${place}" must be ${expected}.`);

/**
 * Validates that a table states its subject, source and date, so that a reader can tell whether it is still up to
 * date; throws an error otherwise.
 */
function checkOrigin(table: JsonObject, place: string): void {
  for (const name of ['about', 'source']) {
    const value = getMember(table, name);
    if (typeof value !== 'string' || value.trim() === '') throw wrong(`${place}.${name}`, 'a sentence');
  }
  if (!isIsoDate(getMember(table, 'asOf'))) throw wrong(`${place}.asOf`, 'the ISO date of the source');
}

const tableName = /^tables\/[a-z0-9-]+\.json$/;

/** The lists in one table, by name. */
function parseLists<Field extends TableField>(
  profile: JsonObject,
  field: Field,
  fileBeside: FileBeside,
): (name: (typeof columns)[Field][number]['name']) => readonly string[] {
  const name = getMember(profile, field);
  if (typeof name !== 'string' || !tableName.test(name)) throw wrong(field, 'a file such as tables/eea.json');
  const table = fileBeside(name);
  if (!isJsonObject(table)) throw wrong(field, 'a file that holds one JSON object');
  checkOrigin(table, field);
  const wanted: readonly Column[] = columns[field];
  const known = ['about', 'source', 'asOf', ...wanted.map((column) => column.name)];
  const other = Object.keys(table).find((member) => !known.includes(member));
  if (other !== undefined) throw wrong(`${field}.${other}`, `absent; known fields are ${known.join(', ')}`);
  const lists = new Map(wanted.map((column) => [column.name, parseList(table, column, field)]));
  return (column) => lists.get(column) ?? [];
}

function parseList(table: JsonObject, column: Column, field: string): readonly string[] {
  const value = getMember(table, column.name);
  if (value === undefined && column.mayBeAbsent === true) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [undefined];
  const isRight = items.every(column.isItem) && new Set(items).size === items.length;
  if (!isRight || (items.length === 0 && column.mayBeEmpty !== true))
    throw wrong(`${field}.${column.name}`, column.expected);
  return items.filter(column.isItem);
}

function parseHolidays(
  list: (name: (typeof columns)['holidays'][number]['name']) => readonly string[],
): Pick<ProfileTables, 'holidays' | 'holidaysUntil'> {
  const calendars = list('calendars').filter(isCalendar);
  const closed = [...list('closed'), ...list('days')];
  const open = new Set(list('open'));
  const all = new Set([...calendars.flatMap(computedHolidays), ...closed]);
  const holidays = [...all].filter((day) => !open.has(day)).sort();
  const last = closed.toSorted().at(-1);
  return calendars.length > 0 || last === undefined ? { holidays } : { holidays, holidaysUntil: last };
}

/** Orders are planned at least this many days ahead, and a bank needs time to obtain the new list of holidays. */
const warnDaysBefore = 400;

/**
 * Returns a warning for the operator if the holiday table ends within 400 days of `today` (ISO date), otherwise
 * undefined.
 */
export const holidaysEnd = (
  { holidaysUntil }: Pick<ProfileTables, 'holidaysUntil'>,
  today: string,
): string | undefined =>
  holidaysUntil === undefined || addDays(today, warnDaysBefore) < holidaysUntil
    ? undefined
    : `the holiday table ends on ${holidaysUntil}: every weekday after it counts as a banking day`;

/**
 * Reads the tables named in a profile. The euro standard has one more, `instant`.
 * @throws Error that names the first invalid field and the value required.
 */
export function parseProfileTables(
  profile: JsonObject,
  fileBeside: FileBeside,
  standard: StandardName,
): ProfileTables {
  const [sepa, eea, holidays] = [
    parseLists(profile, 'sepa', fileBeside),
    parseLists(profile, 'eea', fileBeside),
    parseLists(profile, 'holidays', fileBeside),
  ];
  const reachIn = (list: typeof sepa): SepaReachability => ({
    countries: new Set(list('countries')),
    exceptBanks: new Set(list('exceptBanks')),
  });
  return {
    sepa: reachIn(sepa),
    ...(standard === 'euro' ? { instant: reachIn(parseLists(profile, 'instant', fileBeside)) } : {}),
    eea: { countries: new Set(eea('countries')), currencies: new Set(eea('currencies')) },
    ...parseHolidays(holidays),
  };
}
