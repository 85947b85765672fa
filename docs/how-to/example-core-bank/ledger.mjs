// An in-memory ledger: holds, postings, and the entries that customers see. All amounts are integers in minor
// units.
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { accounts, silentPayee } from './customers.mjs';

const bookingDelayMs = 5 * 60_000;
const bankCode = 'EXMP';
/** The first response for each idempotency key, kept permanently. A real bank stores these responses in its ledger. */
const done = new Map();
/** Maps each paymentId to the hold for the payment, and to its outcome. */
const holds = new Map();
const entries = [];

const toId = (text) => createHash('sha256').update(text).digest('hex').slice(0, 32);
const byIban = (iban) => accounts.find((account) => account.iban === iban);
/**
 * Returns the amount that leaves the account: the payment amount, or the debited amount if the payment is in
 * another currency, plus the fee.
 */
const getDebit = ({ amount, debit }) => debit ?? amount;
const computeCost = (order) => getDebit(order).minor + (order.fee?.minor ?? 0);
const sum = (amounts) => amounts.reduce((total, amount) => total + amount, 0);

let entered = 0;
const enter = (account, amount, at, more) => {
  const pendingAt = Date.parse(at);
  entered += 1;
  entries.push({
    order: entered,
    resourceId: account.resourceId,
    amount,
    currency: account.currency,
    pendingAt,
    bookAt: pendingAt + bookingDelayMs,
    ...more,
  });
};

// Creates a history with enough entries for several pages.
for (const account of accounts) {
  for (let day = 40; day > 0; day -= 1) {
    enter(account, day % 2 === 0 ? 1500 : -1500, new Date(Date.now() - day * 86_400_000).toISOString(), {
      transactionId: toId(`${account.iban} ${day}`),
      name: 'Example Shop',
      remittance: `Day ${day}`,
    });
  }
}

const open = (account) =>
  [...holds.values()].filter(({ order, state }) => state === 'held' && order.debtorIban === account.iban);
const movedIn = (account) =>
  sum(
    [...holds.values()]
      .filter(({ state }) => state === 'posted')
      .map(({ order }) => {
        if (order.debtorIban === account.iban) return -computeCost(order);
        return order.creditorAccount === account.iban ? order.amount.minor : 0;
      }),
  );

/** Computes interimAvailable (booked balance plus credit limit) and expected (the same minus held amounts). */
export const computeBalances = (account) => {
  const interimAvailable = account.opening + account.creditLimit + movedIn(account);
  return {
    interimAvailable,
    expected: interimAvailable - sum(open(account).map(({ order }) => computeCost(order))),
  };
};

const findRefusal = (order, instant) => {
  const { amount, debtorIban, creditorAccount } = order;
  const debtor = byIban(debtorIban);
  if (debtor === undefined || debtor.status !== 'enabled' || debtor.currency !== getDebit(order).currency) {
    return 'debtor-account-unusable';
  }
  const creditor = byIban(creditorAccount);
  const isOurs = creditorAccount.slice(4, 8) === bankCode;
  const isUsable =
    creditor === undefined ? !isOurs : creditor !== debtor && creditor.currency === amount.currency;
  if (!isUsable) return 'creditor-account-unusable';
  if (instant && getDebit(order).minor > (debtor.instantLimit ?? Infinity)) return 'limit-exceeded';
  return computeCost(order) > computeBalances(debtor).expected ? 'insufficient-funds' : undefined;
};

export const placeHold = ({ paymentId, idempotencyKey, order, instant }, at) => {
  const before = done.get(idempotencyKey);
  if (before !== undefined) return before;
  const reason = findRefusal(order, instant);
  // A refusal is not stored, because the settlement that receives it does not repeat the call.
  if (reason !== undefined) return { paymentId, held: false, reason };
  const result = { paymentId, held: true, holdId: idempotencyKey, transactionId: toId(`entry ${paymentId}`) };
  done.set(idempotencyKey, result);
  holds.set(paymentId, { order, state: 'held' });
  const debtor = byIban(order.debtorIban);
  enter(debtor, -getDebit(order).minor, at, {
    paymentId,
    transactionId: result.transactionId,
    name: order.creditorName,
    account: order.creditorAccount,
    remittance: order.remittance,
    endToEndId: order.endToEndId,
  });
  if (order.fee?.minor > 0) {
    const transactionId = toId(`fee ${paymentId}`);
    enter(debtor, -order.fee.minor, at, { paymentId, transactionId, remittance: 'Transfer fee' });
  }
  return result;
};

/** The outcome of each instant order, by paymentId, kept permanently. It never changes. */
const outcomes = new Map();
const settled = { outcome: 'settled' };
const rejected = (reasonCode) => ({ outcome: 'rejected', reasonCode });

/**
 * Sends an instant order and resolves to its outcome. A real bank calls the scheme here; the payees of this example answer at once,
 * except one that never does.
 */
export const sendInstant = ({ paymentId, order, deadline }) => {
  const before = outcomes.get(paymentId);
  if (before !== undefined) return before;
  const leftMs = Date.parse(deadline) - Date.now();
  const outcome =
    leftMs <= 0
      ? rejected('AB11')
      : order.creditorAccount === silentPayee
        ? delay(leftMs, rejected('AB05'))
        : settled;
  // Stored before the answer, as a promise: a repeat waits for the same outcome.
  outcomes.set(paymentId, outcome);
  return outcome;
};

export const postHold = ({ paymentId, idempotencyKey }, at) => {
  const before = done.get(idempotencyKey);
  if (before !== undefined) return before;
  const hold = holds.get(paymentId);
  if (hold?.state !== 'held') return { paymentId, posted: false };
  const result = { paymentId, posted: true, postingId: idempotencyKey };
  done.set(idempotencyKey, result);
  hold.state = 'posted';
  const { order } = hold;
  const isInstant = outcomes.has(paymentId);
  // The entry of an instant payment is booked at once.
  if (isInstant) {
    for (const entry of entries.filter((one) => one.paymentId === paymentId)) entry.bookAt = Date.parse(at);
  }
  const creditor = byIban(order.creditorAccount);
  if (creditor !== undefined) {
    enter(creditor, order.amount.minor, at, {
      ...(isInstant ? { bookAt: Date.parse(at) } : {}),
      transactionId: toId(`credit ${paymentId}`),
      account: order.debtorIban,
      remittance: order.remittance,
      endToEndId: order.endToEndId,
    });
  }
  return result;
};

export const voidHold = ({ paymentId }) => {
  const hold = holds.get(paymentId);
  if (hold?.state !== 'held') return;
  hold.state = 'void';
  const others = entries.filter((entry) => entry.paymentId !== paymentId);
  entries.splice(0, entries.length, ...others);
};

/** Converts stotinki into cents: 1 EUR = 1.95583 BGN, half a cent is rounded up; of a negative amount, the magnitude. */
const toEuro = (minor) =>
  Math.sign(minor) * Math.floor((Math.abs(minor) * 200_000 + 195_583) / (2 * 195_583));
const exchangeOn = (day) => [
  {
    sourceCurrency: 'BGN',
    targetCurrency: 'EUR',
    unitCurrency: 'EUR',
    exchangeRate: '1.95583',
    quotationDate: day,
  },
];
/** The first day in euro; undefined while the accounts are in leva. */
let levEnd;

/**
 * Converts all accounts in leva into euro. A core system does this on the day of its switch-over, once everything that was
 * due before is settled in leva.
 */
export const convertAccounts = (at) => {
  if ([...holds.values()].some(({ state }) => state === 'held')) throw new Error('funds are held in leva');
  levEnd = toDate(Date.parse(at));
  const inLeva = accounts
    .filter(({ currency }) => currency === 'BGN')
    .map((account) => ({ account, balance: account.opening + movedIn(account) }));
  // Entries that are still pending are booked in leva.
  for (const entry of entries) entry.bookAt = Math.min(entry.bookAt, Date.parse(at));
  // What was posted in leva is part of the converted balances.
  for (const hold of holds.values()) if (hold.state === 'posted') hold.state = 'converted';
  const booked = {
    bookAt: Date.parse(at),
    remittance: 'Превалутиране в евро 1,95583',
    bankTransactionCode: 'ACMT-MDOP-OTHR',
  };
  for (const { account, balance } of inLeva) {
    enter(account, -balance, at, { ...booked, transactionId: toId(`${account.iban} leva`) });
    account.currency = 'EUR';
    account.opening = toEuro(balance);
    account.creditLimit = toEuro(account.creditLimit);
    if (account.instantLimit !== undefined) account.instantLimit = toEuro(account.instantLimit);
    const currencyExchange = exchangeOn(levEnd);
    enter(account, account.opening, at, {
      ...booked,
      currencyExchange,
      transactionId: toId(`${account.iban} euro`),
    });
  }
};

/** What an entry in leva has in addition once its account is in euro: its amount in euro, for information. */
const inEuro = (amount, bookingDate) => ({
  accountCurrencyAmount: { minor: toEuro(amount), currency: 'EUR' },
  ...(bookingDate < levEnd ? { currencyExchange: exchangeOn(levEnd) } : {}),
});

const toDate = (ms) => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Sofia' }).format(ms);

/** Returns an entry as customers see it at the given time: booked once five minutes have passed. */
const shown = (
  { transactionId, amount, currency, pendingAt, bookAt, name, account, remittance, endToEndId, ...more },
  now,
) => {
  const isBooked = bookAt <= now;
  const other = amount < 0 ? 'creditor' : 'debtor';
  const { bankTransactionCode, currencyExchange } = more;
  return {
    transactionId,
    ...(isBooked ? { entryReference: transactionId, bookingDate: toDate(bookAt) } : {}),
    valueDate: toDate(pendingAt),
    amount: { minor: amount, currency },
    [`${other}Name`]: name,
    [`${other}Account`]: account,
    remittance,
    endToEndId,
    bankTransactionCode,
    currencyExchange,
    ...(currency === 'BGN' && levEnd !== undefined ? inEuro(amount, toDate(bookAt)) : {}),
  };
};

/**
 * Lists the account's entries, newest first. `order` distinguishes entries with the same time and is the value in
 * a cursor; `bookAt` is the time at which the entry is booked.
 */
export const listEntries = ({ resourceId }, at) =>
  entries
    .filter((entry) => entry.resourceId === resourceId)
    .sort((one, other) => other.pendingAt - one.pendingAt || other.order - one.order)
    .map((entry) => {
      const { order, bookAt } = entry;
      return { order, bookAt, entry: shown(entry, Date.parse(at)) };
    });
