import {
  consentId,
  exampleDay,
  newPsuId,
  paymentId,
  sandboxRedirectUri,
} from '@xs2a/gateway/openapi/examples';
import { dayVariable } from './collection.js';

/** Ids in the examples that a request gets from an earlier answer. */
const idVariables: Readonly<Record<string, string>> = {
  [paymentId]: 'paymentId',
  [consentId]: 'consentId',
  [newPsuId]: 'newPsuId',
};
/** The variables of the reference that are not named after their field. */
const named: Readonly<Record<string, string>> = {
  $KEY: '$guid',
  $X_REQUEST_ID: '$guid',
  $X_REQUEST_TIMESTAMP: 'now',
  $TOKEN: 'issuedToken',
};
const isoDate = /\b\d{4}-\d{2}-\d{2}\b/g;

const variable = (name: string): string => `{{${name}}}`;

/** Replaces the variables of the reference (`$PAYMENT_ID`) by those of a collection (`{{paymentId}}`). */
export const withVariables = (text: string): string =>
  text.replaceAll(/\$[A-Z][A-Z_]*/g, (name) =>
    variable(
      named[name] ??
        name
          .slice(1)
          .toLowerCase()
          .replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    ),
  );

/** Returns how many days after {@link exampleDay} a date of the examples is. */
const daysOf = (date: string): number => (Date.parse(date) - Date.parse(exampleDay)) / 86_400_000;

/** Copies an example body with variables instead of its dates, the redirect URI, and ids that come from earlier answers. */
export const withVariablesIn = (example: unknown): unknown => {
  if (typeof example === 'string') {
    const id = idVariables[example];
    return id === undefined
      ? example
          .replace(sandboxRedirectUri, variable('redirectUri'))
          .replaceAll(isoDate, (date) => variable(dayVariable(daysOf(date))))
      : variable(id);
  }
  if (Array.isArray(example)) return example.map(withVariablesIn);
  if (typeof example !== 'object' || example === null) return example;
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, withVariablesIn(value)]));
};

/** Lists the distances in days of the dates in an example body from the day on which it is sent. */
export const daysIn = (example: unknown): readonly number[] =>
  (JSON.stringify(example)?.match(isoDate) ?? []).map(daysOf);
