import { describe, expect, it } from '@jest/globals';
import { pairwiseSubjects } from './pairwise-subject.js';

const subject = pairwiseSubjects('a secret of at least thirty-two characters');

describe('the subject of a token (contract 4)', () => {
  it('is always the same for the same client, PSU and secret, and differs if one of them differs', () => {
    expect(subject('tpp', 'ivan')).toBe(subject('tpp', 'ivan'));
    const all = [
      subject('tpp', 'ivan'),
      subject('tpp', 'maria'),
      subject('tpp-2', 'ivan'),
      subject('tppi', 'van'),
      pairwiseSubjects('another secret of thirty-two characters')('tpp', 'ivan'),
    ];
    expect(new Set(all).size).toBe(all.length);
    for (const one of all) expect(one).toMatch(/^[\w-]{43}$/);
  });
});
