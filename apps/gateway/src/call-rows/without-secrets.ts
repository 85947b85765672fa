/** Shown in place of a value. */
export const hidden = '(hidden)';

const named = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/));

/** The members of bodies and the parameters of URLs whose values are secrets, by the letters of their names. */
const secretNames = named(`
  accesstoken refreshtoken idtoken idtokenhint token logouttoken subjecttoken actortoken
  clientsecret clientassertion assertion code codeverifier devicecode state nonce request requesturi
  authorization proxyauthorization dpop cookie setcookie session sessionid csrf csrftoken
  pin tan pw signature scaauthenticationdata confirmationcode
`);
/** Parts of names that are secrets in every composition, such as `additionalEncryptedPassword`. */
const secretParts = /password|passwd|passphrase|secret|otp|credential|apikey|privatekey|cookie|onetime/;
const isSecret = (letters: string, secrets: ReadonlySet<string>): boolean =>
  secrets.has(letters) || secretParts.test(letters);
/** The same for the bank's answers, in which `code` is the code of an error. */
const secretNamesOfAnswers: ReadonlySet<string> = new Set([...secretNames].filter((name) => name !== 'code'));

/** The headers of requests whose values are shown. */
const shownOfRequest = named(`
  accept accept-charset accept-encoding accept-language connection content-encoding content-length content-type
  consent-id date expect host idempotency-key traceparent tracestate transfer-encoding user-agent
  psu-accept psu-accept-charset psu-accept-encoding psu-accept-language psu-corporate-id psu-corporate-id-type
  psu-device-id psu-geo-location psu-http-method psu-id psu-id-type psu-ip-address psu-ip-port psu-user-agent
  tpp-brand-logging-information tpp-decoupled-preferred tpp-explicit-authorisation-preferred tpp-nok-redirect-uri
  tpp-notification-content-preferred tpp-redirect-preferred tpp-redirect-uri tpp-rejection-nofunds-preferred
  x-api-version x-request-id
`);
/** The headers of answers whose values are shown. */
const shownOfAnswer = named(`
  allow aspsp-notification-content aspsp-notification-support aspsp-sca-approach cache-control content-length
  content-type link location retry-after strict-transport-security www-authenticate x-api-version x-content-type-options
  x-request-id x-sandbox-clock x-unattended-remaining
`);

/** A character written as an escape of JSON or of a URL. */
const escapes = /\\u([0-9a-f]{4})|%([0-9a-f]{2})/gi;
const lettersOf = (name: string): string =>
  name
    .replace(escapes, (_escape, json?: string, url = '') =>
      String.fromCharCode(Number.parseInt(json ?? url, 16)),
    )
    .replace(/[^a-z]/gi, '')
    .toLowerCase();

/** Matches a signed or encrypted token (JOSE), whichever member contains it: its header is an object in base64url. */
const joseTokens = /eyJ[\w-]{5,}(?:\.[\w-]*)*/g;
/** Control characters, which PostgreSQL does not store (NUL), or which JSON writes with six characters. */
const controls = /(?![\t\n\r])\p{Cc}/gu;
const clean = (text: string): string => text.replace(joseTokens, hidden).replace(controls, '\uFFFD');

/** The strings, brackets, commas and other words of a JSON text, even of a text that was cut or is malformed. */
const tokens = /"(?:[^"\\]|\\.)*"?|[{}[\],]|[^\s"{}[\],:]+/gs;

const bodyWithoutSecrets = (body: string, secrets: ReadonlySet<string>): string => {
  // In another text, secrets could not be found by their names.
  if (!/^\s*[{[]/.test(body)) return hidden;
  let depth = 0;
  /** The depth of the member whose value is being hidden. */
  let hiddenAt: number | undefined;
  const json = body.replace(tokens, (token) => {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (token !== ',' && hiddenAt !== undefined) return `"${hidden}"`;
    else if (isSecret(lettersOf(token), secrets)) hiddenAt = depth;
    if (hiddenAt !== undefined && (depth < hiddenAt || (token === ',' && depth === hiddenAt)))
      hiddenAt = undefined;
    return /^".*=.*"$/s.test(token) ? `"${parametersWithoutSecrets(token.slice(1, -1))}"` : token;
  });
  return clean(json);
};

/** A JSON body of a request without the values of secrets; any other body is hidden as a whole. */
export const requestBodyWithoutSecrets = (body: string): string => bodyWithoutSecrets(body, secretNames);
/** The same for an answer of the bank. */
export const answerBodyWithoutSecrets = (body: string): string =>
  bodyWithoutSecrets(body, secretNamesOfAnswers);

/** A parameter of a URL, or of a URL that is the value of a parameter: separator, name, equals sign and value. */
const parameters =
  /([?&;#]|%(?:3f|26|3b|23))((?:(?!%(?:3f|26|3b|23|3d))[^?&;#=])*)(=|%3d)(?:(?!%(?:3f|26|3b|23))[^?&;#])*/gi;

const parametersWithoutSecrets = (url: string): string =>
  url.replace(parameters, (parameter, before: string, name: string, equals: string) =>
    isSecret(lettersOf(name), secretNames) ? `${before}${name}${equals}${hidden}` : parameter,
  );

/** A URL without the values of secret parameters. */
export const urlWithoutSecrets = (url: string): string => clean(parametersWithoutSecrets(url));

type Headers = Readonly<Record<string, string | number | readonly string[] | undefined>>;

const headersWithoutSecrets = (
  headers: Headers,
  shown: ReadonlySet<string>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, shown.has(name) ? urlWithoutSecrets(String(value)) : hidden]),
  );

/** The headers of a request. Only values on the list above are shown, so that a new header is hidden. */
export const requestHeadersWithoutSecrets = (headers: Headers): Readonly<Record<string, string>> =>
  headersWithoutSecrets(headers, shownOfRequest);
/** The same for an answer. */
export const answerHeadersWithoutSecrets = (headers: Headers): Readonly<Record<string, string>> =>
  headersWithoutSecrets(headers, shownOfAnswer);
