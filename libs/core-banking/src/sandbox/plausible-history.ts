import { addDays, startOfBankDay } from '@xs2a/domain/time/bank-calendar';
import {
  cardPurchases,
  customers,
  type Dealing,
  employers,
  friends,
  mainSupplier,
  monthlyBills,
  ownSavings,
  savingsDeposit,
  savingsInterest,
  suppliers,
} from './data/history-catalogue.js';
import { bankTransactionCodes } from './data/bank-transaction-codes.js';

/** A booked movement of a seeded account. The amount is in minor units; a debit is negative. */
export interface PastMovement {
  /** ISO instant. */
  readonly at: string;
  /** ISO date in the bank's time zone. */
  readonly date: string;
  readonly amount: number;
  readonly dealing: Dealing;
}

export interface HistoryWish {
  readonly iban: string;
  readonly kind: 'person' | 'corporate' | 'savings';
  readonly months: number;
  /** The balance at the end of the history, in minor units. */
  readonly opening: number;
  /** The day after the end of the history, as an ISO date in the bank's time zone. */
  readonly today: string;
  readonly timeZone: string;
}

/** A movement without a time. Its day is counted from the start of its month. */
interface Draft {
  readonly day: number;
  readonly amount: number;
  readonly dealing: Dealing;
}
interface Dice {
  /** Returns a random whole number from `min` to `max`. */
  between(min: number, max: number): number;
  one<Item>(items: readonly Item[]): Item;
}

const daysOfMonth = 30.44;

/** The number of months of a fixture's history, enough to begin on its first day at the latest. */
export const countMonths = (
  { historyMonths, historyFrom }: { readonly historyMonths: number; readonly historyFrom?: string },
  today: string,
): number => {
  if (historyFrom === undefined) return historyMonths;
  const days = (Date.parse(today) - Date.parse(historyFrom)) / 86_400_000;
  return Math.max(historyMonths, Math.ceil(days / daysOfMonth));
};

/**
 * Generates a customer's movements in the months before today, which are the same for the same account and day. In
 * each month, money comes in before it is spent, and spending is at least as high as income, so the balance was
 * never below `opening` (savings only grow, and were never below half of it).
 */
export const plausibleHistory = (wish: HistoryWish): PastMovement[] => {
  const dice = makeDice(wish.iban);
  const starts = Array.from({ length: wish.months + 1 }, (_, back) =>
    addDays(wish.today, -Math.round(daysOfMonth * back)),
  ).reverse();
  const employer = dice.one(employers);
  const salary = Math.round(dice.between(employer.min, employer.max) / 1000) * 1000;
  return starts.slice(0, -1).flatMap((start, month) => {
    const drafts = {
      person: () => monthOfPerson(dice, employer, salary),
      corporate: () => monthOfCorporate(dice),
      savings: () => monthOfSavings(dice, month, wish.opening / 2 / wish.months),
    }[wish.kind]();
    return drafts
      .map((draft) => pastMovement(draft, start, wish.timeZone, dice))
      .sort((a, b) => (a.at < b.at ? -1 : 1));
  });
};

const pastMovement = (
  { day, amount, dealing }: Draft,
  start: string,
  timeZone: string,
  dice: Dice,
): PastMovement => {
  const date = addDays(start, day);
  // Income is booked before all other movements on the same day.
  const minute = amount > 0 ? dice.between(421, 480) : dice.between(481, 1260);
  const at = new Date(
    Date.parse(startOfBankDay(date, timeZone)) + minute * 60_000 + dice.between(0, 59_999),
  ).toISOString();
  return { at, date, amount, dealing };
};

const spend = (dice: Dice, dealing: Dealing, firstDay = 2): Draft => ({
  day: dice.between(firstDay, 28),
  amount: -dice.between(dealing.min, dealing.max),
  dealing,
});
const total = (drafts: readonly Draft[]): number => drafts.reduce((sum, { amount }) => sum + amount, 0);

/** Spends the rest of a month's money and a little more. */
const remainder = (dice: Dice, drafts: readonly Draft[], dealing: Dealing, max: number): Draft[] => {
  const left = total(drafts) + dice.between(0, max);
  return left > 0 ? [...drafts, { day: dice.between(24, 28), amount: -left, dealing }] : [...drafts];
};

const monthOfPerson = (dice: Dice, employer: Dealing, salary: number): Draft[] => {
  const giver = dice.one(friends);
  const drafts: Draft[] = [
    { day: 0, amount: salary, dealing: employer },
    {
      day: 1,
      amount: dice.between(giver.min, giver.max),
      dealing: { ...giver, code: bankTransactionCodes.transferIn },
    },
    ...monthlyBills.map((bill) => spend(dice, bill, 5)),
    ...Array.from({ length: dice.between(12, 18) }, () => spend(dice, dice.one(cardPurchases))),
    ...Array.from({ length: dice.between(1, 3) }, () => spend(dice, dice.one(friends))),
  ];
  return remainder(dice, drafts, ownSavings, 3_000);
};

const monthOfCorporate = (dice: Dice): Draft[] => {
  const income = Array.from({ length: dice.between(6, 9) }, (): Draft => {
    const customer = dice.one(customers);
    return {
      day: dice.between(0, 9),
      amount: dice.between(customer.min, customer.max),
      dealing: customer,
    };
  });
  const drafts = [
    ...income,
    ...suppliers.map((supplier) => spend(dice, supplier, 10)),
    ...Array.from({ length: dice.between(8, 14) }, () => spend(dice, dice.one(cardPurchases), 10)),
  ];
  return remainder(dice, drafts, mainSupplier, 40_000);
};

/**
 * The movements of a savings account in a month. A month adds at most `max`, so that the initial savings were
 * above zero.
 */
const monthOfSavings = (dice: Dice, month: number, max: number): Draft[] => {
  const saved = Math.min(dice.between(savingsDeposit.min, savingsDeposit.max), Math.floor(max * 0.9));
  const interest = Math.min(dice.between(savingsInterest.min, savingsInterest.max), Math.floor(max * 0.1));
  const drafts: Draft[] = [
    { day: 3, amount: saved, dealing: savingsDeposit },
    { day: 27, amount: interest, dealing: savingsInterest },
  ];
  if (month % 3 === 2) {
    const back = { ...savingsDeposit, code: bankTransactionCodes.transferOut, remittance: 'Прехвърляне' };
    drafts.push({ day: 15, amount: -Math.floor(saved / 2), dealing: back });
  }
  return drafts.filter(({ amount }) => amount !== 0);
};

/**
 * Creates a mulberry32 random number generator that is seeded with the FNV-1a hash of the text. The numbers are
 * the same for the same text, and varied enough to look realistic.
 */
const makeDice = (text: string): Dice => {
  let state = 2_166_136_261;
  for (const character of text) state = Math.imul(state ^ character.charCodeAt(0), 16_777_619);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    between,
    one: (items) => {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new RangeError('nothing to choose from');
      return item;
    },
  };
};
