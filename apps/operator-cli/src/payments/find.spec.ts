import { describe, expect, it } from '@jest/globals';
import { coverage } from './find.js';

const result = {
  payments: [],
  found: 0,
  searched: 1214,
  candidates: 1214,
  archivedMonths: [],
  isOutdated: false,
};
const amount = { minor: 1250, currency: 'BGN' };
const [ofTpp, ofPsu] = [
  { tpp: 'sandbox-tpp', amount: undefined },
  { tpp: undefined, amount: undefined },
];

describe('the text below the payments that were found (docs/how-to/operate.md)', () => {
  it('states how many payments were searched', () => {
    expect(coverage(result, ofTpp)).toEqual(['searched 1,214 of 1,214', 'found 0']);
  });

  it('says how to narrow a search that does not cover all payments', () => {
    const cut = { ...result, searched: 2000, candidates: 3412 };
    const first = (options: Parameters<typeof coverage>[1]) => coverage(cut, options)[0];
    const searched = 'searched 2,000 of 3,412, the newest';
    expect(first(ofTpp)).toBe(`${searched}; narrow the search with --amount or --psu in place of --tpp`);
    expect(first({ ...ofTpp, amount })).toBe(`${searched}; narrow the search with --psu in place of --tpp`);
    expect(first(ofPsu)).toBe(`${searched}; narrow the search with --amount`);
    expect(first({ ...ofPsu, amount })).toBe(searched);
  });

  it('names what an archive or an upgrade keeps from being searched, and the command that helps', () => {
    expect(coverage({ ...result, archivedMonths: ['2026-09'], isOutdated: true }, ofTpp).slice(2)).toEqual([
      expect.stringMatching(/^2026-09 is archived: .* not searched\. Run: .*archive list$/),
      expect.stringMatching(/^Payments from before an upgrade .*\. Run: .*projections rebuild payment_view$/),
    ]);
  });
});
