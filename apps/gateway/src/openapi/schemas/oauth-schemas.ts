import { oneOf, type Schema, text } from './schema-parts.js';

const strings = (description: string): Schema => ({
  type: 'array',
  items: { type: 'string' },
  description,
});
const flag = (description: string): Schema => ({ type: 'boolean', description });

/** The answers of the authorization server. */
export const oauthSchemas: Readonly<Record<string, Schema>> = {
  OAuthError: {
    type: 'object',
    required: ['error'],
    properties: { error: text('Error code of RFC 6749'), error_description: text('What is wrong') },
  },
  Tokens: {
    type: 'object',
    required: ['access_token', 'token_type', 'expires_in'],
    properties: {
      access_token: text('Send it as Authorization: Bearer, or with a DPoP proof as Authorization: DPoP'),
      token_type: oneOf('DPoP: the token is bound to the key of your proof', 'Bearer', 'DPoP'),
      expires_in: { type: 'integer', description: 'Seconds until the access token expires' },
      scope: text('What the access token allows'),
      refresh_token: text('Obtains the next access token; only with a PSU’s grant'),
      refresh_token_expires_in: { type: 'integer', description: 'Seconds; only with a refresh token' },
    },
  },
  PushedRequest: {
    type: 'object',
    required: ['request_uri', 'expires_in'],
    properties: {
      request_uri: text('Send it with client_id to /oauth2/authorize'),
      expires_in: { type: 'integer', description: 'Seconds until the request_uri expires' },
    },
  },
  KeySet: {
    type: 'object',
    required: ['keys'],
    properties: { keys: { type: 'array', items: { $ref: '#/components/schemas/PublicKey' } } },
  },
  PublicKey: {
    type: 'object',
    required: ['kty', 'kid', 'use', 'alg'],
    properties: {
      kty: { type: 'string', enum: ['EC', 'RSA'] },
      kid: text('The kid in the header of what the key signed'),
      use: { type: 'string', enum: ['sig'] },
      alg: text('The only algorithm of the key, such as ES256'),
      crv: text('The curve of an EC key: P-256'),
      x: text('Coordinate of an EC key, base64url'),
      y: text('Coordinate of an EC key, base64url'),
      n: text('Modulus of an RSA key, base64url'),
      e: text('Exponent of an RSA key, base64url'),
      purpose: text('Only on keys of dispute bundles, which sign neither tokens nor notifications'),
    },
  },
  AuthorizationServer: {
    type: 'object',
    required: [
      'issuer',
      'authorization_endpoint',
      'token_endpoint',
      'pushed_authorization_request_endpoint',
      'revocation_endpoint',
      'jwks_uri',
      'scopes_supported',
      'response_types_supported',
      'response_modes_supported',
      'grant_types_supported',
      'code_challenge_methods_supported',
      'token_endpoint_auth_methods_supported',
      'authorization_response_iss_parameter_supported',
    ],
    properties: {
      issuer: text('The aud of a client assertion, and the iss of a redirect'),
      authorization_endpoint: text('Where you send the PSU’s browser'),
      token_endpoint: text('Issues tokens'),
      pushed_authorization_request_endpoint: text('Takes an authorization request (RFC 9126)'),
      revocation_endpoint: text('Revokes tokens (RFC 7009)'),
      jwks_uri: text('The public keys that verify notifications and access tokens'),
      service_documentation: text('The documentation for people'),
      scopes_supported: strings('The scopes; a TPP gets those of its roles'),
      response_types_supported: strings('code only'),
      response_modes_supported: strings('query only: the code is in the query of the redirect'),
      grant_types_supported: strings('The grants of the token endpoint'),
      code_challenge_methods_supported: strings('PKCE: S256 only'),
      token_endpoint_auth_methods_supported: strings('How a client authenticates'),
      token_endpoint_auth_signing_alg_values_supported: strings('Algorithms of a client assertion'),
      revocation_endpoint_auth_methods_supported: strings('As at the token endpoint'),
      revocation_endpoint_auth_signing_alg_values_supported: strings('As at the token endpoint'),
      dpop_signing_alg_values_supported: strings('Algorithms of a DPoP proof'),
      require_pushed_authorization_requests: flag('True if each authorization request has to be pushed'),
      request_uri_parameter_supported: flag('False: only a request_uri of this server is accepted'),
      authorization_response_iss_parameter_supported: flag('True: the redirect has iss (RFC 9207)'),
      tls_client_certificate_bound_access_tokens: flag('True: tokens can be bound to the QWAC (RFC 8705)'),
    },
  },
};
