import { ref, type Schema } from './schema-parts.js';

const json = (schema: Schema): Schema => ({ 'application/json': { schema } });
const answered = (description: string, content?: Schema): Schema => ({
  description,
  ...(content === undefined ? {} : { content }),
});
const oauthError = (description: string): Schema => answered(description, json(ref('OAuthError')));
const query = (name: string, required: boolean, description: string): Schema => ({
  name,
  in: 'query',
  required,
  schema: { type: 'string' },
  description,
});
const text = { type: 'string' } as const;

const authorize: Schema = {
  operationId: 'authorize',
  tags: ['OAuth 2.0'],
  summary: 'Send the PSU’s browser here',
  description:
    'Ends with a redirect to your registered redirect URI: a code that lives 60 seconds, or an error. Scope PSP_AI needs consentId.',
  parameters: [
    query('response_type', true, 'code'),
    query('client_id', true, 'Your client id'),
    query('redirect_uri', true, 'Exactly as registered'),
    query('scope', true, 'PSP_AI or PSP_IC'),
    query('consentId', false, 'The consent, for PSP_AI'),
    query('state', false, 'Comes back'),
    query('code_challenge', false, 'PKCE, RFC 7636'),
    query('code_challenge_method', false, 'S256'),
  ],
  responses: {
    '302': answered('To the bank’s pages, or back to you with an error'),
    '303': answered('To the bank’s pages, or back to you with an error'),
    '400': answered('Nobody to redirect to: client or redirect URI unknown'),
    '503': oauthError('temporarily_unavailable'),
  },
  security: [],
};

const token: Schema = {
  operationId: 'token',
  tags: ['OAuth 2.0'],
  summary: 'Obtain a token',
  description: 'client_credentials, authorization_code or refresh_token. Errors are in the form of RFC 6749.',
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          required: ['grant_type'],
          properties: {
            grant_type: {
              type: 'string',
              enum: ['client_credentials', 'authorization_code', 'refresh_token'],
            },
            scope: text,
            code: text,
            redirect_uri: text,
            code_verifier: text,
            refresh_token: text,
            client_id: text,
            client_secret: text,
          },
        },
      },
    },
  },
  responses: {
    '200': answered(
      'The token',
      json({
        type: 'object',
        required: ['access_token', 'token_type', 'expires_in'],
        properties: {
          access_token: text,
          token_type: { type: 'string', enum: ['Bearer'] },
          expires_in: { type: 'integer', description: 'Seconds' },
          scope: text,
          refresh_token: text,
        },
      }),
    ),
    '400': oauthError('invalid_request, invalid_grant, invalid_scope'),
    '401': oauthError('invalid_client'),
    '503': oauthError('temporarily_unavailable'),
  },
  security: [],
};

const get = (
  operationId: string,
  tag: string,
  summary: string,
  responses: Schema,
): Readonly<Record<string, Schema>> => ({
  get: { operationId, tags: [tag], summary, responses, security: [] },
});

/** Paths that are not endpoints of the matrix: the authorization server’s, and those about this service. */
export const otherPaths: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  '/oauth2/authorize': { get: authorize },
  '/oauth2/token': { post: token },
  '/.well-known/oauth-authorization-server': get('discovery', 'OAuth 2.0', 'Discovery (RFC 8414)', {
    '200': answered('Endpoints, grants and algorithms', json({ type: 'object' })),
    '503': oauthError('temporarily_unavailable'),
  }),
  '/health/live': get('live', 'Service', 'Is the process alive?', {
    '200': answered('Yes', json(ref('Live'))),
  }),
  '/health/ready': get('ready', 'Service', 'Is the service ready for requests?', {
    '200': answered('Yes', json(ref('Ready'))),
    '503': answered('No', json(ref('Ready'))),
  }),
  '/openapi.json': get('openapi', 'Service', 'This document', {
    '200': answered('OpenAPI 3.0', json({ type: 'object' })),
  }),
  '/docs': get('docs', 'Service', 'This description as a page', {
    '200': answered('HTML', { 'text/html': { schema: text } }),
  }),
};
