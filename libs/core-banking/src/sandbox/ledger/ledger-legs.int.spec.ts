import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { HoldOrder } from '@xs2a/contracts/accounts.contract';
import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
import { newId } from '@xs2a/runtime/ids';
import { makeCustomers } from '../../testing/customers.js';
import { type FreshBank, freshBank } from '../../testing/fresh-bank.js';
import { ledgerViolations } from './ledger-invariants.js';

let fresh: FreshBank;
beforeAll(async () => {
  fresh = await freshBank();
}, 60_000);
afterAll(() => fresh.close(), 30_000);
afterEach(async () => {
  expect(await ledgerViolations(fresh.pool)).toEqual([]);
});

const { oneAccount } = makeCustomers(() => fresh);
interface Held {
  readonly iban: string;
  readonly resourceId: string;
  readonly currency: string;
}
const account = (currency: string, opening: string): Promise<Held> => oneAccount(opening, { currency });
const balances = async ({ resourceId }: Held): Promise<Record<string, number>> => {
  const [found] = await fresh.bank.accounts.details([resourceId]);
  return Object.fromEntries(
    (found?.balances ?? []).map(({ balanceType, amount }) => [balanceType, amount.minor]),
  );
};
const entries = async ({ resourceId, currency }: Held) => {
  const page = await fresh.bank.accounts.entries({
    resourceId,
    currency,
    dateFrom: '2000-01-01',
    dateTo: fresh.clock.date('Europe/Sofia'),
    bookingStatus: 'both',
    pageSize: 50,
  });
  if (typeof page === 'string') throw new Error('no cursor was sent');
  return page;
};
const order = (debtor: Held, changes: Partial<PaymentOrder>): HoldOrder => ({
  paymentId: newId(),
  order: {
    amount: { minor: 5000, currency: 'EUR' },
    debtorIban: debtor.iban,
    creditorAccount: 'DE89370400440532013000',
    creditorName: 'Max Mustermann',
    remittance: '101%%goods',
    ...changes,
  },
});
const bgn = (minor: number) => ({ minor, currency: 'BGN' });

describe('fees and exchanges as legs of a payment (spec 1.8, contract 8)', () => {
  it('are held, posted and shown together with the amount, in the currency of the account', async () => {
    const debtor = await account('BGN', '100.00');
    const { paymentId, ...rest } = order(debtor, {
      amount: { minor: 5000, currency: 'EUR' },
      debit: bgn(9779),
      rate: '1.95583',
      fee: bgn(80),
    });
    const [held] = await fresh.bank.booking.placeHolds([{ paymentId, ...rest }]);
    expect(held).toMatchObject({ held: true });
    expect(await balances(debtor)).toEqual({ interimAvailable: 10_000, expected: 141 });
    expect((await entries(debtor)).pending.map(({ amount }) => amount.minor).sort((a, b) => a - b)).toEqual([
      -9779, -80,
    ]);
    await fresh.bank.booking.postHolds([paymentId]);
    await fresh.bank.booking.postHolds([paymentId]);
    expect(await balances(debtor)).toEqual({ interimAvailable: 141, expected: 141 });
    const fee = (await entries(debtor)).pending.find(({ amount }) => amount.minor === -80);
    expect(fee).toMatchObject({ remittance: 'Такса за превод', bankTransactionCode: 'ACMT-MDOP-CHRG' });
  });

  it('are refused if the balance covers the amount but not the fee', async () => {
    const debtor = await account('BGN', '50.00');
    const free = order(debtor, { amount: bgn(5000), fee: bgn(0) });
    const charged = order(debtor, { amount: bgn(5000), fee: bgn(1) });
    const results = await fresh.bank.booking.placeHolds([charged, free]);
    expect(results.map((one) => one.held)).toEqual([false, true]);
    expect(results[0]).toMatchObject({ reason: 'insufficient-funds' });
  });

  it('are fully released by a void, which removes both entries', async () => {
    const debtor = await account('BGN', '100.00');
    const payment = order(debtor, { debit: bgn(9779), fee: bgn(80) });
    await fresh.bank.booking.placeHolds([payment]);
    await fresh.bank.booking.voidHolds([payment.paymentId]);
    await fresh.bank.booking.voidHolds([payment.paymentId]);
    expect(await balances(debtor)).toEqual({ interimAvailable: 10_000, expected: 10_000 });
    expect(await entries(debtor)).toMatchObject({ booked: [], pending: [] });
    expect(await fresh.bank.booking.postHolds([payment.paymentId])).toMatchObject([{ posted: false }]);
  });

  it('credit a creditor account at this bank in its own currency, and show the payer', async () => {
    const debtor = await account('BGN', '100.00');
    const creditor = await account('EUR', '1.00');
    const payment = order(debtor, { creditorAccount: creditor.iban, debit: bgn(9779), fee: bgn(80) });
    await fresh.bank.booking.placeHolds([payment]);
    await fresh.bank.booking.postHolds([payment.paymentId]);
    expect(await balances(creditor)).toEqual({ interimAvailable: 5100, expected: 5100 });
    expect((await entries(creditor)).pending).toMatchObject([
      { amount: { minor: 5000, currency: 'EUR' }, debtorAccount: debtor.iban },
    ]);
  });

  it('are refused if the price of the order is in a currency other than that of the account', async () => {
    const debtor = await account('EUR', '100.00');
    expect(await fresh.bank.booking.placeHolds([order(debtor, { debit: bgn(9779) })])).toMatchObject([
      { held: false, reason: 'debtor-account-unusable' },
    ]);
  });
});
