import type { CallContent } from '@xs2a/contracts/console.contract';
import { hasUnreadBody } from '../workspace/unread-body.js';
import type { Input, TryForm } from './inputs.js';

/** What the log has in place of a value that it does not store. */
const hidden = '(hidden)';

/** Returns the parameters that a path has at the places of its template, such as `/v1/consents/{consentId}`. */
const pathValues = (template: string, path: string): ReadonlyMap<string, string> => {
  const sent = path.split('/');
  return new Map(
    template.split('/').flatMap((segment, at): [string, string][] => {
      const [, name] = /^\{(.+)\}$/.exec(segment) ?? [];
      return name === undefined ? [] : [[name, decoded(sent[at] ?? '')]];
    }),
  );
};

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/**
 * Returns the fields of an operation's form that repeat a call, without what the log does not store. `hasSameKey`: with its
 * Idempotency-Key; otherwise a call that had one has the new one of the form.
 */
export const fieldsOfCall = (
  { placed, inputs }: TryForm,
  request: CallContent['request'],
  hasSameKey: boolean,
): URLSearchParams => {
  const { url, headers, body } = request;
  const { pathname, searchParams } = new URL(url, 'http://bank.example');
  const inPath = pathValues(placed.path, pathname);
  const valueOf = ({ name, place }: Input): string | undefined => {
    if (place === 'path') return inPath.get(name);
    if (place === 'query') return searchParams.get(name) ?? undefined;
    return headers[name.toLowerCase()];
  };
  const fields = inputs.flatMap((input): [string, string][] => {
    const value = valueOf(input) ?? '';
    if (input.name === 'Idempotency-Key' && value !== '' && !hasSameKey) return [];
    // The person of an example must not be taken for the hidden one of the call.
    return [[input.field, value === hidden ? '' : value]];
  });
  const repeated = new URLSearchParams(fields);
  if (body !== undefined) repeated.set('body', body);
  // The example must not be taken for the body of the call.
  else if (hasUnreadBody(request)) repeated.set('body', '');
  return repeated;
};
