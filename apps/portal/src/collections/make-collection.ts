import type { OpenApiDocument } from '@xs2a/gateway/openapi/document';
import { type Operation, pageOf, type PlacedOperation } from '../reference/operations.js';
import { exampleRequest, listExamples } from '../reference/requests.js';
import { byTag, toAnchor } from '../reference/tree.js';
import type { Fixtures } from '../start/fixtures.js';
import type { Collection, CollectionFolder, CollectionRequest, Credentials } from './collection.js';
import { daysIn, withVariables, withVariablesIn } from './request-variables.js';

/** The operations that no collection has, with the reason. */
export const leftOut: Readonly<Record<string, string>> = {
  authorize: 'it opens the bank’s page in the customer’s browser',
  addRedirectUri: 'the client of a sandbox belongs to everybody',
  renewSecret: 'it ends the secret with which the collection signs in',
  replayNotification: 'it needs a notification to your application',
  deadLetterNotification: 'it needs a notification to your application',
  forgeNotification: 'it needs a notification to your application',
  settlePayment: 'it needs a payment that a customer has signed',
  advanceClock: 'it moves the clock of everybody in the sandbox',
  clearPayments: 'it removes all your payments from your view',
  docs: 'it leads to the reference',
};

/** The operations of other sections that make what a section needs. */
const preparations: Readonly<Record<string, readonly string[]>> = {
  'Signing baskets': ['initiatePayment', 'createConsent'],
  Sandbox: ['initiatePayment', 'createConsent'],
};

const initiation = { paymentId: 'paymentId' };
const authorisation = { authorisationId: 'authorisationId' };
/** The variables that an answer sets, with the path of their value. */
const savesOf = ({ operationId }: Operation): Readonly<Record<string, string>> => {
  if (operationId.startsWith('initiate')) return initiation;
  if (/^start\w*Authorisation$/.test(operationId)) return authorisation;
  return saves[operationId] ?? {};
};
const saves: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  createBasket: { basketId: 'basketId' },
  createConsent: { consentId: 'consentId' },
  listAccounts: { accountId: 'accounts[0].resourceId' },
  listTransactions: { transactionId: 'transactions.booked[0].transactionId' },
  listRequests: { requestId: 'requests[0].requestId' },
  registerTpp: { newClientId: 'clientId' },
  createPsu: { newPsuId: 'psuId', newIban: 'accounts[0].iban' },
  token: { issuedToken: 'access_token' },
};
/** In a path, these are what the collection has created, not what the user has set. */
const pathVariables: Readonly<Record<string, string>> = {
  $CLIENT_ID: '{{newClientId}}',
  $IBAN: '{{newIban}}',
};

const credentialsOf = ({ security }: Operation, form: object | undefined): Credentials => {
  const kinds = security.flatMap((one) => Object.entries(one));
  if (kinds.length === 0) return form === undefined ? 'none' : 'client';
  if (kinds.some(([kind]) => kind === 'application')) return 'token';
  return kinds.some(([, scopes]) => scopes.includes('PSP_IC')) ? 'fundsToken' : 'userToken';
};

/** The operation that makes the resource first, those that end it last. */
const orderOf = ({ method, path }: PlacedOperation): number => {
  if (method === 'DELETE' || path.endsWith('/expire') || path === '/oauth2/revoke') return 2;
  return method === 'POST' && !/\{(?!payment-product)/.test(path) ? 0 : 1;
};

interface Example {
  readonly name: string;
  readonly value: unknown;
  /** Not empty if this bank refuses it. */
  readonly note: string;
}
const examplesOf = ({ operation }: PlacedOperation): readonly Example[] =>
  listExamples(operation.requestBody?.content['application/json']);
const isOfProduct = ({ path }: PlacedOperation): boolean => path.includes('{payment-product}');

const requestOf = (
  { baseUrl }: Pick<Source, 'baseUrl'>,
  placed: PlacedOperation,
  product?: string,
): CollectionRequest => {
  const { operation } = placed;
  const examples = examplesOf(placed);
  const example = examples.find(({ name }) => name === product) ?? examples[0];
  const made = exampleRequest('{{baseUrl}}', placed, {
    ...(product === undefined ? {} : { product }),
    value: example?.value,
  });
  const url = made.url.replace(/\$(?:CLIENT_ID|IBAN)/, (name) => pathVariables[name] ?? name);
  return {
    id: operation.operationId,
    name: operation.summary,
    description: [operation.description, `${baseUrl}${pageOf(operation)}`].filter(Boolean).join('\n\n'),
    method: made.method,
    url: withVariables(url),
    credentials: credentialsOf(operation, made.form),
    headers: made.headers
      .filter(([name]) => name !== 'Authorization')
      .map(([name, value]) => [name, withVariables(value)]),
    ...(example === undefined ? {} : { json: withVariablesIn(example.value) }),
    ...(made.form === undefined
      ? {}
      : {
          form: Object.fromEntries(
            Object.entries(made.form).map(([name, value]) => [name, withVariables(value)]),
          ),
        }),
    status: Object.keys(operation.responses).find((one) => one.startsWith('2')) ?? '200',
    saves: savesOf(operation),
  };
};

interface Source {
  /** The API description with the example dates of `exampleDay`. */
  readonly document: OpenApiDocument;
  readonly baseUrl: string;
}

/** The products of a section whose payments this bank accepts. */
const productsOf = (operations: readonly PlacedOperation[]): readonly string[] =>
  operations
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/{payment-product}'))
    .flatMap((placed) => {
      const accepted = examplesOf(placed).filter(({ note }) => note === '');
      const product = placed.operation.parameters?.find(({ name }) => name === 'payment-product');
      return accepted.map(({ name }) => name || String(product?.schema.enum?.[0]));
    });

/** Makes the collection of a bank. `client`: a client of a sandbox that belongs to all of its users. */
export const makeCollection = (source: Source, client?: Fixtures['tpps'][number]): Collection => {
  const { document, baseUrl } = source;
  const sections = byTag(document);
  const all = sections.flatMap(({ operations }) => operations);
  const prepare = (id: string): readonly CollectionRequest[] => {
    const placed = all.find(({ operation }) => operation.operationId === id);
    if (placed === undefined) return [];
    const [product] = isOfProduct(placed) ? productsOf([placed]) : [];
    return [requestOf(source, placed, product)];
  };
  const folders = sections.map(({ tag, operations }): CollectionFolder => {
    const sent = operations
      .filter(({ operation }) => leftOut[operation.operationId] === undefined)
      .toSorted((one, other) => orderOf(one) - orderOf(other));
    return {
      id: toAnchor(tag.name),
      name: tag.name,
      description: tag.description,
      folders: productsOf(sent).map((product) => ({
        id: product,
        name: product,
        description: '',
        folders: [],
        requests: sent.map((placed) => requestOf(source, placed, product)),
      })),
      requests: [
        ...(preparations[tag.name] ?? []).flatMap(prepare),
        ...sent.filter((placed) => !isOfProduct(placed)).map((placed) => requestOf(source, placed)),
      ],
    };
  });
  const days = new Set(all.flatMap((placed) => examplesOf(placed).flatMap(({ value }) => daysIn(value))));
  return {
    name: 'XS2A interface',
    description: `The requests of ${baseUrl} in the order in which they work. The collection gets the token of your application by itself. userToken and fundsToken are tokens that a customer has approved: ${baseUrl}/guides/get-a-token`,
    folders,
    environment: client === undefined ? 'Bank' : 'Sandbox',
    variables: {
      baseUrl,
      clientId: client?.clientId ?? '',
      clientSecret: client?.clientSecret ?? '',
      redirectUri: client?.redirectUris[0] ?? '',
      // The challenge of RFC 7636, appendix B.
      codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      scope: 'PSP_AI PSP_PI',
      userToken: '',
      fundsToken: '',
    },
    days: [...days].toSorted((one, other) => one - other),
  };
};
