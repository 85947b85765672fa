import type { PaymentService } from '@xs2a/domain/payment/payment-services';
import type { StandardName } from '@xs2a/domain/payment/standards/standard-name';
import { moveDates } from '@xs2a/domain/time/move-dates';
import { headerNamed, knownPath, parametersNamed } from './described-field.js';
import {
  type DescribedBody,
  type DescribedOperation,
  type DescribedParameter,
  describedOperation,
  describedRequests,
  type FieldFacts,
  withBodies,
} from './described-requests.js';
import { type Line, printJson } from './printed-json.js';

/** Moves the dates of an example to those of the call. */
type Move = (example: unknown) => unknown;

type Members = Record<string, unknown>;

const plainLine = (text: string): Line => ({ text, isField: false });

/** Puts samples into a copy of an example where it lacks the field or an object above it, and removes what excludes them. */
const withField = (example: unknown, path: string, fields: DescribedOperation['fields'] = {}): unknown => {
  const copy = structuredClone(example);
  let here = copy as Members;
  let at = '';
  for (const name of path.split('.')) {
    const own = name.replace('[]', '');
    at = at === '' ? own : `${at}.${own}`;
    const [{ sample, insteadOf = [], together = {} } = {} as FieldFacts] = fields[at] ?? [];
    if (here[own] === undefined) {
      here[own] = structuredClone(sample);
      Object.assign(here, together);
      for (const other of insteadOf) delete here[other];
    }
    const inner = here[own];
    here = (Array.isArray(inner) ? inner[0] : inner) as Members;
    at = `${at}${name.slice(own.length)}`;
  }
  return copy;
};

const hasAt = (example: unknown, path: string): boolean => {
  let here: unknown = example;
  for (const name of path.split('.')) {
    here = (here as Members | undefined)?.[name.replace('[]', '')];
    if (name.endsWith('[]') && Array.isArray(here)) here = here[0];
  }
  return here !== undefined;
};

/** The currency of a payment, or of each payment of a bulk. */
const currencyOf = ({ example }: DescribedBody): string | undefined => {
  const { instructedAmount, payments } = example as {
    readonly instructedAmount?: { readonly currency: string };
    readonly payments?: readonly { readonly instructedAmount: { readonly currency: string } }[];
  };
  return (instructedAmount ?? payments?.[0]?.instructedAmount)?.currency;
};

const ofBody = (
  { bodies = [], fields = {} }: DescribedOperation,
  path: string,
  { move, product }: { readonly move: Move; readonly product: string | undefined },
): readonly Line[] => {
  const own = bodies.find(({ request }) => product !== undefined && request.endsWith(`/${product}`));
  const forms = fields[path] ?? [];
  const isOfOwn = ({ bodies: places }: FieldFacts): boolean =>
    own === undefined || places === undefined || places.includes(bodies.indexOf(own));
  // A product that does not have the field is shown without it.
  if (own !== undefined && forms.length > 0 && !forms.some(isOfOwn))
    return [plainLine(own.request), ...printJson(move(own.example), '')];
  const facts = forms.find(isOfOwn) ?? {};
  const places = facts.bodies ?? bodies.map((_body, index) => index);
  const chosen = places.find((index) => hasAt(bodies[index]?.example, path)) ?? places[0] ?? 0;
  const body = own ?? bodies[chosen];
  if (body === undefined) return [];
  const sent =
    path === '' || hasAt(body.example, path) ? body.example : withField(body.example, path, fields);
  return [plainLine(body.request), ...printJson(move(sent), path)];
};

const noHost = 'http://bank.example';
const methodOf = (request: string): string => request.split(' ', 1)[0] ?? '';

/** A method and path of the description, with the path of the call in place of a template. */
const requestLine = (request: string, { address }: Pick<CallSetting, 'address'>): string =>
  address === undefined || !request.includes('{')
    ? request
    : `${methodOf(request)} ${new URL(`${noHost}${address}`).pathname}`;

/** Optional parameters that are left out: only the bank knows a valid value, or it does not offer the parameter. */
const leftOut = new Set(['cursor', 'entryReferenceFrom', 'pageIndex']);
/** For each of these parameters, those that must not be sent with it. */
const excluded: Readonly<Record<string, readonly string[]>> = {
  deltaList: ['dateFrom', 'dateTo', 'entryReferenceFrom'],
  pageSize: ['itemsPerPage'],
  itemsPerPage: ['pageSize'],
};

/** Corrects parameters in a query, and what contradicts them there. */
const correctQuery = (
  query: URLSearchParams,
  names: readonly string[],
  sampleOf: (name: string) => string,
): URLSearchParams => {
  const corrected = new URLSearchParams(query);
  for (const name of names) {
    if (leftOut.has(name)) corrected.delete(name);
    else corrected.set(name, sampleOf(name));
    for (const other of excluded[name] ?? []) corrected.delete(other);
  }
  const [from, to] = [corrected.get('dateFrom'), corrected.get('dateTo')];
  if (from !== null && to !== null && from > to)
    for (const end of ['dateFrom', 'dateTo']) corrected.set(end, sampleOf(end));
  return corrected;
};

const queryLine = (
  request: string,
  names: readonly string[],
  { setting, sampleOf }: { readonly setting: CallSetting; readonly sampleOf: (name: string) => string },
): string => {
  const { searchParams: query } = new URL(`${noHost}${setting.address ?? ''}`);
  const corrected = correctQuery(query, names, sampleOf).toString();
  return `${requestLine(request, setting)}${corrected === '' ? '' : `?${corrected}`}`;
};

/** Headers with an address of the caller. */
const addresses = new Set(['TPP-Redirect-URI', 'TPP-Nok-Redirect-URI', 'TPP-Notification-URI']);

/** The value of a header that only the caller can send; undefined for any other header. */
const ownValue = (name: string, { redirectUri, psuId }: OwnValues = {}): string | undefined => {
  if (name === 'PSU-ID') return psuId;
  return addresses.has(name) ? redirectUri : undefined;
};

/** Puts values of the caller into an example body. */
const withOwnValues = (example: unknown, { redirectUri, reference }: OwnValues = {}): unknown => {
  if (Array.isArray(example))
    return example.map((one, index) =>
      withOwnValues(one, { redirectUri, reference: reference && `${reference}-${index + 1}` }),
    );
  if (typeof example !== 'object' || example === null) return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      if (name === 'endToEndIdentification') return [name, reference ?? value];
      if (name === 'uri') return [name, redirectUri ?? value];
      return [name, withOwnValues(value, { redirectUri, reference })];
    }),
  );
};

/** Values that only the caller can send, in place of those of the description. */
interface OwnValues {
  /** A redirect URI that is registered for it. */
  readonly redirectUri?: string | undefined;
  /** A PSU of the bank. */
  readonly psuId?: string | undefined;
  /** An `endToEndIdentification` that no other payment has, of at most 30 characters. */
  readonly reference?: string | undefined;
}

/** The moment, the bank and the place of a call. */
export interface CallSetting {
  /** The ISO date to which the dates of an example are moved. */
  readonly today: string;
  /** The bank's standard for payments. */
  readonly standard: StandardName;
  /** The currencies in which the bank pays; if absent, all those of its standard. */
  readonly currencies?: readonly string[] | undefined;
  /** The payment service in the path of the call, if known. */
  readonly service?: PaymentService | undefined;
  /** The payment product in that path, if known. */
  readonly product?: string | undefined;
  /** The path and query of the call; absent if they must not be shown. */
  readonly address?: string | undefined;
  readonly own?: OwnValues | undefined;
}

/** The operations whose example bodies contain ids or IBANs that belong to somebody else. */
const withSampleIds = new Set(['createBasket', 'confirmFunds', 'simulate']);

/** A request in the right form. */
export interface CorrectedRequest {
  readonly lines: readonly Line[];
  /** What else it needs, as in the call. */
  readonly rest: 'headers' | 'other headers' | 'headers and body' | 'other headers and body';
  /** True if its body has ids or IBANs of the API description, which the caller has to replace by its own. */
  readonly hasSampleIds: boolean;
  /** True if the request has another payment product than the call, because the bank refuses every payment of that one. */
  readonly isOfOtherProduct: boolean;
}

/**
 * Returns the example of the API description with the fields as they should be; its dates are as far from
 * `today` as in the description. Undefined for an unknown operation. `paths`: the fields, headers and parameters that
 * were wrong.
 */
export const correctedRequest = (
  operation: string,
  paths: readonly string[],
  setting: CallSetting,
): CorrectedRequest | undefined => {
  const { today, standard, currencies, service, product, own } = setting;
  const described = describedOperation(operation, standard, service);
  if (described === undefined) return undefined;
  const { request, bodies } = described;
  const move: Move = (example) => moveDates(example, describedRequests[standard].exampleDay, today);
  const named = (name: string): DescribedParameter | undefined =>
    parametersNamed(operation, name, standard)[0];
  const sampleOf = (name: string): string => String(move((named(name) ?? headerNamed(name))?.sample));
  const placeOf = (name: string) => named(name)?.place ?? (headerNamed(name) ? 'header' : 'body');
  const inPlace = (place: ReturnType<typeof placeOf>): readonly string[] =>
    paths.filter((path) => placeOf(path) === place).map((path) => named(path)?.name ?? path);
  const headers = inPlace('header').map((name): Line => {
    const value = ownValue(name, own) ?? sampleOf(name);
    return { text: `${name}: ${value}`, isField: true };
  });
  const [query, [ofPath], [ofBodyPath]] = [inPlace('query'), inPlace('path'), inPlace('body')];
  const isWhole = headers.length === 0 && query.length === 0 && ofPath === undefined;
  const possible = withBodies(described, (body) => isPaid(body, currencies));
  const [first, ...json] =
    bodies === undefined || (ofBodyPath === undefined && !isWhole)
      ? []
      : ofBody(possible, knownPath(possible, ofBodyPath ?? '') ?? '', {
          move: (example) => withOwnValues(move(example), own),
          product,
        });
  const line = (): Line => {
    if (query.length > 0) return { text: queryLine(request, query, { setting, sampleOf }), isField: true };
    if (ofPath !== undefined)
      return { text: request.replace(`{${ofPath}}`, sampleOf(ofPath)), isField: true };
    return plainLine(requestLine(first?.text ?? request, setting));
  };
  const restOfHeaders = headers.length === 0 ? 'headers' : 'other headers';
  return {
    lines: [line(), ...headers, ...json],
    rest: bodies === undefined || first !== undefined ? restOfHeaders : `${restOfHeaders} and body`,
    hasSampleIds: withSampleIds.has(operation) && first !== undefined,
    isOfOtherProduct: product !== undefined && first !== undefined && !first.text.endsWith(`/${product}`),
  };
};

const isPaid = (body: DescribedBody, currencies: readonly string[] | undefined): boolean => {
  const currency = currencyOf(body);
  return currency === undefined || currencies === undefined || currencies.includes(currency);
};
