// The bank's responses, by subject. docs/core-bank/asyncapi.json describes the messages.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { accounts, listAccounts, authenticate, corporates, findName } from './customers.mjs';
import { computeBalances, listEntries, placeHold, postHold, sendInstant, voidHold } from './ledger.mjs';

const byId = (resourceId) => accounts.find((account) => account.resourceId === resourceId);
const computeExpected = (account) => computeBalances(account).expected;

const facts = ({ iban, psuId }) => {
  const account = accounts.find((one) => one.iban === iban);
  if (account === undefined) return { ownedByPsu: false };
  const { currency, type, status, internetBanking, owner } = account;
  const signaturesRequired = corporates.get(owner)?.signaturesRequired ?? 1;
  return {
    account: { iban, currency, type, status, internetBanking, signaturesRequired },
    ownedByPsu: psuId !== undefined && listAccounts(psuId).includes(account),
  };
};

const details = ({ resourceIds }, { at }) => ({
  accounts: resourceIds
    .map(byId)
    .filter((account) => account !== undefined)
    .map((account) => {
      const { resourceId, iban, currency, product, type, owner, status } = account;
      const balances = Object.entries(computeBalances(account)).map(([balanceType, minor]) => ({
        balanceType,
        amount: { minor, currency },
        creditLimitIncluded: true,
        referenceDate: at.slice(0, 10),
      }));
      const facts = {
        resourceId,
        iban,
        currency,
        product,
        cashAccountType: type,
        ownerName: findName(owner),
      };
      return { ...facts, status: status === 'closed' ? 'deleted' : status, balances };
    }),
});

// A cursor contains the start of a page, its direction and its account. It is sealed, so that nobody can
// forge one.
const cursorKey = randomBytes(32);
const sealOf = (text) => createHmac('sha256', cursorKey).update(text).digest('base64url');
const writeCursor = (resourceId, way, order) => {
  const place = `${way}.${order}`;
  return `${place}.${sealOf(`${resourceId} ${place}`)}`;
};
const readCursor = (resourceId, cursor) => {
  const [way, order, seal = ''] = cursor.split('.');
  const right = sealOf(`${resourceId} ${way}.${order}`);
  if (seal.length !== right.length || !timingSafeEqual(Buffer.from(seal), Buffer.from(right)))
    return undefined;
  return { way, order: Number(order) };
};

// Returns the position in booking order after which a delta begins, or undefined if no entry has the given
// reference.
const deltaStart = ({ entryReferenceFrom, bookedSince }, entries) => {
  if (bookedSince !== undefined) return { bookAt: Date.parse(bookedSince), order: -1 };
  if (entryReferenceFrom === undefined) return { bookAt: -Infinity, order: -1 };
  return entries.find(({ entry }) => entry.entryReference === entryReferenceFrom);
};
const isBehind = (row, start) =>
  row.bookAt > start.bookAt || (row.bookAt === start.bookAt && row.order > start.order);

const page = (query, { at }) => {
  const { resourceId, dateFrom, dateTo, bookingStatus, pageSize, cursor } = query;
  const place = cursor === undefined ? undefined : readCursor(resourceId, cursor);
  if (cursor !== undefined && place === undefined) return { refused: 'cursor-forged' };
  const all = listEntries(query, at);
  const since = deltaStart(query, all);
  if (since === undefined) return { refused: 'reference-unknown' };
  const fitting = all.filter((row) => {
    const { entry } = row;
    if (!isBehind(row, since)) return false;
    const isBooked = entry.bookingDate !== undefined;
    const date = entry.bookingDate ?? entry.valueDate;
    return date >= dateFrom && date <= dateTo && bookingStatus !== (isBooked ? 'pending' : 'booked');
  });
  const index = fitting.findIndex(({ order }) => order === place?.order);
  const end = place?.way === 'newer' ? index : fitting.length;
  const start = place === undefined ? 0 : place.way === 'older' ? index + 1 : Math.max(0, index - pageSize);
  const rows = fitting.slice(start, Math.min(end, start + pageSize));
  const entries = rows.map(({ entry }) => entry);
  const first = rows[0];
  const last = rows.at(-1);
  return {
    booked: entries.filter((entry) => entry.bookingDate !== undefined),
    pending: entries.filter((entry) => entry.bookingDate === undefined),
    ...(last !== undefined && fitting.at(-1) !== last
      ? { nextCursor: writeCursor(resourceId, 'older', last.order) }
      : {}),
    ...(first !== undefined && fitting[0] !== first
      ? { previousCursor: writeCursor(resourceId, 'newer', first.order) }
      : {}),
  };
};

const entry = (asked, { at }) => {
  const found = listEntries(asked, at).find((one) => one.entry.transactionId === asked.transactionId);
  return found === undefined ? {} : { entry: found.entry };
};

const covers = ({ psuId, iban, amount }) => {
  const own = listAccounts(psuId);
  const named = own.find((account) => account.iban === iban);
  if (iban !== undefined && named === undefined) return { refused: 'not-an-account-of-the-psu' };
  const held = (named === undefined ? own : [named]).filter(({ currency }) => currency === amount.currency);
  if (held.length === 0) return { refused: 'currency-not-held' };
  const chosen = held.find(({ main }) => main) ?? held.find(({ status }) => status === 'enabled');
  return { fundsAvailable: chosen !== undefined && amount.minor <= computeExpected(chosen) };
};

const psuAccount = ({ iban, resourceId, currency, product, type, status, main, owner }) => ({
  iban,
  resourceId,
  currency,
  product,
  type,
  status,
  main,
  ...(corporates.has(owner) ? { corporateId: owner } : {}),
});

const corporate = ({ corporateId }) => {
  const known = corporates.get(corporateId);
  return known === undefined ? {} : { corporate: { signaturesRequired: known.signaturesRequired } };
};

const wordsOf = (name) => name.trim().toUpperCase().split(/\s+/);

// A real bank compares as docs/contract/15-payee-verification.md describes, and asks the payee's bank about other
// accounts.
const verifyPayee = ({ iban, name }) => {
  const account = accounts.find((one) => one.iban === iban && one.status !== 'closed');
  if (account === undefined) return { verdict: 'NOT_POSSIBLE', reason: 'account-unknown' };
  if (name === undefined) return { verdict: 'NOT_POSSIBLE', reason: 'identification-unknown' };
  const holder = findName(account.owner);
  const [first, ...others] = wordsOf(holder);
  const [askedFirst, ...askedOthers] = wordsOf(name);
  if (others.join(' ') !== askedOthers.join(' ')) return { verdict: 'NO_MATCH' };
  if (first === askedFirst) return { verdict: 'MATCH' };
  return first[0] === askedFirst[0] ? { verdict: 'CLOSE_MATCH', name: holder } : { verdict: 'NO_MATCH' };
};

/** `deliver`: sends a one-time code to the PSU. */
export const answers = ({ deliver }) => ({
  'svc.bank.accounts.facts': facts,
  'svc.bank.accounts.details': details,
  'svc.bank.accounts.entries': page,
  'svc.bank.accounts.entry': entry,
  'svc.bank.funds.covers': covers,
  'svc.bank.holds.place': ({ orders }, { at }) => ({ results: orders.map((order) => placeHold(order, at)) }),
  'svc.bank.holds.post': ({ commands }, { at }) => ({ results: commands.map((one) => postHold(one, at)) }),
  'svc.bank.holds.void': ({ commands }) => {
    for (const command of commands) voidHold(command);
    return {};
  },
  'svc.bank.instant.send': sendInstant,
  'svc.bank.psus.authenticate': ({ psuId, password }) => ({ psu: authenticate(psuId, password) }),
  'svc.bank.psus.accounts': ({ psuId }) => ({ accounts: listAccounts(psuId).map(psuAccount) }),
  'svc.bank.psus.corporate': corporate,
  'svc.bank.payees.verify': verifyPayee,
  'svc.bank.deliver-otp': async (message) => {
    await deliver(message);
    // The page says where to look. Masked, because everybody with the password can read it.
    return { sentTo: '+359 ••• ••• 42' };
  },
});
