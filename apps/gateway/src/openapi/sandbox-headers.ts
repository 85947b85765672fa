import { ref, type Schema } from './schemas/schema-parts.js';

const name = 'X-Sandbox-Clock';
const help = 'Link';

/** The response headers that only a sandbox sends, by name (contract 13). */
export const sandboxHeaders: Readonly<Record<string, Schema>> = {
  [name]: {
    description: 'The time of the sandbox when it answered',
    required: true,
    schema: { type: 'string', format: 'date-time' },
  },
  [help]: {
    description: 'The page about the error code, as rel="help", if the sandbox has a developer portal',
    schema: { type: 'string', pattern: '^<[^<>]+/errors/[A-Z_]+>; rel="help"$' },
  },
};

const headerRef = (header: string): Schema => ({ [header]: { $ref: `#/components/headers/${header}` } });

const errors = JSON.stringify(ref('Errors'));
/** True if the response has the form of contract 3; the authorization server has another one (RFC 6749). */
const isRefusal = ({ content }: Schema): boolean => JSON.stringify(content)?.includes(errors) === true;

const inResponse = (response: Schema): Schema => ({
  ...response,
  headers: {
    ...Object(response['headers']),
    ...headerRef(name),
    ...(isRefusal(response) ? headerRef(help) : {}),
  },
});

const inOperation = (operation: Schema): Schema => ({
  ...operation,
  responses: mapValues(operation['responses'] as Readonly<Record<string, Schema>>, inResponse),
});

/** The paths of a document by path and method. */
type Paths = Readonly<Record<string, Readonly<Record<string, Schema>>>>;

/** The paths with the time in every response, and the link in every error of contract 3, as in a sandbox. */
export const withSandboxHeaders = (paths: Paths): Paths =>
  mapValues(paths, (item) => mapValues(item, inOperation));

const mapValues = <From, To>(
  record: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Readonly<Record<string, To>> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
