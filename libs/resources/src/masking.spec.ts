import { describe, expect, it } from '@jest/globals';
import { exampleBodies } from '@xs2a/domain/payment/example-bodies';
import { euroExampleBodies } from '@xs2a/domain/payment/standards/euro-example-bodies';
import { paymentFields } from '@xs2a/domain/payment/fields/payment-fields';
import { lastFour, masked } from './masking.js';

const iban = 'BG80BNBG96611020345678';

/** Payment fields that cannot contain personal data: codes, amounts and dates. */
const harmless = new Set([
  'instructedAmount',
  'creditorAgent',
  'purposeCode',
  'chargeBearer',
  'serviceLevel',
  'requestedExecutionDate',
]);
const canary = 'CANARY';
/** Copies a value with the same structure and replaces each text in it with a canary. */
const withCanaries = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withCanaries);
  if (typeof value !== 'object' || value === null) return `${canary}-0042`;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withCanaries(one)]));
};
/** All payment fields that exist, including those that no product accepts yet. */
const everyField = Object.fromEntries(paymentFields.map(({ path }) => [path, 'text']));

describe('the masking of events for operators (quality, Security: IBANs as last 4)', () => {
  it.each([...Object.entries(exampleBodies), ...Object.entries(euroExampleBodies)])(
    'shows no personal data of a %s',
    (_product, example) => {
      const body = Object.fromEntries(
        Object.entries({ ...everyField, ...example }).map(([name, value]) => [
          name,
          harmless.has(name) ? value : withCanaries(value),
        ]),
      );
      const order = withCanaries({
        debtorIban: '',
        creditorAccount: '',
        creditorName: '',
        remittance: '',
        endToEndId: '',
      });
      const seen = masked({ body, order, redirectUris: { ok: canary, nok: canary }, idempotencyKey: canary });
      expect(JSON.stringify(seen)).not.toContain(canary);
      expect(seen).toMatchObject({
        body: { debtorAccount: { iban: '…0042' }, instructedAmount: example['instructedAmount'] },
        order: { debtorIban: '…0042', creditorAccount: '…0042', remittance: '(hidden)' },
      });
    },
  );

  it('hides a member that is not on any list, whatever its value', () => {
    const seen = masked({ nickname: 'Иван', more: { iban }, lines: [{ iban }, iban], iban });
    expect(seen).toEqual({
      nickname: '(hidden)',
      more: '(hidden)',
      lines: ['(hidden)', '(hidden)'],
      iban: '…5678',
    });
    expect([masked('Иван'), masked([iban])]).toEqual(['(hidden)', '(hidden)']);
  });

  it('shows only the last four characters of an account number, whichever member contains it', () => {
    expect(
      masked({
        debtorIban: iban,
        creditorAccount: 'XS-0099',
        debtorAccount: { iban, currency: 'BGN' },
        accounts: [{ iban, access: ['balances'] }],
        access: { balances: [{ iban, currency: 'BGN' }], transactions: [iban] },
        reason: `from ${iban}, soon`,
      }),
    ).toEqual({
      debtorIban: '…5678',
      creditorAccount: '…0099',
      debtorAccount: { iban: '…5678', currency: 'BGN' },
      accounts: [{ iban: '…5678', access: ['balances'] }],
      access: { balances: [{ iban: '…5678', currency: 'BGN' }], transactions: ['…5678'] },
      reason: 'from …5678, soon',
    });
    expect(lastFour('1234')).toBe('…');
  });

  it('does not mask ids, amounts, times and flags', () => {
    const data = {
      paymentId: '01890a5d-ac96-774b-bcce-b302099a8057',
      amount: { minor: 1250, currency: 'BGN' },
      dueAt: '2026-01-05T10:00:00.000Z',
      fundsAvailable: false,
      psuId: 'ivan',
      reason: null,
    };
    expect(masked(data)).toEqual(data);
  });
});
