import { callFailed } from '@xs2a/domain/failure/failed';

/** An access token and the scheme with which it was sent. */
export interface Credentials {
  readonly scheme: 'Bearer' | 'DPoP';
  readonly token: string;
}

const schemes = { bearer: 'Bearer', dpop: 'DPoP' } as const;
const one = /^[a-z]+ +([A-Za-z0-9._~+/-]+=*) *$/i;

/**
 * Parses an Authorization header. Throws CallFailed if it has no token or more than one (RFC 6750 §2.1, RFC 9449
 * §7.1).
 */
export const parseCredentials = (authorization: string | undefined): Credentials => {
  const [word = ''] = (authorization ?? '').split(' ', 1);
  const name = word.toLowerCase();
  if (name !== 'bearer' && name !== 'dpop') throw callFailed('tokenMissing');
  const token = one.exec(authorization ?? '')?.[1];
  if (token === undefined) throw callFailed('tokenUnknown');
  return { scheme: schemes[name], token };
};
