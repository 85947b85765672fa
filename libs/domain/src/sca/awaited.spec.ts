import { describe, expect, it } from '@jest/globals';
import { type Authorisation, awaitedOf, listAwaited, type Signable } from './authorisations.js';

const one = (more: Partial<Authorisation>): Authorisation => ({
  authorisationId: 'a',
  scaStatus: 'received',
  ...more,
});
const resource = (authorisations: readonly Authorisation[], more: Partial<Signable> = {}): Signable => ({
  signaturesRequired: 1,
  authorisations,
  ...more,
});

describe('the list of PSUs whose signature a resource awaits', () => {
  it('contains the PSUs whom the TPP named and the PSUs who have signed in', () => {
    expect(listAwaited(resource([one({})]))).toBeUndefined();
    expect(listAwaited(resource([one({})], { namedPsuId: 'ivan' }))).toEqual(['ivan']);
    expect(listAwaited(resource([one({ namedPsuId: 'maria' })]))).toEqual(['maria']);
    const signedIn = one({ psuId: 'ivan', scaStatus: 'psuIdentified' });
    expect(listAwaited(resource([signedIn]))).toEqual(['ivan']);
    expect(awaitedOf(resource([one({ namedPsuId: 'ivan' }), signedIn]), 'ivan')).toBe(signedIn);
  });

  it('omits a PSU who has signed, and a PSU named for an authorisation that another PSU uses or that has ended', () => {
    const signed = one({ psuId: 'ivan', namedPsuId: 'ivan', scaStatus: 'finalised' });
    const open = one({ authorisationId: 'b', namedPsuId: 'maria' });
    expect(listAwaited(resource([signed, open], { namedPsuId: 'ivan', signaturesRequired: 2 }))).toEqual([
      'maria',
    ]);
    expect(listAwaited(resource([one({ namedPsuId: 'ivan', scaStatus: 'failed' })]))).toBeUndefined();
    const taken = one({ psuId: 'maria', scaStatus: 'psuIdentified' });
    expect(listAwaited(resource([taken], { namedPsuId: 'ivan' }))).toEqual(['maria']);
    expect(listAwaited(resource([], { namedPsuId: 'ivan', signaturesRequired: 2 }))).toBeUndefined();
  });
});
