import { errors } from 'oidc-provider';

const maxStateBytes = 2048;
/** The maximum size of all other parameters in bytes, not counting the redirect URI, which is registered. */
const maxOtherBytes = 4096;

const countBytes = (value: unknown): number => (typeof value === 'string' ? Buffer.byteLength(value) : 0);

/**
 * Limits the size of an authorization request, because anybody can send one, and it is stored until the PSU has
 * decided.
 */
export const checkRequestSize = (params: Readonly<Record<string, unknown>>): void => {
  const { state, redirect_uri: _registered, ...others } = params;
  if (countBytes(state) > maxStateBytes)
    throw new errors.InvalidRequest(`state is longer than ${maxStateBytes} bytes: send a shorter one`);
  const sum = Object.values(others).reduce((bytes: number, value) => bytes + countBytes(value), 0);
  if (sum > maxOtherBytes)
    throw new errors.InvalidRequest(`the parameters are longer than ${maxOtherBytes} bytes in total`);
};
