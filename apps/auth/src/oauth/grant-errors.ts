/**
 * Maps each detail that oidc-provider reports for a refused code or refresh token to the error_description that the
 * client receives. An unknown code and a code of another client have the same description, so that a client cannot find
 * out which codes other clients have.
 */
const descriptions: readonly (readonly [detail: RegExp, description: string])[] = [
  [
    /^(?:authorization code not found|refresh token not found|client mismatch)$/,
    'The code or refresh token is unknown, was withdrawn, or belongs to another client. Start a new authorization.',
  ],
  [
    /^authorization code already consumed$/,
    'The code was used before, and its tokens were revoked. Start a new authorization, and send each code once.',
  ],
  [
    /already (?:used|consumed)$/,
    'The refresh token was used before, and this request does not count as a repeat of that one. All tokens of this authorization were revoked. Start a new one.',
  ],
  [
    /^(?:grant (?:not found|is expired)|the grant is gone)$|account/,
    'The consent or the authorization has ended. Ask the PSU for a new one.',
  ],
  [/ is expired$/, 'The code or refresh token has expired. Start a new authorization.'],
  [
    /^code_verifier /,
    'code_verifier is missing, or is not the one whose S256 hash was sent as code_challenge.',
  ],
  [/redirect_uri mismatch$/, 'redirect_uri is not the one of the authorization request.'],
  [
    /DPoP|jkt|mutual TLS|x5t/,
    'The code or refresh token is bound to another key or certificate. Send the request with the one that it was issued to.',
  ],
];

/**
 * Returns the error_description of `invalid_grant` for a detail of oidc-provider; undefined for a detail that the
 * installed release of oidc-provider does not report.
 */
export const describeGrantError = (detail: unknown): string | undefined =>
  typeof detail !== 'string' ? undefined : descriptions.find(([known]) => known.test(detail))?.[1];

/**
 * Returns the error_description of `invalid_dpop_proof` for a proof that oidc-provider cannot verify; undefined for any
 * other error, whose own description names the wrong member.
 */
export const describeProofError = (description: unknown): string | undefined =>
  description === 'invalid DPoP key binding'
    ? 'The DPoP proof is not a JWT of type dpop+jwt that is signed with ES256 or PS256 and verifies with the public key in its header jwk.'
    : undefined;
