import { describe, expect, it } from '@jest/globals';
import { exampleBodies } from '@xs2a/domain/payment/example-bodies';
import { isBankingDay } from '@xs2a/domain/payment/execution-day';
import type { LevProduct } from '@xs2a/domain/payment/payment-products';
import { validatePayment } from '@xs2a/domain/payment/fields/validate-payment';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readProfile } from './profile-file.js';

const shipped = fileURLToPath(new URL('../../../deploy/profiles/', import.meta.url));

/** Returns the production profile of a bank that changed some members of one file. */
const changed = (file: string, change: object) => {
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-profile-'));
  cpSync(shipped, folder, { recursive: true });
  const before: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  writeFileSync(join(folder, file), JSON.stringify({ ...Object(before), ...change }));
  return readProfile(join(folder, 'production.json'));
};

const outcome = (profile: ReturnType<typeof readProfile>, product: LevProduct, change: object = {}) => {
  const rules = { profile, today: '2026-11-20', ownBankCode: 'XSBK' };
  const result = validatePayment(product, { ...exampleBodies[product], ...change }, rules);
  return 'failures' in result
    ? result.failures.map(({ failure, path }) => [failure, path])
    : result.valid.paymentType;
};
const toGermany = { creditorAccount: { iban: 'DE89370400440532013000' } };
const crossBorder = 'cross-border-credit-transfer';

describe('the tables that a bank can configure (contract 8)', () => {
  const asShipped = readProfile(join(shipped, 'production.json'));

  it('contain SEPA reachability by country and by bank; a payment to an unreachable bank counts as a foreign payment (spec 1.9)', () => {
    expect(outcome(asShipped, 'SEPA-Credit-Transfer', toGermany)).toBe('SEPA');
    const withoutGermany = changed('tables/sepa-reachability.json', { countries: ['BG', 'FR'] });
    expect(outcome(withoutGermany, 'SEPA-Credit-Transfer', toGermany)).toEqual([['productWrong', undefined]]);
    const withoutOneBank = changed('tables/sepa-reachability.json', { exceptBanks: ['COBADEFF'] });
    const throughIt = { ...toGermany, creditorAgent: 'COBADEFFXXX' };
    expect(outcome(asShipped, 'SEPA-Credit-Transfer', throughIt)).toBe('SEPA');
    expect(outcome(withoutOneBank, 'SEPA-Credit-Transfer', throughIt)).toEqual([['productWrong', undefined]]);
    expect(outcome(withoutOneBank, 'SEPA-Credit-Transfer', { ...toGermany, creditorAgent: undefined })).toBe(
      'SEPA',
    );
  });

  it('contain the EEA, within which the charge bearer may be omitted', () => {
    const inKroner = { instructedAmount: { currency: 'SEK', amount: '1.00' }, chargeBearer: undefined };
    const submitted = { ...toGermany, ...inKroner };
    expect(outcome(asShipped, crossBorder, submitted)).toBe('FOREIGN');
    const missing = [['fieldMissing', 'chargeBearer']];
    expect(outcome(changed('tables/eea.json', { currencies: ['EUR'] }), crossBorder, submitted)).toEqual(
      missing,
    );
    expect(outcome(changed('tables/eea.json', { countries: ['BG'] }), crossBorder, submitted)).toEqual(
      missing,
    );
  });

  it('contain holidays', () => {
    expect(isBankingDay('2026-11-24', asShipped)).toBe(true);
    expect(isBankingDay('2026-11-24', changed('tables/holidays-bg.json', { days: ['2026-11-24'] }))).toBe(
      false,
    );
  });

  it('prevent startup if one of them is invalid, with an error that names the field', () => {
    expect(() => changed('tables/eea.json', { countries: ['Bulgaria'] })).toThrow('"eea.countries"');
    expect(() => changed('production.json', { sepa: 'tables/none.json' })).toThrow('none.json');
  });
});
