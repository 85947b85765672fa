/** The roles of payment service providers, with their object identifiers (ETSI TS 119 495, 4.2 and annex A). */
export const pspRoles = {
  PSP_AS: '0.4.0.19495.1.1',
  PSP_PI: '0.4.0.19495.1.2',
  PSP_AI: '0.4.0.19495.1.3',
  PSP_IC: '0.4.0.19495.1.4',
} as const;
export type PspRole = keyof typeof pspRoles;
export const pspRoleNames = Object.keys(pspRoles) as readonly PspRole[];

/**
 * `PSDBG-BNB-12345`: the country, the authority's code of two to eight letters, and the number it gave to the TPP
 * (ETSI TS 119 495, 5.2.1).
 */
const identifier = /^PSD([A-Z]{2})-([A-Z]{2,8})-([\x21-\x7e]{1,100})$/;

export const isOrganizationIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && identifier.test(value);

/** Returns `BG-BNB` for `PSDBG-BNB-12345`. */
export const parseAuthority = (organizationIdentifier: string): string => {
  const [, country = '', authority = ''] = identifier.exec(organizationIdentifier) ?? [];
  return `${country}-${authority}`;
};
