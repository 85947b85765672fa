import type { ApiRequest } from '../workspace/tpp-api.js';
import type { Input, TryForm } from './inputs.js';

/** Thrown for a form that cannot be sent, with what to change. */
export class NotSendable extends Error {
  override readonly name = 'NotSendable';
}

const valueOf = (form: URLSearchParams, { field, initial }: Input): string =>
  (form.get(field) ?? initial).trim();

/** A segment of a path. `.` and `..` would lead to another operation. */
const segmentOf = ({ name }: Input, value: string): string => {
  if (value === '') throw new NotSendable(`Fill in ${name}, which is part of the path.`);
  if (/^\.{1,2}$/.test(value)) throw new NotSendable(`${name} cannot be ${value}.`);
  return encodeURIComponent(value);
};

const headerOf = ({ name }: Input, value: string): readonly [string, string] => {
  if (!/^[\u0020-\u007e]*$/.test(value))
    throw new NotSendable(`${name} is a header: only ASCII characters can be sent.`);
  return [name, value];
};

/** Returns the request that a form describes. Throws {@link NotSendable}. */
export const tryRequestOf = ({ placed, inputs, bodies }: TryForm, form: URLSearchParams): ApiRequest => {
  const filled = inputs.map((input) => ({ input, value: valueOf(form, input) }));
  const path = placed.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const found = filled.find(({ input }) => input.place === 'path' && input.name === name);
    if (found === undefined) throw new NotSendable(`Fill in ${name}, which is part of the path.`);
    return segmentOf(found.input, found.value);
  });
  const inPlace = (place: Input['place']) =>
    filled.filter(({ input, value }) => input.place === place && value !== '');
  const query = new URLSearchParams(
    inPlace('query').map(({ input, value }): [string, string] => [input.name, value]),
  ).toString();
  const headers = Object.fromEntries(inPlace('header').map(({ input, value }) => headerOf(input, value)));
  const accessToken = (form.get('accessToken') ?? '').trim();
  if (!/^[\w.~+/=-]*$/.test(accessToken)) throw new NotSendable('This is not a valid access token.');
  return {
    method: placed.method,
    path: query === '' ? path : `${path}?${query}`,
    headers,
    ...(bodies.length === 0 ? {} : { body: form.get('body') ?? '' }),
    ...(accessToken === '' ? {} : { accessToken }),
  };
};
