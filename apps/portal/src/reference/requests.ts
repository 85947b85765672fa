import type { Content, Operation, PlacedOperation } from './operations.js';

/** A request that can be sent as it is, once its variables are set. */
export interface ExampleRequest {
  readonly method: string;
  /** The URL; `$PAYMENT_ID` is a variable. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
}

/** An address of the documentation (RFC 5737), as that of the customer's browser. */
export const exampleAddress = '192.0.2.1';
/** A PSU of every sandbox, as its user name at the bank. */
export const examplePsuId = 'ivan';
/** What the examples of single operations need in addition to what is required of every request. */
export const headersOf: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  createConsent: [['PSU-ID', examplePsuId]],
};
const forms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  token: { grant_type: 'client_credentials', scope: 'PSP_PI' },
  revokeToken: { token: '$TOKEN' },
  pushAuthorizationRequest: {
    response_type: 'code',
    client_id: '$CLIENT_ID',
    redirect_uri: '$REDIRECT_URI',
    scope: 'PSP_IC',
    code_challenge: '$CODE_CHALLENGE',
    code_challenge_method: 'S256',
  },
};
const queries: Readonly<Record<string, string>> = {
  listTransactions: '?bookingStatus=both',
};

const variable = (name: string): string =>
  `$${name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toUpperCase()}`;

const addressOf = (
  baseUrl: string,
  { path, operation }: PlacedOperation,
  product: string | undefined,
): string => {
  const at = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const parameter = operation.parameters?.find((one) => one.name === name);
    if (name === 'payment-product') return product ?? String(parameter?.schema.enum?.[0] ?? variable(name));
    return variable(name);
  });
  return `${baseUrl}${at}${queries[operation.operationId] ?? ''}`;
};

const has = ({ parameters = [] }: Operation, name: string): boolean =>
  parameters.some((parameter) => parameter.name === name);

/** True for an operation that an application usually calls while the PSU is present. */
const isWithPsu = (operation: Operation): boolean =>
  has(operation, 'PSU-IP-Address') && (has(operation, 'Consent-ID') || has(operation, 'TPP-Redirect-URI'));

/** Returns the example of an operation's request. `body`: the example of its body, and the product to which it belongs. */
export const exampleRequest = (
  baseUrl: string,
  placed: PlacedOperation,
  body?: { readonly product?: string; readonly value: unknown },
): ExampleRequest => {
  const { method, operation } = placed;
  const required = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'header' && parameter.required)
    .map(({ name }) => [name, variable(name)] as const);
  return {
    method,
    url: addressOf(baseUrl, placed, body?.product),
    headers: [
      ...(operation.security.length === 0 ? [] : [['Authorization', 'Bearer $TOKEN'] as const]),
      ...(has(operation, 'Idempotency-Key') && method === 'POST'
        ? [['Idempotency-Key', '$KEY'] as const]
        : []),
      ...required,
      ...(isWithPsu(operation) ? [['PSU-IP-Address', exampleAddress] as const] : []),
      ...(headersOf[operation.operationId] ?? []),
    ],
    ...(body === undefined ? {} : { json: body.value }),
    ...(forms[operation.operationId] === undefined ? {} : { form: forms[operation.operationId] }),
  };
};

/** Returns the examples of a content, by name; the name is empty if there is only one. */
export const listExamples = (
  content: Content | undefined,
): readonly { readonly name: string; readonly value: unknown; readonly note: string }[] => {
  if (content === undefined) return [];
  const { example, examples = {} } = content;
  if (example !== undefined) return [{ name: '', value: example, note: '' }];
  return Object.entries(examples).map(([name, { value, description = '' }]) => ({
    name,
    value,
    note: description,
  }));
};
