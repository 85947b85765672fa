import { describe, expect, it } from '@jest/globals';
import { compress, decompress } from './compressed.js';

const initiation = JSON.stringify({
  body: {
    creditorAccount: { iban: 'BG80BNBG96611020345678' },
    creditorName: 'Мария Георгиева',
    debtorAccount: { iban: 'BG25XSBK92001000000001' },
    instructedAmount: { amount: '12.50', currency: 'BGN' },
    remittanceInformationUnstructured: 'Фактура 1',
  },
  order: {
    creditorAccount: 'BG80BNBG96611020345678',
    creditorName: 'Мария Георгиева',
    debtorIban: 'BG25XSBK92001000000001',
  },
});

describe('personal data before they are encrypted (docs/how-to/erasure.md)', () => {
  it.each(['', '{}', '{"psuId":"maria"}', initiation, 'x'.repeat(1_000_000), 'Ж'.repeat(100)])(
    'become bytes and a text again (%#)',
    (text) => {
      expect(decompress(compress(text))).toBe(text);
    },
  );

  it('of a payment take less than half of their text', () => {
    expect(compress(initiation).length).toBeLessThan(Buffer.byteLength(initiation) / 2);
  });

  it('that were stored stay readable: the dictionary never changes', () => {
    const stored = 'AUPEK5oZF+Zc2HCx4cKOi/1K+ILOyDQi2Mnb0sjAwNAACgyVapE9QdhcTwKGAQA=';
    expect(JSON.parse(decompress(Buffer.from(stored, 'base64')))).toEqual({
      body: { creditorName: 'Мария', debtorAccount: { iban: 'BG25XSBK92001000000001' } },
      order: { creditorName: 'Мария', debtorIban: 'BG25XSBK92001000000001' },
    });
  });

  it('in a form that a newer release wrote are refused', () => {
    expect(() => decompress(Buffer.of(9, 1, 2))).toThrow('no form 9');
  });
});
