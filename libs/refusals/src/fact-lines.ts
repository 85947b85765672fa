import type { FieldFacts } from './described-requests.js';

const range = (low: number | undefined, high: number | undefined, unit: string): string | undefined => {
  if (low === undefined && high === undefined) return undefined;
  const limits =
    low === undefined ? `at most ${high}` : high === undefined ? `at least ${low}` : `${low} to ${high}`;
  return `${limits}${unit}`;
};

/** What is known of a field as pairs of a name and a value, such as `type` and `string`. */
export const factPairs = (facts: FieldFacts): readonly (readonly [name: string, value: string])[] => {
  const { type, format, pattern, minLength, maxLength, minimum, maximum, minItems, maxItems } = facts;
  const { values, valuesCount, members, required, description } = facts;
  const pairs: readonly (readonly [string, string | undefined])[] = [
    ['meaning', description],
    ['mandatory', required === true ? 'yes' : undefined],
    ['type', type && [type, ...(format === undefined ? [] : [format])].join(', ')],
    ['length', range(minLength, maxLength, ' characters')],
    ['value', range(minimum, maximum, '')],
    ['elements', range(minItems, maxItems, '')],
    ['pattern', pattern],
    [
      'one of',
      values?.join(', ') ??
        (valuesCount === undefined ? undefined : `${valuesCount} values, listed in /docs`),
    ],
    ['members', members?.map((name) => name.replace('?', ' (optional)')).join(', ')],
  ];
  return pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
};
