import { listOf, matching, object, oneOf, type Schema, text } from './schema-parts.js';

/** A redirect URI as a TPP registers it. */
export const redirectUri: Schema = {
  ...matching('https, or http to a loopback host; no fragment', '^https?://[!-~]+$'),
  maxLength: 2000,
};

/** What a TPP reads and changes of its own in the sandbox (contract 13). */
export const ownThingsSchemas: Readonly<Record<string, Schema>> = {
  OwnTpp: object({
    clientId: text('Client id'),
    name: text('Name that PSUs see'),
    roles: listOf(oneOf('PSD2 role', 'PSP_AI', 'PSP_PI', 'PSP_IC')),
    redirectUris: listOf(text('Redirect URI')),
    tokenEndpointAuthMethod: text('How the client authenticates at the token endpoint'),
    'jwks?': {
      type: 'object',
      description: 'Your registered public keys (RFC 7517)',
      required: ['keys'],
      properties: { keys: listOf({ type: 'object' }) },
    },
    status: oneOf('Whether the TPP may call the API', 'active', 'blocked'),
  }),
  NewRedirectUri: object({ redirectUri }),
  NewSecret: object({ clientSecret: text('Shown only once') }),
};
