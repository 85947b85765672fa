import type { Schema } from './schemas/schema-parts.js';

const name = 'X-Sandbox-Clock';

/** The header with the time of the sandbox, as a response header by name (contract 13). */
export const clockHeaderObject: Readonly<Record<string, Schema>> = {
  [name]: {
    description: 'The time of the sandbox when it answered',
    required: true,
    schema: { type: 'string', format: 'date-time' },
  },
};

const inResponse = (response: Schema): Schema => ({
  ...response,
  headers: { ...Object(response['headers']), [name]: { $ref: `#/components/headers/${name}` } },
});

const inOperation = (operation: Schema): Schema => ({
  ...operation,
  responses: mapValues(operation['responses'] as Readonly<Record<string, Schema>>, inResponse),
});

/** The paths of a document by path and method. */
type Paths = Readonly<Record<string, Readonly<Record<string, Schema>>>>;

/** The paths with the header in every response, as in a sandbox. */
export const withSandboxClock = (paths: Paths): Paths =>
  mapValues(paths, (item) => mapValues(item, inOperation));

const mapValues = <From, To>(
  record: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Readonly<Record<string, To>> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
