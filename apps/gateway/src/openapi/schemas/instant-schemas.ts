import { instantProduct } from '@xs2a/domain/payment/instant/instant-payments';
import { isJsonObject } from '@xs2a/domain/form/form-checks';
import type { Profile } from '@xs2a/domain/profile/profile';
import { amountOrZeroPattern } from './patterns.js';
import { matching, oneOf, type Schema } from './schema-parts.js';

type Schemas = Readonly<Record<string, Schema>>;

export const offersInstant = ({ products }: Pick<Profile, 'products'>): boolean =>
  products.includes(instantProduct);

export const reasonCode = matching(
  'ISO 20022 code of the reason why an instant payment was rejected, such as AC04',
  '^[A-Z0-9]{4}$',
);

const instantLimit = matching(
  'The most that the PSU allows for one instant payment; no limit when absent',
  amountOrZeroPattern,
);

/** Simulated outcomes of instant payments; each name as in `POST /sandbox/simulate`. */
const outcomes = {
  'instant-offline': 'the payee’s bank is not available (AB08)',
  'instant-timeout': 'it does not answer (AB05)',
  'instant-closed': 'the payee’s account is closed (AC04)',
  'instant-rejected': 'the payee’s bank refuses (MS03)',
  'instant-slow': 'it accepts after eight seconds',
  'instant-limit': 'the amount is above the PSU’s own limit (AM14)',
};

const membersOf = (schema: unknown): Readonly<Record<string, unknown>> =>
  isJsonObject(schema) && isJsonObject(schema['properties']) ? schema['properties'] : {};
const withMembers = (schema: Schema | undefined, members: Schemas): Schema => ({
  ...schema,
  properties: { ...membersOf(schema), ...members },
});

/** The schema of a simulation with more outcomes, by name with their meanings. */
export const withOutcomes = (schema: Schema | undefined, more: Readonly<Record<string, string>>): Schema => {
  const { outcome } = membersOf(schema);
  const known = isJsonObject(outcome) ? outcome : {};
  const names = Array.isArray(known['enum']) ? known['enum'].map(String) : [];
  const meanings = Object.entries(more).map(([name, meaning]) => `${name}: ${meaning}`);
  const description = `${String(known['description'])}; ${meanings.join('; ')}`;
  return withMembers(schema, { outcome: oneOf(description, ...names, ...Object.keys(more)) });
};

/** What states the status of a payment, an entry of a bulk payment or a bulk payment. */
const withStatus = [
  'PaymentStatus',
  'PaymentDetails',
  'BulkPaymentStatus',
  'BulkPaymentDetails',
  'BulkEntryDetails',
] as const;

/** The schemas that differ where the bank offers instant payments. */
export const instantSchemas = (schemas: Schemas): Schemas => ({
  ...Object.fromEntries(
    withStatus.flatMap((name) => {
      const schema = schemas[name];
      return schema === undefined ? [] : [[name, withMembers(schema, { reasonCode })]];
    }),
  ),
  Simulation: withOutcomes(schemas['Simulation'], outcomes),
  NewAccount: withMembers(schemas['NewAccount'], { instantLimit }),
});
