/** What is shown of a secret. */
export const blank = '•••';
/** The maximum length of a body, in characters. */
export const maxBodyChars = 8192;

/** Headers that hold a secret as a whole. `authorization` keeps its scheme. */
const secretHeaders = new Set(['dpop', 'cookie', 'set-cookie', 'proxy-authorization']);
/** Members of JSON bodies. Not `code`, which is the code of an error there. */
const secretMembers = new Set([
  'access_token',
  'refresh_token',
  'id_token',
  'client_secret',
  'clientSecret',
  'password',
]);
/** Parameters of forms and addresses (RFC 6749, RFC 7521, RFC 7636, RFC 7009). */
const secretParameters = new Set([
  ...secretMembers,
  'client_assertion',
  'assertion',
  'code',
  'code_verifier',
  'token',
]);

/** Returns the headers with their secrets blanked. */
export const blankHeaders = (
  headers: Iterable<readonly [string, string]>,
): readonly (readonly [name: string, value: string])[] =>
  [...headers].map(([name, value]) => {
    if (secretHeaders.has(name.toLowerCase())) return [name, blank];
    return name.toLowerCase() === 'authorization'
      ? [name, `${value.split(' ', 1)[0] ?? ''} ${blank}`]
      : [name, value];
  });

const blankParameters = (parameters: URLSearchParams, separator: string): string =>
  [...parameters]
    .map(([name, value]) => `${name}=${secretParameters.has(name) ? blank : value}`)
    .join(separator);

/** Returns path and query of an address with its secrets blanked. */
export const blankPath = ({ pathname, searchParams }: URL): string =>
  searchParams.size === 0 ? pathname : `${pathname}?${blankParameters(searchParams, '&')}`;

const blankJson = (text: string): string =>
  JSON.stringify(
    JSON.parse(text, (name, value: unknown) => (secretMembers.has(name) ? blank : value)),
    undefined,
    2,
  );

const cut = (text: string): string =>
  text.length <= maxBodyChars ? text : `${text.slice(0, maxBodyChars)}\n… cut after 8 kB`;

/**
 * Returns a body as it is shown: indented JSON, or one line for each form parameter, with secrets blanked, and cut at
 * 8 kB. Any other body may hold a secret anywhere, so only its type and length are shown.
 */
export const blankBody = (text: string, contentType: string): string => {
  if (text === '') return '';
  const [type = ''] = contentType.split(';', 1);
  try {
    if (/^application\/(?:[\w.-]+\+)?json$/.test(type)) return cut(blankJson(text));
  } catch {
    // Shown like any other body.
  }
  return type === 'application/x-www-form-urlencoded'
    ? cut(blankParameters(new URLSearchParams(text), '\n'))
    : `${text.length} characters of ${type || 'an unknown type'}, not shown`;
};
