import createClient, { type Client } from 'openapi-fetch';
import type { Connection } from './connection.js';
import type { paths } from './generated/euro.js';
import type { TokenSource } from './tokens.js';

/** The bank's interface, typed from its API description: `GET('/v1/accounts')`, `POST('/v1/signing-baskets', …)`. */
export type Api = Client<paths>;

const isExpired = async (response: Response): Promise<boolean> => {
  if (response.status !== 401) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const messages: unknown = Reflect.get(Object(body), 'tppMessages');
  return Array.isArray(messages) && messages.some(({ code }) => code === 'TOKEN_EXPIRED');
};

/** The interface with the tokens of a source. Each request has an `X-Request-ID`. */
export const createApi = (
  connection: Connection,
  source: TokenSource,
  headers: Readonly<Record<string, string>> = {},
): Api =>
  createClient<paths>({
    baseUrl: connection.options.baseUrl.replace(/\/$/, ''),
    headers: { ...headers },
    fetch: async (request) => {
      if (!request.headers.has('x-request-id')) request.headers.set('x-request-id', crypto.randomUUID());
      const token = await source.accessToken();
      const response = await connection.fetch(token, request.clone());
      if (!(await isExpired(response))) return response;
      return connection.fetch(await source.renew(token), request);
    },
  });
