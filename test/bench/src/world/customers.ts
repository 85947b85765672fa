import { bulgarianIban } from '@xs2a/core-banking/sandbox/people/new-iban';
import { uuidv5 } from '@xs2a/runtime/ids';

/** A customer with one current account, in the bank's home currency, at the sandbox bank or at a bank connected over NATS. */
export interface Customer {
  readonly psuId: string;
  readonly iban: string;
  /** The bank's internal id for the account. */
  readonly resourceId: string;
}

/** The number of customers among whom rows distribute their requests. */
const manyCustomers = 6000;
/** The code of the bank in deploy/sandbox/sandbox-fixtures.json. */
const bankCode = 'XSBK';
/** The first account number: above those in the fixtures and below those that the sandbox bank generates. */
const firstAccount = 1_000_000;
const namespace = 'c0ffee00-6f0e-4b0f-9d55-6a7f5f0c2a10';

/** Returns the customer with the given number, the same in every process. */
const customerAt = (number: number): Customer => ({
  psuId: `customer-${number}`,
  iban: bulgarianIban(bankCode, firstAccount + number),
  resourceId: uuidv5(`account ${number}`, namespace),
});

export const customers: readonly Customer[] = Array.from({ length: manyCustomers }, (_none, number) =>
  customerAt(number),
);

/** Cycles through all customers. There must be at least one. */
export const inTurn = (number: number, among: readonly Customer[] = customers): Customer => {
  const customer = among[number % among.length];
  if (customer === undefined) throw new Error('there are no customers');
  return customer;
};

/** An account at another bank. */
const elsewhere = 'BG18RZBB91550123456789';
/**
 * Chooses the payee for the payment with the given number. Every second payee has an account at this bank and is
 * not the payer.
 */
export const choosePayee = (number: number, payer: string): string => {
  if (number % 2 === 0) return elsewhere;
  const { iban } = inTurn(number * 7 + 3);
  return iban === payer ? inTurn(number * 7 + 4).iban : iban;
};
