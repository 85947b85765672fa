import { describe, expect, it } from '@jest/globals';
import { tokenOwner } from './token-owner.js';

const url = '/v1/%zz?access_token=first&access_token=second';
/** Returns the tokens whose signatures `tokenOwner` verifies for a call. */
const verifiedOf = async (
  share: { readonly isExceeded: boolean } | undefined,
  { authorization, sandbox = true }: { readonly authorization?: string; readonly sandbox?: boolean } = {},
): Promise<readonly string[]> => {
  const verified: string[] = [];
  const firstIssued = async (tokens: readonly string[]): Promise<undefined> => void verified.push(...tokens);
  await tokenOwner({ url, headers: { authorization }, share }, { sandbox, callers: { firstIssued } });
  return verified;
};
const within = { isExceeded: false };

describe('the token that identifies the TPP of a call refused before the token check (contract 13)', () => {
  it('is the token in the header or the first token in the URL; a further token in the URL is never verified', async () => {
    expect(await verifiedOf(within, { authorization: 'DPoP header' })).toEqual(['header', 'first']);
    expect(await verifiedOf(within, { authorization: 'Basic header' })).toEqual(['first']);
    expect(await verifiedOf(within, { authorization: 'Bearer one two' })).toEqual(['first']);
    expect(await verifiedOf(within)).toEqual(['first']);
  });

  it('is not verified for a call without a share, a call beyond the share of its address, or a call outside a sandbox', async () => {
    expect(await verifiedOf(undefined)).toEqual([]);
    expect(await verifiedOf({ isExceeded: true })).toEqual([]);
    expect(await verifiedOf(within, { sandbox: false })).toEqual([]);
  });
});
