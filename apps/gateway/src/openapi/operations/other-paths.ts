import { ref, type Schema } from '../schemas/schema-parts.js';

const json = (schema: Schema): Schema => ({ 'application/json': { schema } });
const answered = (description: string, content?: Schema): Schema => ({
  description,
  ...(content === undefined ? {} : { content }),
});
const oauthError = (description: string): Schema => answered(description, json(ref('OAuthError')));
/** The error for a client that is unknown or not authenticated (RFC 6749, 5.2). */
const clientUnknown: Schema = {
  ...oauthError('invalid_client'),
  headers: {
    'WWW-Authenticate': {
      description: 'On a request with an Authorization header: Basic is the only accepted scheme',
      schema: { type: 'string', pattern: '^Basic .+$' },
    },
  },
};
const retryAfter = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } };
/** Responses that every path of the authorization server may return to any request. */
const oauthLater = {
  '429': {
    ...oauthError('temporarily_unavailable: too many requests from your address are in progress'),
    headers: retryAfter,
  },
  '503': { ...oauthError('temporarily_unavailable'), headers: retryAfter },
};
const later = {
  '429': { ...answered('ACCESS_EXCEEDED', json(ref('Errors'))), headers: retryAfter },
};
const entityTag = {
  ETag: { description: 'For If-None-Match in the next request', required: true, schema: { type: 'string' } },
};
const query = (name: string, required: boolean, description: string): Schema => ({
  name,
  in: 'query',
  required,
  schema: { type: 'string' },
  description,
});
const text = { type: 'string' } as const;
const described = (description: string): Schema => ({ ...text, description });
/** The form fields for client authentication without an Authorization header. */
const clientFields = {
  client_id: described(
    'Your client id; not needed with HTTP Basic (client_secret_basic) or with a client_assertion',
  ),
  client_secret: described('Your secret, with client_secret_post; with HTTP Basic it is in the header'),
  client_assertion: described('A JWT signed with your key: private_key_jwt, RFC 7523'),
  client_assertion_type: {
    type: 'string',
    description: 'Required with client_assertion',
    enum: ['urn:ietf:params:oauth:client-assertion-type:jwt-bearer'],
  },
};
const form = (required: readonly string[], properties: Schema): Schema => ({
  required: true,
  content: {
    'application/x-www-form-urlencoded': { schema: { type: 'object', required, properties } },
  },
});
const proof: Schema = {
  name: 'DPoP',
  in: 'header',
  required: false,
  schema: text,
  description: 'A proof (RFC 9449), ES256 or PS256; the issued code or tokens are bound to its key',
};

const authorize: Schema = {
  operationId: 'authorize',
  tags: ['Tokens'],
  summary: 'Send the PSU’s browser here',
  description:
    'Ends with a redirect to your registered redirect URI, with a code that is valid for 60 seconds or with an error. Scope PSP_AI needs consentId.',
  parameters: [
    query(
      'response_type',
      false,
      'code; for a pushed request, request_uri carries this parameter and those that follow',
    ),
    query('client_id', true, 'Your client id'),
    query(
      'request_uri',
      false,
      'From /oauth2/par; required if the discovery document has require_pushed_authorization_requests',
    ),
    query('redirect_uri', false, 'Exactly as registered'),
    query('scope', false, 'PSP_AI or PSP_IC'),
    query('consentId', false, 'The consent, for PSP_AI'),
    query('state', false, 'Returned unchanged with the redirect'),
    query('code_challenge', false, 'PKCE, RFC 7636'),
    query('code_challenge_method', false, 'S256'),
  ],
  responses: {
    '302': answered('To the bank’s pages, or back to you with an error'),
    '303': answered('To the bank’s pages, or back to you with an error'),
    '400': answered('No redirect is possible: the client or redirect URI is unknown'),
    ...oauthLater,
  },
  security: [],
};

const token: Schema = {
  operationId: 'token',
  tags: ['Tokens'],
  summary: 'Obtain a token',
  description:
    'client_credentials, authorization_code or refresh_token. Errors have the form of RFC 6749. With a proof in the DPoP header (RFC 9449), the tokens are bound to your key; with tls_client_auth (RFC 8705: only client_id, over TLS with your QWAC), the access tokens are bound to your certificate.',
  parameters: [proof],
  requestBody: form(['grant_type'], {
    grant_type: {
      type: 'string',
      description: 'client_credentials: a token of your application; the others: a token of a PSU’s grant',
      enum: ['client_credentials', 'authorization_code', 'refresh_token'],
    },
    scope: described(
      'For client_credentials: PSP_AI, PSP_PI or both, with a space between; without it, those of your roles. PSP_IC and the accounts of a PSU need authorization_code, whose scope is that of the authorization request',
    ),
    code: described('For authorization_code: the code from the redirect, once and within 60 seconds'),
    redirect_uri: described('For authorization_code: exactly that of the authorization request'),
    code_verifier: described(
      'For authorization_code: the secret of which the request had the code_challenge (PKCE, RFC 7636)',
    ),
    refresh_token: described('For refresh_token: the latest refresh token of the grant'),
    ...clientFields,
  }),
  responses: {
    '200': answered('The token', json(ref('Tokens'))),
    '400': oauthError('invalid_request, invalid_grant, invalid_scope, invalid_dpop_proof'),
    '401': clientUnknown,
    ...oauthLater,
  },
  security: [],
};

const pushRequest: Schema = {
  operationId: 'pushAuthorizationRequest',
  tags: ['Tokens'],
  summary: 'Push an authorization request (RFC 9126)',
  description:
    'The parameters of /oauth2/authorize, validated immediately. Send the browser to /oauth2/authorize with client_id and request_uri within 60 seconds; a request_uri cannot be used again once the PSU has decided.',
  parameters: [proof],
  requestBody: form(['response_type', 'redirect_uri', 'scope'], {
    response_type: { type: 'string', description: 'The only type: code', enum: ['code'] },
    redirect_uri: described('Exactly as registered'),
    scope: described('PSP_AI (accounts, with consentId) or PSP_IC (funds confirmation)'),
    consentId: described('The consent, for PSP_AI'),
    state: described('Returned unchanged with the redirect'),
    code_challenge: described('PKCE, RFC 7636: base64url of the SHA-256 of your code_verifier'),
    code_challenge_method: { type: 'string', description: 'The only method: S256', enum: ['S256'] },
    dpop_jkt: { ...text, description: 'The thumbprint of the key that will redeem the code' },
    ...clientFields,
  }),
  responses: {
    '201': answered('Identifies the pushed request', json(ref('PushedRequest'))),
    '400': oauthError('invalid_request, invalid_scope, invalid_dpop_proof'),
    '401': clientUnknown,
    ...oauthLater,
  },
  security: [],
};

const revoke: Schema = {
  operationId: 'revokeToken',
  tags: ['Tokens'],
  summary: 'Revoke a token (RFC 7009)',
  description:
    'Revoking an access or refresh token of a PSU’s grant ends the grant: all its tokens are rejected from then on. The consent remains.',
  requestBody: form(['token'], {
    token: described('The access or refresh token to revoke'),
    token_type_hint: described('access_token or refresh_token; has no effect on the result'),
    ...clientFields,
  }),
  responses: {
    '200': answered('The token is no longer valid, if it was yours'),
    '400': oauthError('invalid_request'),
    '401': clientUnknown,
    ...oauthLater,
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

/**
 * The paths that are not in `endpoint-rules.ts`: those of the authorization server, and those about the gateway
 * itself.
 */
export const otherPaths: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  '/oauth2/authorize': { get: authorize },
  '/oauth2/par': { post: pushRequest },
  '/oauth2/token': { post: token },
  '/oauth2/revoke': { post: revoke },
  '/oauth2/jwks': get('jwks', 'Tokens', 'The public keys that verify access tokens (RFC 7517)', {
    '200': answered('A JWK set', { 'application/jwk-set+json': { schema: ref('KeySet') } }),
    ...oauthLater,
  }),
  '/.well-known/oauth-authorization-server': get('discovery', 'Tokens', 'Discovery (RFC 8414)', {
    '200': answered('Endpoints, grants and algorithms', json(ref('AuthorizationServer'))),
    ...oauthLater,
  }),
  '/health/live': get('live', 'Service', 'Is the process alive?', {
    '200': answered('Yes', json(ref('Live'))),
  }),
  '/health/ready': get('ready', 'Service', 'Is the service ready for requests?', {
    '200': answered('Yes', json(ref('Ready'))),
    '503': answered('No', json(ref('Ready'))),
  }),
  '/openapi.json': get('openapi', 'Service', 'This document', {
    '200': { ...answered('OpenAPI 3.0', json({ type: 'object' })), headers: entityTag },
    '304': { ...answered('Unchanged since the response with the ETag in If-None-Match'), headers: entityTag },
    ...later,
  }),
  '/docs': get('docs', 'Service', 'Where this description is for people', {
    '200': answered('Without a developer portal: a page that links this document', {
      'text/html': { schema: text },
    }),
    '302': answered('To the reference of the developer portal'),
    ...later,
  }),
};
