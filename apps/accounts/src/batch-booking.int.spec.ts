import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AisCaller,
  type HoldOrder,
  listPsuAccounts,
  listTransactions,
  placeHolds,
  readTransaction,
} from '@xs2a/contracts/accounts.contract';
import type { Rendered } from '@xs2a/contracts/call';
import { countAccess } from '@xs2a/contracts/consents.contract';
import { newId } from '@xs2a/runtime/ids';
import { answering, runningAccounts, type RunningAccounts } from './testing/running-accounts.js';

let service: RunningAccounts;
beforeAll(async () => {
  service = await runningAccounts();
}, 60_000);
afterAll(() => service.close(), 30_000);

const caller: AisCaller = {
  tppId: 'tpp',
  consentId: newId(),
  tokenIsFresh: true,
  callId: newId(),
  psuIpAddress: '192.0.2.1',
};
const parseJson = ({ rendered }: Rendered): object => JSON.parse(Buffer.from(rendered).toString());
const orderFrom = (debtorIban: string, batchId: string, minor: number, creditorName: string): HoldOrder => ({
  paymentId: newId(),
  batchId,
  order: {
    amount: { minor, currency: 'BGN' },
    debtorIban,
    creditorAccount: 'DE89370400440532013000',
    creditorName,
    remittance: 'salary',
  },
});

describe('a bulk payment with batch booking (contract 9)', () => {
  it('has one entry in the history, and its payments can only be returned with that entry', async () => {
    const { accounts } = await service.callClient.call(listPsuAccounts, { psuId: 'ivan' });
    const [{ iban, resourceId, currency } = { iban: '', resourceId: '', currency: '' }] = accounts;
    answering(service.nats, countAccess, () => ({
      accounts: [{ iban, resourceId, currency, access: ['transactions'] as const }],
    }));
    const batchId = newId();
    const orders = [orderFrom(iban, batchId, 100, 'Max'), orderFrom(iban, batchId, 101, 'Мария')];
    const { results } = await service.callClient.call(placeHolds, { orders });
    const ids = new Set(results.map((result) => (result.held ? result.transactionId : result.reason)));
    const [transactionId = ''] = ids;
    expect(ids.size).toBe(1);

    const page = await service.callClient.call(listTransactions, {
      ...caller,
      resourceId,
      dateFrom: '2000-01-01',
      dateTo: '2999-12-31',
      bookingStatus: 'pending',
      pageSize: 5,
      withBalance: false,
    });
    const entry = {
      transactionId,
      batchIndicator: true,
      batchNumberOfTransactions: 2,
      transactionAmount: { currency: 'BGN', amount: '-2.01' },
    };
    expect(parseJson(page)).toEqual({ pending: [expect.objectContaining(entry)] });
    expect(JSON.stringify(parseJson(page))).not.toContain('entryDetails');

    const alone = await service.callClient.call(readTransaction, { ...caller, resourceId, transactionId });
    expect(parseJson(alone)).toMatchObject({
      ...entry,
      entryDetails: [
        { transactionAmount: { currency: 'BGN', amount: '-1.00' }, creditorName: 'Max' },
        { transactionAmount: { currency: 'BGN', amount: '-1.01' }, creditorName: 'Мария' },
      ],
    });
  });
});
