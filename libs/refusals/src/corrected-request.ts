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

/** The parameters that limit a period: a valid value of one may contradict what was sent as the other. */
const ends = ['dateFrom', 'dateTo'];

const ofQuery = (
  request: string,
  { address }: Pick<CallSetting, 'address'>,
  name: string,
  sampleOf: (name: string) => string,
): string => {
  if (address === undefined) return `${request}?${name}=${sampleOf(name)}`;
  const { pathname, searchParams } = new URL(`${noHost}${address}`);
  for (const end of ends.includes(name) ? ends : [])
    if (searchParams.has(end)) searchParams.set(end, sampleOf(end));
  searchParams.set(name, sampleOf(name));
  return `${methodOf(request)} ${pathname}?${searchParams.toString()}`;
};

/** Returns the request with a valid header, query or path parameter; undefined for a field of the body. */
const ofParameter = (
  operation: string,
  path: string,
  { request, bodies }: DescribedOperation,
  { setting, move }: { readonly setting: CallSetting; readonly move: Move },
): CorrectedRequest | undefined => {
  const named = (name: string): DescribedParameter | undefined =>
    parametersNamed(operation, name, setting.standard)[0];
  const sampleOf = (name: string): string => String(move((named(name) ?? headerNamed(name))?.sample));
  const { name = path, place = headerNamed(path) && 'header' } = named(path) ?? {};
  switch (place) {
    case 'header': {
      const value = setting.headers?.[name] ?? sampleOf(name);
      const lines = [plainLine(requestLine(request, setting)), { text: `${name}: ${value}`, isField: true }];
      return { lines, rest: bodies === undefined ? 'other headers' : 'other headers and body' };
    }
    case 'query': {
      const text = ofQuery(request, setting, name, sampleOf);
      return { lines: [{ text, isField: true }], rest: 'headers' };
    }
    case 'path': {
      const text = request.replace(`{${name}}`, sampleOf(name));
      return { lines: [{ text, isField: true }], rest: 'headers' };
    }
    default:
      return undefined;
  }
};

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
  /** Values of headers that are valid for the caller, in place of those of the description. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A request in the right form. */
export interface CorrectedRequest {
  readonly lines: readonly Line[];
  /** What else it needs, as in the call. */
  readonly rest: 'headers' | 'other headers' | 'other headers and body';
}

/**
 * Returns the example of the API description with the field as it should be; its dates are as far from
 * `today` as in the description. Undefined for an unknown operation.
 */
export const correctedRequest = (
  operation: string,
  path: string | undefined,
  setting: CallSetting,
): CorrectedRequest | undefined => {
  const { today, standard, currencies, service, product } = setting;
  const described = describedOperation(operation, standard, service);
  if (described === undefined) return undefined;
  const move: Move = (example) => moveDates(example, describedRequests[standard].exampleDay, today);
  const ofOther = path === undefined ? undefined : ofParameter(operation, path, described, { setting, move });
  if (ofOther !== undefined) return ofOther;
  const isPossible = (body: DescribedBody): boolean => {
    const currency = currencyOf(body);
    return currency === undefined || currencies === undefined || currencies.includes(currency);
  };
  const possible = withBodies(described, isPossible);
  const [{ text } = plainLine(described.request), ...json] =
    possible.bodies === undefined
      ? []
      : ofBody(possible, knownPath(possible, path ?? '') ?? '', { move, product });
  return { lines: [plainLine(requestLine(text, setting)), ...json], rest: 'headers' };
};
