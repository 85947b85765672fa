import {
  type Collection,
  type CollectionFolder,
  type CollectionRequest,
  dayVariable,
  secretVariables,
} from './collection.js';

const script = (listen: 'prerequest' | 'test', text: string): object => ({
  listen,
  script: { type: 'text/javascript', exec: text.split('\n') },
});

const bearer = (token: string): object => ({
  type: 'bearer',
  bearer: [{ key: 'token', value: `{{${token}}}`, type: 'string' }],
});
const credentials: Readonly<Record<CollectionRequest['credentials'], object>> = {
  none: { type: 'noauth' },
  client: {
    type: 'basic',
    basic: [
      { key: 'username', value: '{{clientId}}', type: 'string' },
      { key: 'password', value: '{{clientSecret}}', type: 'string' },
    ],
  },
  token: bearer('token'),
  userToken: bearer('userToken'),
  fundsToken: bearer('fundsToken'),
};

const bodyOf = ({ json, form }: CollectionRequest): object => {
  if (json !== undefined)
    return {
      body: {
        mode: 'raw',
        raw: JSON.stringify(json, null, 2),
        options: { raw: { language: 'json' } },
      },
    };
  if (form === undefined) return {};
  return {
    body: {
      mode: 'urlencoded',
      urlencoded: Object.entries(form).map(([key, value]) => ({ key, value, type: 'text' })),
    },
  };
};

const urlOf = (url: string): object => {
  const [address = '', query] = url.split('?');
  const [host, ...path] = address.split('/');
  return {
    raw: url,
    host: [host],
    path,
    ...(query === undefined
      ? {}
      : { query: [...new URLSearchParams(query)].map(([key, value]) => ({ key, value })) }),
  };
};

const testOf = ({ status, saves }: CollectionRequest): string =>
  [
    `pm.test('answers ${status}', () => pm.response.to.have.status(${status}));`,
    ...Object.entries(saves).map(
      ([to, from]) => `pm.collectionVariables.set('${to}', pm.response.json().${from});`,
    ),
  ].join('\n');

const requestItem = (request: CollectionRequest): object => {
  const { name, description, method, url, headers, json } = request;
  return {
    name,
    event: [script('test', testOf(request))],
    request: {
      method,
      description,
      auth: credentials[request.credentials],
      header: [
        ...headers.map(([key, value]) => ({ key, value })),
        ...(json === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
      ],
      url: urlOf(url),
      ...bodyOf(request),
    },
  };
};

const folderItem = ({ name, description, folders, requests }: CollectionFolder): object => ({
  name,
  description,
  item: [...folders.map(folderItem), ...requests.map(requestItem)],
});

/** Gets the token of the application once, and sets the dates; the time is that of the bank. */
const beforeRequest = (days: Collection['days']): string => `const setDays = () => {
  const now = Date.parse(pm.collectionVariables.get('now'));
  for (const [name, days] of [${days.map((one) => `['${dayVariable(one)}', ${one}]`).join(', ')}])
    pm.collectionVariables.set(name, new Date(now + days * 86400000).toISOString().slice(0, 10));
};
if (pm.collectionVariables.get('token')) setDays();
else
  pm.sendRequest(
    {
      method: 'POST',
      url: pm.variables.replaceIn('{{baseUrl}}/oauth2/token'),
      auth: {
        type: 'basic',
        basic: [
          { key: 'username', value: pm.variables.get('clientId') },
          { key: 'password', value: pm.variables.get('clientSecret') },
        ],
      },
      body: {
        mode: 'urlencoded',
        urlencoded: [
          { key: 'grant_type', value: 'client_credentials' },
          { key: 'scope', value: pm.variables.get('scope') },
        ],
      },
    },
    (error, response) => {
      if (error) throw error;
      pm.collectionVariables.set('token', response.json().access_token);
      const now = response.headers.get('X-Sandbox-Clock') || response.headers.get('Date');
      pm.collectionVariables.set('now', new Date(now).toISOString());
      setDays();
    },
  );`;

/** A token that has expired is replaced at the next request; the clock of a sandbox may have moved. */
const afterAnswer = `if (pm.response.code === 401) pm.collectionVariables.unset('token');
const now = pm.response.headers.get('X-Sandbox-Clock');
if (now) pm.collectionVariables.set('now', now);`;

/** Returns a collection in Postman's format 2.1 (https://schema.postman.com). */
export const postmanCollection = ({ name, description, folders, variables, days }: Collection): object => ({
  info: {
    name,
    description,
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  event: [script('prerequest', beforeRequest(days)), script('test', afterAnswer)],
  variable: Object.entries(variables).map(([key, value]) => ({
    key,
    value,
    type: secretVariables.some((secret) => secret === key) ? 'secret' : 'string',
  })),
  item: folders.map(folderItem),
});
