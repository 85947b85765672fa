import type { PaymentService } from '@xs2a/domain/payment/payment-services';
import type { StandardName } from '@xs2a/domain/payment/standards/standard-name';
import { moveDates } from '@xs2a/domain/time/move-dates';
import { headerNamed, knownPath, parametersNamed } from './described-field.js';
import {
  type DescribedOperation,
  type DescribedParameter,
  describedOperation,
  describedRequests,
  type FieldFacts,
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

const ofHeader = (request: string, name: string, { sample }: FieldFacts): readonly Line[] => [
  plainLine(request),
  { text: `${name}: ${String(sample)}`, isField: true },
];

const ofParameter = (
  [parameter]: readonly DescribedParameter[],
  request: string,
  move: Move,
): readonly Line[] => {
  if (parameter === undefined) return [];
  const { name, place, sample } = parameter;
  const value = String(move(sample));
  if (place === 'header') return ofHeader(request, name, { sample: value });
  const text = place === 'query' ? `${request}?${name}=${value}` : request.replace(`{${name}}`, value);
  return [{ text, isField: true }];
};

/** The moment and the bank of a call. */
export interface CallSetting {
  /** The ISO date to which the dates of an example are moved. */
  readonly today: string;
  /** The bank's standard for payments. */
  readonly standard: StandardName;
  /** The payment service in the path of the call, if known. */
  readonly service?: PaymentService | undefined;
  /** The payment product in that path, if known. */
  readonly product?: string | undefined;
}

/**
 * Returns the example of the API description with the field as it should be; its dates are as far from
 * `today` as in the description. Undefined for an unknown operation.
 */
export const correctedRequest = (
  operation: string,
  path: string | undefined,
  { today, standard, service, product }: CallSetting,
): readonly Line[] | undefined => {
  const described = describedOperation(operation, standard, service);
  const move: Move = (example) => moveDates(example, describedRequests[standard].exampleDay, today);
  if (described === undefined) return undefined;
  const { request, bodies } = described;
  if (path !== undefined) {
    const found = ofParameter(parametersNamed(operation, path, standard), request, move);
    if (found.length > 0) return found;
    const header = headerNamed(path);
    if (header !== undefined) return ofHeader(request, path, header);
  }
  if (bodies === undefined) return [plainLine(request)];
  return ofBody(described, knownPath(described, path ?? '') ?? '', { move, product });
};
