import { resolve, type Schema, type Schemas } from './schemas.js';

/** Valid values of what a schema describes only by a pattern, by the last name of the path. */
const samples: Readonly<Record<string, unknown>> = {
  iban: 'BG46XSBK92001000000011',
  bban: '12345678901234567890',
  creditorAgent: 'UNCRBGSF',
  country: 'BG',
  currency: 'BGN',
  cashAccountType: 'CACC',
  amount: '12.50',
  opening: '1000.00',
  creditLimit: '500.00',
  instantLimit: '500.00',
  eik: '999999995',
  taxpayerId: '1234567890',
  taxPayerId: '1234567890',
  dayOfExecution: '15',
  monthsOfExecution: '6',
  paymentIds: '01998f6f-2c7b-7b9d-8d4a-1f0e5b6c7d8e',
  consentIds: '01998f70-91d4-7c02-9a6b-3c5d7e8f9a0b',
  redirectUris: 'https://tpp.example/callback',
  organizationIdentifier: 'PSDBG-BNB-12345',
  corporateId: 'corporate-1',
  advance: 'PT1M',
  psuId: 'psu-7b2f',
  certificate: '-----BEGIN CERTIFICATE-----…',
  keys: { kty: 'EC', crv: 'P-256', x: '…', y: '…' },
  'X-Request-ID': '99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
  'Idempotency-Key': 'order-2026-118',
  'PSU-ID': 'psu-7b2f',
  'PSU-Corporate-ID': 'corporate-1',
  'PSU-IP-Address': '203.0.113.7',
  'TPP-Redirect-URI': 'https://tpp.example/callback',
  'TPP-Nok-Redirect-URI': 'https://tpp.example/failed',
  'TPP-Notification-URI': 'https://tpp.example/notifications',
  'TPP-Notification-Content-Preferred': 'status=PROCESS',
  'X-Request-Timestamp': '2026-12-01T09:15:00.000Z',
  lei: '529900T8BM49AURSDO55',
  bicfi: 'XSBKBGSF',
  cursor: 'CURSOR-OF-A-LINK',
  entryReferenceFrom: '01998f6f2c7b4b9d8d4a1f0e5b6c7d8e',
  transactionId: '01998f6f2c7b4b9d8d4a1f0e5b6c7d8e',
  clientId: 'sandbox-tpp',
  // Days before that of the examples, because a period ends today at the latest unless a later day is sent.
  dateFrom: '2026-11-01',
  dateTo: '2026-11-20',
};
/** What has to be sent with a field, by its path: a condition that a schema states in another way each time. */
export const togetherWith: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  monthsOfExecution: { frequency: 'MonthlyVariable' },
};
const uuid = '01998f70-91d4-7c02-9a6b-3c5d7e8f9a0b';

/** Returns a value that a schema allows. `path` ends in the name of the member, header or parameter. */
export const sampleOf = (given: Schema, path: string, schemas: Schemas): unknown => {
  const schema = resolve(given, schemas);
  const { type, enum: values, format, items, default: usual, minimum, maxLength, oneOf } = schema;
  if (Array.isArray(values)) return values[0];
  if (Array.isArray(oneOf)) return sampleOf(oneOf[0] as Schema, path, schemas);
  // A boolean that is false by default is sent to get the other value.
  if (type === 'boolean') return true;
  if (usual !== undefined) return usual;
  if (type === 'integer') return minimum ?? 1;
  if (type === 'array')
    return Array.from({ length: Number(schema['minItems'] ?? 1) || 1 }, () =>
      sampleOf(items as Schema, `${path}[]`, schemas),
    );
  const name = path.replaceAll('[]', '').split('.').at(-1) ?? '';
  if (name in samples) return samples[name];
  if (type === 'object') return objectSample(schema, path, schemas);
  if (format === 'date') return '2026-12-01';
  if (format === 'uuid') return uuid;
  // A text: what it means, in its place.
  return String(schema['description'] ?? name)
    .slice(0, Number(maxLength ?? 70))
    .trim();
};

const objectSample = (schema: Schema, path: string, schemas: Schemas): unknown => {
  const required = (schema['required'] ?? []) as readonly string[];
  const all = Object.entries((schema['properties'] ?? {}) as Schemas);
  const wanted = required.length > 0 ? all.filter(([name]) => required.includes(name)) : all.slice(0, 1);
  return Object.fromEntries(
    wanted.map(([name, inner]) => [name, sampleOf(inner, `${path}.${name}`, schemas)]),
  );
};
