import { describe, expect, it } from '@jest/globals';
import type { ShownRow, SignatureEvidence } from '@xs2a/domain/sca/signature-evidence';
import { signedPayment } from '@xs2a/domain/sca/signed-payment';
import { digestContent } from '@xs2a/runtime/signing/basket-summary';
import { checkSignatures, showsContent } from './signature-checks.js';

const order = {
  amount: { minor: 123_450, currency: 'BGN' },
  debtorIban: 'BG25XSBK92001000000001',
  creditorAccount: 'BG80BNBG96611020345678',
  creditorName: 'Мария',
  remittance: 'x',
};
const rowsWith = (amount: string): readonly ShownRow[] => [
  { label: 'Сума', value: amount, shows: 'amount' },
  { label: 'Получател', value: 'Мария', shows: 'payee' },
  { label: 'Сметка', value: 'BG80BNBG96611020345678', shows: 'payeeAccount' },
  { label: 'Кога', value: 'днес' },
];
const rows = rowsWith('1234,50 лв.');

describe('the check of the rows that a PSU saw when signing', () => {
  it('accepts the amount in every notation that the SCA pages use', () => {
    for (const amount of ['1234,50 лв.', '1\u00a0234,50 лв.', 'BGN 1,234.50', '631,19 € (1\u00a0234,50 лв.)'])
      expect([amount, showsContent(rowsWith(amount), [order], false)]).toEqual([amount, true]);
    const euro = { ...order, amount: { minor: 7, currency: 'EUR' } };
    for (const amount of ['0,07 €', '€0.07', 'EUR 0.07'])
      expect([amount, showsContent(rowsWith(amount), [euro], false)]).toEqual([amount, true]);
  });

  it('accepts one space for several spaces in the name and account of the payee, because HTML displays them as one', () => {
    const spaced = { ...order, creditorName: 'Acme  Ltd ', creditorAccount: 'ACC  12' };
    const shownAs = (payee: string, account: string): readonly ShownRow[] =>
      rows.map((row) => {
        if (row.shows === 'payee') return { ...row, value: payee };
        return row.shows === 'payeeAccount' ? { ...row, value: account } : row;
      });
    expect(showsContent(shownAs('Acme  Ltd ', 'ACC 12'), [spaced], false)).toBe(true);
    expect(showsContent(shownAs('Acme Ltd', 'ACC 12'), [spaced], false)).toBe(true);
    expect(showsContent(shownAs('AcmeLtd', 'ACC 12'), [spaced], false)).toBe(false);
    expect(showsContent(shownAs('Acme Ltd', 'ACC12'), [spaced], false)).toBe(false);
  });

  it('rejects rows with a different amount, currency, payee or account, and rows with the amount twice', () => {
    const other: readonly (readonly ShownRow[])[] = [
      rowsWith('123,45 лв.'),
      rowsWith('1234,50 €'),
      rowsWith('1234,50'),
      ...(['payee', 'payeeAccount'] as const).map((part) =>
        rows.map((row) => (row.shows === part ? { ...row, value: 'Another' } : row)),
      ),
      rows.slice(1),
      [...rows, { label: 'Сума', value: '1,00 лв.', shows: 'amount' }],
      [],
    ];
    for (const wrong of other) expect(showsContent(wrong, [order], false)).toBe(false);
  });

  it('compares the total and the number of payments of a bulk payment', () => {
    const half = { ...order, amount: { minor: 61_725, currency: 'BGN' } };
    const bulk = (count: string): readonly ShownRow[] => [
      { label: 'Сума', value: '1234,50 лв.', shows: 'amount' },
      { label: 'Брой', value: count, shows: 'count' },
    ];
    expect(showsContent(bulk('2'), [half, half], true)).toBe(true);
    expect(showsContent(bulk('3'), [half, half], true)).toBe(false);
  });
});

describe('the check of the signatures of a payment', () => {
  const paymentId = 'p';
  const binding = digestContent(signedPayment({ paymentId, service: 'payments', orders: [order] }));
  const pageOf = { language: 'bg', textsVersion: 't' };
  const check = (evidence?: SignatureEvidence) =>
    checkSignatures({
      events: [
        { version: 1, type: 'initiated', data: { paymentId, order } },
        { version: 2, type: 'grouped', data: { basketId: 'b' } },
        { version: 3, type: 'signed', data: { psuId: 'ivan', evidence } },
      ],
    })[0];

  it('compares the digest of a signature with the payment, and the rows of its page with the order', () => {
    const version = 3;
    const bound = { version, isBound: true, isOfBasket: false };
    expect(check({ ...pageOf, binding, rows })).toEqual({ ...bound, isShown: true });
    expect(check({ ...pageOf, binding, rows: rowsWith('1,00 лв.') })).toEqual({ ...bound, isShown: false });
    expect(check({ ...pageOf, binding })).toEqual({ ...bound, isShown: undefined });
    expect(check({ ...pageOf, binding: 'x', rows })).toMatchObject({ isBound: false, isShown: true });
    expect(check()).toMatchObject({ isBound: undefined, isShown: undefined });
  });

  it('accepts the signature of a basket only if the basket contains the digest of the payment', () => {
    const items = ['x', binding];
    const whole = digestContent({ kind: 'basket', resourceId: 'b', items });
    expect(check({ ...pageOf, binding: whole, items })).toMatchObject({ isBound: true, isOfBasket: true });
    expect(check({ ...pageOf, binding: whole, items: ['x'] })).toMatchObject({ isBound: false });
    expect(check({ ...pageOf, binding, items })).toMatchObject({ isBound: false });
  });
});
