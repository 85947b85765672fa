import { describe, expect, it } from '@jest/globals';
import { masked } from './masking.js';

const iban = 'BG80BNBG96611020345678';

describe('what an operator sees of an event (quality, Security: IBANs as last 4)', () => {
  it('shows account numbers as their last four, under their names and wherever else they stand', () => {
    expect(
      masked({
        debtorIban: iban,
        creditorAccount: 'XS-0099',
        debtorAccount: { iban, currency: 'BGN' },
        accounts: [{ iban }],
        access: { balances: [iban, 'BG80 BNBG 9661 1020 3456 78'] },
        endToEndIdentification: `from ${iban}, soon`,
      }),
    ).toEqual({
      debtorIban: '…5678',
      creditorAccount: '…0099',
      debtorAccount: { iban: '…5678', currency: 'BGN' },
      accounts: [{ iban: '…5678' }],
      access: { balances: ['…5678', '…6 78'] },
      endToEndIdentification: 'from …5678, soon',
    });
  });

  it('shows neither names nor what people wrote', () => {
    const data = {
      creditorName: 'Петър Иванов',
      remittanceInformationUnstructured: 'for the flat',
      remittance: { lines: ['a'] },
      debtorAddress: { street: 'x' },
    };
    expect(Object.values(masked(data) as object)).toEqual(Array.from({ length: 4 }, () => '(hidden)'));
  });

  it('leaves ids, amounts, times and flags alone', () => {
    const data = {
      paymentId: '01890a5d-ac96-774b-bcce-b302099a8057',
      amount: { minor: 1250, currency: 'BGN' },
      dueAt: '2026-01-05T10:00:00.000Z',
      fundsAvailable: false,
      psuId: 'ivan',
      hash: 'ab12cdef3456ab12cdef3456',
      absent: null,
    };
    expect(masked(data)).toEqual(data);
  });
});
