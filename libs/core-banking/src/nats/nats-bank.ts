import type { TransactionDetails, TransactionEntry } from '@xs2a/contracts/accounts.contract';
import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import type { AccountsPort, DeltaQuery, EntriesRefusal } from '../port/accounts.js';
import type { BankCall } from '../port/bank-call.js';
import { BankFault } from '../port/bank-fault.js';
import { deriveHoldId, derivePostId, deriveVoidId } from '../port/booking-keys.js';
import type { BookingPort } from '../port/booking.js';
import type { CoreBank } from '../port/core-bank.js';
import type { FundsPort } from '../port/funds.js';
import type { PayeesPort } from '../port/payees.js';
import type { InstantPort } from '../port/instant.js';
import type { PsusPort } from '../port/psus.js';
import type { BankClient } from './bank-client.js';
import type { BankMessages, BankSubject, BookingCommand } from './bank-messages.js';

/**
 * Returns the first day in euro (ISO date): up to that day, an account in euro may have entries in leva. Undefined at a
 * bank in leva.
 */
export type FindLevEnd = () => Promise<string | undefined>;

/** A bank that is connected over NATS, implemented in any language. */
export const natsBank = (client: BankClient, findLevEnd: FindLevEnd): CoreBank => ({
  accounts: natsAccounts(client, findLevEnd),
  funds: natsFunds(client),
  booking: natsBooking(client),
  instant: natsInstant(client),
  psus: natsPsus(client),
  payees: natsPayees(client),
});

/**
 * Sends a request and verifies that the response matches it, because a response about something else is worse than
 * none.
 */
const asking =
  (client: BankClient) =>
  async <Subject extends BankSubject>(
    subject: Subject,
    request: BankMessages[Subject]['request'],
    call: BankCall,
    isAbout: (answer: BankMessages[Subject]['answer']) => boolean | Promise<boolean>,
  ): Promise<BankMessages[Subject]['answer']> => {
    const answer = await client.ask(subject, request, call);
    if (await isAbout(answer)) return answer;
    return client.observed(subject, call, async () => {
      throw new BankFault('answer-malformed', 'The answer does not match the request.');
    });
  };

const natsAccounts = (client: BankClient, findLevEnd: FindLevEnd): AccountsPort => {
  const ask = asking(client);
  const isOf = async (currency: string, entries: readonly TransactionEntry[]): Promise<boolean> => {
    const others = entries.filter((entry) => !isIn(currency)(entry));
    if (others.length === 0) return true;
    const levEnd = currency === 'EUR' ? await findLevEnd() : undefined;
    return levEnd !== undefined && others.every(isFromLeva(levEnd));
  };
  return {
    facts: (asked, call) =>
      ask('svc.bank.accounts.facts', asked, call, ({ account, ownedByPsu }) =>
        account === undefined ? !ownedByPsu : account.iban === asked.iban,
      ),
    details: async (resourceIds, call) => {
      const isAsked = (ids: readonly string[]): boolean =>
        ids.join() === resourceIds.filter((id) => ids.includes(id)).join();
      const { accounts } = await ask(
        'svc.bank.accounts.details',
        { resourceIds },
        call,
        (answer) =>
          isAsked(answer.accounts.map(({ resourceId }) => resourceId)) &&
          answer.accounts.every(({ balances, currency }) => balances.every(isIn(currency))),
      );
      return accounts;
    },
    entries: async (query, call) => {
      const { resourceId, currency, dateFrom, dateTo, bookingStatus, pageSize } = query;
      const { cursor, entryReferenceFrom, bookedSince } = query;
      const period = { dateFrom, dateTo, entryReferenceFrom, bookedSince };
      const asked = { resourceId, currency, bookingStatus, pageSize, cursor, ...period };
      const page = await ask('svc.bank.accounts.entries', asked, call, async (answer) => {
        if ('refused' in answer) return mayRefuse[answer.refused](query);
        const { booked, pending } = answer;
        return (
          booked.length + pending.length <= pageSize &&
          (await isOf(currency, [...booked, ...pending])) &&
          booked.every(({ bookingDate }) => bookingDate !== undefined) &&
          pending.every(({ bookingDate }) => bookingDate === undefined)
        );
      });
      return 'refused' in page ? page.refused : page;
    },
    entry: async ({ resourceId, currency }, transactionId, call) => {
      const asked = { resourceId, currency, transactionId };
      const { entry } = await ask(
        'svc.bank.accounts.entry',
        asked,
        call,
        async (answer) =>
          answer.entry === undefined ||
          (answer.entry.transactionId === transactionId &&
            (await isOf(currency, [answer.entry])) &&
            hasItsDetails(answer.entry)),
      );
      return entry;
    },
  };
};

/** For each refusal, the queries to which it can apply. A bank cannot refuse any other query for that reason. */
const mayRefuse: Readonly<Record<EntriesRefusal, (query: DeltaQuery) => boolean>> = {
  'cursor-forged': ({ cursor }) => cursor !== undefined,
  'reference-unknown': ({ entryReferenceFrom }) => entryReferenceFrom !== undefined,
  'delta-not-offered': ({ entryReferenceFrom, bookedSince }) =>
    entryReferenceFrom !== undefined || bookedSince !== undefined,
};

const isIn =
  (currency: string) =>
  ({ amount }: { readonly amount: MinorAmount }): boolean =>
    amount.currency === currency;

/** True for an entry in leva that was booked up to the day `levEnd`. */
const isFromLeva =
  (levEnd: string) =>
  (entry: TransactionEntry): boolean =>
    isIn('BGN')(entry) && (entry.bookingDate ?? '9999') <= levEnd;

/**
 * True if the entry does not list payments, or if it lists exactly as many as its `batchNumberOfTransactions`
 * states, all in the entry's currency.
 */
const hasItsDetails = ({ amount, batchNumberOfTransactions, entryDetails }: TransactionDetails): boolean =>
  entryDetails === undefined ||
  (entryDetails.length === batchNumberOfTransactions && entryDetails.every(isIn(amount.currency)));

const natsFunds = (client: BankClient): FundsPort => ({
  covers: (question, call) => client.ask('svc.bank.funds.covers', question, call),
});

const toCommands = (
  paymentIds: readonly string[],
  keyOf: (paymentId: string) => string,
): readonly BookingCommand[] =>
  paymentIds.map((paymentId) => ({ paymentId, idempotencyKey: keyOf(paymentId) }));

/** True if there is one result for each payment, in the order of the request. */
const isEach = (results: readonly { readonly paymentId: string }[], asked: readonly string[]): boolean =>
  results.map(({ paymentId }) => paymentId).join() === asked.join();

const natsBooking = (client: BankClient): BookingPort => {
  const ask = asking(client);
  return {
    placeHolds: async (orders, call) => {
      const ids = orders.map(({ paymentId }) => paymentId);
      const asked = orders.map((order) => ({ ...order, idempotencyKey: deriveHoldId(order.paymentId) }));
      const isLimited = new Set(orders.filter(({ instant }) => instant).map(({ paymentId }) => paymentId));
      const { results } = await ask(
        'svc.bank.holds.place',
        { orders: asked },
        call,
        (answer) =>
          isEach(answer.results, ids) &&
          answer.results.every(
            (one) => one.held || one.reason !== 'limit-exceeded' || isLimited.has(one.paymentId),
          ),
      );
      return results;
    },
    postHolds: async (paymentIds, call) => {
      const commands = toCommands(paymentIds, derivePostId);
      const { results } = await ask(
        'svc.bank.holds.post',
        { commands },
        call,
        (answer) =>
          isEach(answer.results, paymentIds) &&
          answer.results.every(({ posted, postingId }) => posted === (postingId !== undefined)),
      );
      return results;
    },
    voidHolds: async (paymentIds, call) => {
      await client.ask('svc.bank.holds.void', { commands: toCommands(paymentIds, deriveVoidId) }, call);
    },
  };
};

const natsInstant = (client: BankClient): InstantPort => ({
  sendInstant: async (paymentId, order, deadline, call) =>
    client.ask('svc.bank.instant.send', { paymentId, order, deadline }, call),
});

const natsPsus = (client: BankClient): PsusPort => {
  const ask = asking(client);
  return {
    authenticate: async (psuId, password, call) => {
      const asked = { psuId, password };
      const { psu } = await ask(
        'svc.bank.psus.authenticate',
        asked,
        call,
        (answer) => answer.psu === undefined || answer.psu.psuId === psuId,
      );
      return psu;
    },
    listAccounts: async (psuId, call) =>
      (await client.ask('svc.bank.psus.accounts', { psuId }, call)).accounts,
    corporate: async (corporateId, call) =>
      (await client.ask('svc.bank.psus.corporate', { corporateId }, call)).corporate,
  };
};

const natsPayees = (client: BankClient): PayeesPort => {
  const ask = asking(client);
  return {
    verify: (question, call) =>
      ask(
        'svc.bank.payees.verify',
        question,
        call,
        (answer) => answer.verdict !== 'CLOSE_MATCH' || answer.name.trim() !== '',
      ),
  };
};
