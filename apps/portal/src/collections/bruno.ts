import {
  type Collection,
  type CollectionFolder,
  type CollectionRequest,
  dayVariable,
  secretVariables,
} from './collection.js';

const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');
/** A block of the Bru language; without one if it would be empty. */
const block = (name: string, lines: readonly string[], open = '{', close = '}'): readonly string[] =>
  lines.length === 0 ? [] : [`${name} ${open}\n${indent(lines.join('\n'))}\n${close}`];
const pairs = (entries: Iterable<readonly [string, string]>): readonly string[] =>
  [...entries].map(([name, value]) => `${name}: ${value}`);
const file = (...blocks: readonly (readonly string[])[]): string => `${blocks.flat().join('\n\n')}\n`;
const docs = (text: string): readonly string[] => (text === '' ? [] : block('docs', [text]));

const credentials: Readonly<Record<CollectionRequest['credentials'], readonly [string, readonly string[]]>> =
  {
    none: ['none', []],
    client: ['basic', block('auth:basic', ['username: {{clientId}}', 'password: {{clientSecret}}'])],
    token: ['bearer', block('auth:bearer', ['token: {{token}}'])],
    userToken: ['bearer', block('auth:bearer', ['token: {{userToken}}'])],
    fundsToken: ['bearer', block('auth:bearer', ['token: {{fundsToken}}'])],
  };

const bodyKind = ({ json, form }: CollectionRequest): string => {
  if (json !== undefined) return 'json';
  return form === undefined ? 'none' : 'formUrlEncoded';
};

const requestFile = (request: CollectionRequest, seq: number): string => {
  const { name, method, url, headers, json, form, status, saves, description } = request;
  const [auth, authBlock] = credentials[request.credentials];
  return file(
    block('meta', [`name: ${name}`, 'type: http', `seq: ${seq}`]),
    block(method.toLowerCase(), [`url: ${url}`, `body: ${bodyKind(request)}`, `auth: ${auth}`]),
    block('params:query', pairs(new URLSearchParams(url.split('?')[1] ?? ''))),
    block('headers', pairs(headers)),
    authBlock,
    json === undefined ? [] : block('body:json', [JSON.stringify(json, null, 2)]),
    block('body:form-urlencoded', pairs(Object.entries(form ?? {}))),
    block('vars:post-response', pairs(Object.entries(saves).map(([to, from]) => [to, `res.body.${from}`]))),
    block('assert', [`res.status: eq ${status}`]),
    docs(description),
  );
};

/** Gets the token of the application once, and sets the dates; the time is that of the bank. */
const beforeRequest = (days: Collection['days']): string => `if (!bru.getVar('token')) {
  const { data, headers } = await bru.sendRequest({
    method: 'POST',
    url: bru.interpolate('{{baseUrl}}/oauth2/token'),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    auth: { username: bru.getEnvVar('clientId'), password: bru.getEnvVar('clientSecret') },
    data: 'grant_type=client_credentials&scope=' + encodeURIComponent(bru.getEnvVar('scope')),
  });
  bru.setVar('token', data.access_token);
  bru.setVar('now', new Date(headers['x-sandbox-clock'] || headers.date).toISOString());
}
const day = (days) => new Date(Date.parse(bru.getVar('now')) + days * 86400000).toISOString().slice(0, 10);
${days.map((one) => `bru.setVar('${dayVariable(one)}', day(${one}));`).join('\n')}`;

/** A token that has expired is replaced at the next request; the clock of a sandbox may have moved. */
const afterAnswer = `if (res.getStatus() === 401) bru.deleteVar('token');
const now = res.getHeader('x-sandbox-clock');
if (now) bru.setVar('now', now);`;

const isSecret = (name: string): boolean => secretVariables.some((secret) => secret === name);

const environmentFile = ({ variables }: Collection): string => {
  const entries = Object.entries(variables);
  // The secret of a sandbox that belongs to all of its users is not stored apart.
  const secrets = entries.filter(([name, value]) => isSecret(name) && value === '').map(([name]) => name);
  return file(
    block('vars', pairs(entries.filter(([name]) => !secrets.includes(name)))),
    block('vars:secret', [secrets.join(',\n')], '[', ']'),
  );
};

const listFiles = (
  { id, name, description, folders, requests }: CollectionFolder,
  at: string,
  seq: number,
): readonly (readonly [path: string, text: string])[] => [
  [`${at}${id}/folder.bru`, file(block('meta', [`name: ${name}`, `seq: ${seq}`]), docs(description))],
  ...folders.flatMap((folder, index) => listFiles(folder, `${at}${id}/`, index + 1)),
  ...requests.map(
    (request, index) =>
      [`${at}${id}/${request.id}.bru`, requestFile(request, folders.length + index + 1)] as const,
  ),
];

/** Returns the files of a Bruno collection, by their path in its folder (https://docs.usebruno.com/bru-lang/overview). */
export const brunoFiles = (collection: Collection): ReadonlyMap<string, string> =>
  new Map([
    [
      'bruno.json',
      `${JSON.stringify({ version: '1', name: collection.name, type: 'collection' }, null, 2)}\n`,
    ],
    [
      'collection.bru',
      file(
        block('meta', [`name: ${collection.name}`]),
        block('script:pre-request', [beforeRequest(collection.days)]),
        block('script:post-response', [afterAnswer]),
        docs(collection.description),
      ),
    ],
    [`environments/${collection.environment}.bru`, environmentFile(collection)],
    ...collection.folders.flatMap((folder, index) => listFiles(folder, '', index + 1)),
  ]);
