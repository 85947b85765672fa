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

describe('personal data before encryption (docs/how-to/erasure.md)', () => {
  it.each(['', '{}', '{"psuId":"maria"}', initiation, 'x'.repeat(1_000_000), 'Ж'.repeat(100)])(
    'are converted to bytes and back to the same text (%#)',
    (text) => {
      expect(decompress(compress(text))).toBe(text);
    },
  );

  it('are compressed to less than half of their text size (measured on a payment)', () => {
    expect(compress(initiation).length).toBeLessThan(Buffer.byteLength(initiation) / 2);
  });

  it('stay readable once stored, because the dictionary never changes', () => {
    const stored = 'AUPEK5oZF+Zc2HCx4cKOi/1K+ILOyDQi2Mnb0sjAwNAACgyVapE9QdhcTwKGAQA=';
    expect(JSON.parse(decompress(Buffer.from(stored, 'base64')))).toEqual({
      body: { creditorName: 'Мария', debtorAccount: { iban: 'BG25XSBK92001000000001' } },
      order: { creditorName: 'Мария', debtorIban: 'BG25XSBK92001000000001' },
    });
  });

  it('are refused if a newer release wrote them in a new format', () => {
    expect(() => decompress(Buffer.of(9, 1, 2))).toThrow('no form 9');
  });
});
