import { describe, expect, it } from '@jest/globals';
import type { Failure } from '@xs2a/domain/failure/failures';
import { isIban } from '@xs2a/domain/iban/iban';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import type { Schema } from '../openapi/schemas/schema-parts.js';

type Body = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

const ofForm = new Set([
  'fieldMissing',
  'fieldMalformed',
  'fieldUnknown',
  'fieldNotApplicable',
  'bodyNotJson',
]);
/** The failures of the format in the result of a validation. */
export const formFailures = (result: object): readonly Failure[] =>
  'failures' in result
    ? (result.failures as readonly Failure[]).filter(({ failure }) => ofForm.has(failure))
    : [];

/** A request body: valid examples, and the failures that validation finds in a body. */
export interface Subject {
  readonly name: string;
  readonly valid: readonly Body[];
  readonly failures: (body: Body) => readonly Failure[];
}

export const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), value);
/** Copies a value and replaces the part at a path. `undefined` removes the member, because JSON has no such value. */
const withValue = (value: unknown, [step, ...rest]: Path, put: unknown): unknown => {
  if (step === undefined) return put;
  const inner = withValue(Reflect.get(Object(value), step), rest, put);
  if (Array.isArray(value)) return value.map((one: unknown, index) => (index === step ? inner : one));
  const { [step]: _gone, ...others } = value as Body;
  return inner === undefined ? others : { ...(value as Body), [step]: inner };
};
const listPaths = (value: unknown, path: Path = []): Path[] =>
  typeof value === 'object' && value !== null
    ? [
        path,
        ...Object.entries(value).flatMap(([name, inner]) =>
          listPaths(inner, [...path, Array.isArray(value) ? Number(name) : name]),
        ),
      ]
    : [path];

const strange = [
  undefined,
  null,
  true,
  false,
  0,
  1,
  2,
  -1,
  1.5,
  2 ** 53,
  '',
  ' ',
  '\u3164',
  '\u115f',
  '\u2800',
  '\u0301',
  ' \u0301\ufe0f',
  'x\u0301',
  'x',
  'true',
  '1',
  [],
  {},
  [{}],
  { x: 1 },
  '0',
  '0.00',
  '0.001',
  '00.1',
  '1.',
  '.5',
  '1.2345',
  '1e3',
  '-1',
  '12,50',
  '123456789012345',
  '12345678901234',
  '2026-02-30',
  '2026-02-28',
  '2026-13-01',
  '2026-1-1',
  '2026-11-20T00:00:00Z',
  '0001-01-01',
  'BG',
  'bg',
  'ZZ',
  'BGN',
  'bgn',
  'GOVT',
  'NURG',
  'SEPA',
  'SHAR',
  '101%%',
  '101%%x',
  '711%1%x',
  '711%%x',
  '999%%x',
  '101%x',
  'DE89370400440532013000',
  'BG25XSBK9200100000000',
  'NO9386011117947',
  'DEUTDEFF',
  'DEUTDEFF500',
  'DEUTZZFF',
  'DEUTDE0F',
  'P',
  'PT',
  'PT1',
  'P1H',
  'P1DT',
  'PT1S1M',
] as const;
const lengths = [1, 2, 3, 6, 10, 30, 31, 34, 35, 36, 70, 71, 140, 141] as const;
/** Returns the same account number with the correct check digits. */
export const rightChecks = (iban: string): string =>
  Array.from(
    { length: 97 },
    (_one, index) => iban.slice(0, 2) + String(index + 2).padStart(2, '0') + iban.slice(4),
  ).find((one) => isIban(one)) ?? iban;
const manyAccounts = Array.from({ length: 101 }, (_one, index) => ({
  iban: rightChecks(`NO00${String(index).padStart(11, '0')}`),
}));

/** Returns variations of a value that its schema might wrongly accept or reject. */
const around = (value: unknown): unknown[] => [
  ...strange,
  ...lengths.flatMap((length) => ['x'.repeat(length), '1'.repeat(length), 'Ж'.repeat(length)]),
  ...(typeof value === 'string'
    ? [
        `${value}x`,
        `${value}1`,
        value.slice(0, -1),
        value.toLowerCase(),
        value.toUpperCase(),
        ` ${value}`,
        `${value}\n`,
        `${value}\u0000`,
        `${value}\u200b`,
        `\u202e${value}`,
        `${value}\ufeff`,
        [value],
        { value },
      ]
    : []),
  ...(Array.isArray(value)
    ? [
        [...value, ...value],
        Array.from({ length: 101 }, () => at(value, [0])),
        [...value, 'x'],
        manyAccounts,
        manyAccounts.slice(1),
      ]
    : []),
  ...(typeof value === 'object' && value !== null && !Array.isArray(value)
    ? [
        { ...value, x: 1 },
        { ...value, iban: 'DE89370400440532013000' },
        { ...value, bban: 'A1' },
        { ...value, currency: 'EUR' },
        { ...value, currency: 'eur' },
        { ...value, cashAccountType: 'CACC' },
        { ...value, cashAccountType: 'CACCX' },
        { ...value, taxPayerId: '7501020018' },
        { ...value, taxPayerType: 'EGN' },
        { ...value, ultimateDebtor: 'x' },
        { ...value, ultimateCreditor: 'x' },
        { ...value, requestedExecutionDate: '2027-01-01' },
        { ...value, debtorId: 'x' },
        { ...value, schemeNameCode: '' },
      ]
    : []),
];
/**
 * A rule that a schema cannot express: a path, and a function that returns true if validation may reject a body that
 * the schema accepts.
 */
export type BeyondSchema = readonly [RegExp, (value: unknown, body: Body) => boolean];

const splitPath = (path: string): Path =>
  path
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));

/**
 * The payment to which a path refers, and the path within that payment. The payment is an entry of a bulk payment,
 * or the body itself.
 */
const paymentAt = (path: string, body: Body): { readonly inner: string; readonly payment: Body } => {
  const [, index, inner] = /^payments\[(\d+)\]\.(.+)$/.exec(path) ?? [];
  return inner === undefined
    ? { inner: path, payment: body }
    : { inner, payment: Object(at(body, ['payments', Number(index)])) };
};

/** Describes a disagreement between schema and validation; undefined if they agree. */
const difference = (
  subject: Subject,
  isValid: ValidateFunction,
  body: Body,
  beyondSchema: readonly BeyondSchema[],
): string | undefined => {
  const sent = JSON.parse(JSON.stringify(body)) as Body;
  const failures = subject.failures(sent);
  const bySchema = isValid(sent);
  if (bySchema && failures.length > 0) {
    const isBeyond = failures.every(({ path = '' }) => {
      const { inner, payment } = paymentAt(path, sent);
      return beyondSchema.some(
        ([where, may]) => where.test(inner) && may(at(payment, splitPath(inner)), payment),
      );
    });
    return isBeyond ? undefined : `the schema takes ${JSON.stringify(sent)}: ${JSON.stringify(failures)}`;
  }
  if (!bySchema && failures.length === 0)
    return `the schema refuses ${JSON.stringify(sent)}: ${JSON.stringify(isValid.errors)}`;
  return undefined;
};

/** Tests that the schemas accept exactly the bodies that validation accepts, apart from `beyondSchema`. */
export const describeStrictness = (
  title: string,
  schemas: Readonly<Record<string, Schema>>,
  subjects: readonly Subject[],
  beyondSchema: readonly BeyondSchema[],
): void => {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', components: { schemas } });
  const compileSchema = (name: string): ValidateFunction =>
    ajv.compile({ $ref: `document#/components/schemas/${name}` });
  const differenceIn = (subject: Subject, isValid: ValidateFunction, body: Body): string | undefined =>
    difference(subject, isValid, body, beyondSchema);
  describe(title, () => {
    it.each(subjects)('are as strict as validation at the limits: $name', (subject) => {
      const isValid = compileSchema(subject.name);
      const found = subject.valid.flatMap((valid) => [
        differenceIn(subject, isValid, valid),
        ...listPaths(valid)
          .filter((path) => path.length > 0)
          .flatMap((path) =>
            around(at(valid, path)).map((put) =>
              differenceIn(subject, isValid, withValue(valid, path, put) as Body),
            ),
          ),
        differenceIn(subject, isValid, { ...valid, x: 1 }),
      ]);
      for (const valid of subject.valid) expect(subject.failures(valid)).toEqual([]);
      expect(found.length).toBeGreaterThan(100);
      expect(found.filter((one) => one !== undefined)).toEqual([]);
    });

    it.each(subjects)('are as strict as validation when two values change at once: $name', (subject) => {
      const isValid = compileSchema(subject.name);
      const change = fc.record({ path: fc.nat(), put: fc.nat() });
      fc.assert(
        fc.property(
          fc.constantFrom(...subject.valid),
          fc.array(change, { minLength: 1, maxLength: 3 }),
          (valid, changes) => {
            const body = changes.reduce<Body>((sent, { path, put }) => {
              const paths = listPaths(sent).filter((one) => one.length > 0);
              const where = paths[path % paths.length];
              if (where === undefined) return sent;
              const values = around(at(sent, where));
              return withValue(sent, where, values[put % values.length]) as Body;
            }, valid);
            expect(differenceIn(subject, isValid, body)).toBeUndefined();
          },
        ),
        { numRuns: 500 },
      );
    });
  });
};
