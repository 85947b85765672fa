import { type Schema, text } from './schema-parts.js';

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
      access_token: { type: 'string' },
      token_type: { type: 'string', enum: ['Bearer', 'DPoP'] },
      expires_in: { type: 'integer', description: 'Seconds' },
      scope: { type: 'string' },
      refresh_token: { type: 'string' },
      refresh_token_expires_in: { type: 'integer', description: 'Seconds; only with a refresh token' },
    },
  },
  PushedRequest: {
    type: 'object',
    required: ['request_uri', 'expires_in'],
    properties: {
      request_uri: { type: 'string' },
      expires_in: { type: 'integer', description: 'Seconds' },
    },
  },
  KeySet: {
    type: 'object',
    required: ['keys'],
    properties: { keys: { type: 'array', items: { type: 'object', required: ['kty'] } } },
  },
};
