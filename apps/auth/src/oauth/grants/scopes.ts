import type { TppRole } from '@xs2a/contracts/auth.contract';

/** The only resource server. Access tokens for it have the `aud` value that the gateway's contract requires. */
export const resourceServer = 'urn:xs2a';

/** The scopes of application tokens; below, the scopes that a PSU can grant (contract 4). */
const applicationScopes: readonly TppRole[] = ['PSP_AI', 'PSP_PI'];
const userScopes = ['PSP_AI', 'PSP_IC'] as const;
export type UserScope = (typeof userScopes)[number];

const splitWords = (scope: string | undefined): string[] => [
  ...new Set((scope ?? '').split(' ').filter((word) => word !== '')),
];

/**
 * Returns the scope of an application token: the requested one or, if none was requested, everything that the
 * TPP's roles permit. Undefined if the TPP may not obtain the requested scope in this way, or if its roles permit
 * none.
 */
export const applicationScope = (
  requested: string | undefined,
  roles: readonly string[],
): string | undefined => {
  const allowed = applicationScopes.filter((scope) => roles.includes(scope));
  const words = splitWords(requested);
  const scope = words.length === 0 ? allowed : words;
  const isAllowed = scope.length > 0 && scope.every((word) => allowed.some((one) => one === word));
  return isAllowed ? scope.join(' ') : undefined;
};

/**
 * Returns the reason for the TPP why {@link applicationScope} refuses the requested scope. The reason never repeats the
 * request, which may contain any text.
 */
export const whyApplicationScopeRefused = (requested: string | undefined): string => {
  const words = splitWords(requested);
  if (words.includes('PSP_IC')) return 'PSP_IC needs the grant authorization_code';
  return words.every((word) => applicationScopes.some((one) => one === word))
    ? 'your registration and certificate do not allow this scope'
    : 'this scope is unknown: ask for PSP_AI or PSP_PI';
};

/**
 * Returns the single scope that an authorization request may name. Undefined if it names no scope, several scopes,
 * or one that no PSU can grant.
 */
export const userScope = (requested: string | undefined, roles: readonly string[]): UserScope | undefined => {
  const [word, ...others] = splitWords(requested);
  const scope = userScopes.find((one) => one === word);
  return others.length === 0 && scope !== undefined && roles.includes(scope) ? scope : undefined;
};

interface AskedFor {
  readonly scope: string | undefined;
  readonly consentId: string | undefined;
}

/**
 * Returns the account scope in canonical form (contract 4): `AISP` becomes PSP_AI, and so does `AIS:<consentId>`,
 * which also names the consent. Undefined if the request names two consents.
 */
export const canonicalRequest = ({ scope, consentId }: AskedFor): AskedFor | undefined => {
  const consentIds = new Set(consentId === undefined ? [] : [consentId]);
  const words = splitWords(scope).map((word) => {
    if (word === 'AISP') return 'PSP_AI';
    if (!word.startsWith('AIS:')) return word;
    consentIds.add(word.slice('AIS:'.length));
    return 'PSP_AI';
  });
  if (consentIds.size > 1) return undefined;
  return {
    scope: scope === undefined ? undefined : [...new Set(words)].join(' '),
    consentId: [...consentIds][0],
  };
};
