import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { parseJson } from '@xs2a/tpp-client/http';
import { type Initiated, initiate } from '@xs2a/test-support/requests';

/** Accounts at another bank with a fixed result, whatever the name (contract 13). */
export const payees = {
  match: 'BG14XSBV92001000000101',
  close: 'BG84XSBV92001000000102',
  noMatch: 'BG57XSBV92001000000103',
  notPossible: 'BG30XSBV92001000000104',
  silent: 'BG73XSBV92001000000106',
} as const;

const sepa = 'SEPA-Credit-Transfer';
/** One payment, without the account that pays. */
export const toPayee = (iban: string, creditorName = 'Иван Иванов'): Readonly<Record<string, unknown>> => ({
  instructedAmount: { currency: 'EUR', amount: '1.00' },
  creditorAccount: { iban },
  creditorName,
  remittanceInformationUnstructured: 'Фактура 1',
});

export const pay = async (
  tpp: TppClient,
  debtorIban: string,
  iban: string,
  creditorName?: string,
): Promise<Initiated> =>
  initiate(
    tpp,
    await tpp.applicationToken(),
    { debtorAccount: { iban: debtorIban }, ...toPayee(iban, creditorName) },
    {},
    `/v1/payments/${sepa}`,
  );

export const order = async (
  tpp: TppClient,
  debtorIban: string,
  iban: string,
  startDate: string,
): Promise<Initiated> =>
  initiate(
    tpp,
    await tpp.applicationToken(),
    { debtorAccount: { iban: debtorIban }, ...toPayee(iban), startDate, frequency: 'Monthly' },
    {},
    `/v1/periodic-payments/${sepa}`,
  );

export const bulk = async (
  tpp: TppClient,
  debtorIban: string,
  payments: readonly Readonly<Record<string, unknown>>[],
): Promise<Initiated> =>
  initiate(
    tpp,
    await tpp.applicationToken(),
    { debtorAccount: { iban: debtorIban }, payments },
    {},
    `/v1/bulk-payments/${sepa}`,
  );

export const read = async (
  tpp: TppClient,
  { path }: Pick<Initiated, 'path'>,
): Promise<Record<string, unknown>> => parseJson(await tpp.call('GET', path, await tpp.applicationToken()));
