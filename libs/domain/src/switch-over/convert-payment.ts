import { type Decision, happened, refuse } from '../decision.js';
import { getMember, isJsonObject } from '../form/form-checks.js';
import type { PaymentEvent } from '../payment/payment-events.js';
import { listOrders, type PaymentState } from '../payment/payment-state.js';
import { awaitsSignature, isFinal, nextStatus } from '../payment/payment-transitions.js';
import { dueTransactions } from '../payment/settlement/due.js';
import type { Profile } from '../profile/profile.js';
import { startOfBankDay } from '../time/bank-calendar.js';
import { bankingDayFrom } from '../time/banking-days.js';
import { convertAmounts, isInLeva } from './convert-order.js';

/** The moment of the switch-over, and the profile that holds from then on. */
export interface SwitchOver {
  /** The start of the bank's first day in euro (ISO instant). */
  readonly at: string;
  readonly target: Pick<Profile, 'timeZone' | 'bankingDays' | 'holidays'>;
}

/** What the switch-over does with a payment initiation (contract E6.3). */
export type SwitchOverStep =
  /** It has to be settled in leva first: it was due before the switch-over, or its funds are held. */
  | 'settle'
  /** It is signed and due later: it is executed in euro. */
  | 'convert'
  /** It is unsigned and in leva. */
  | 'reject'
  /** It has ended, is in another currency, or was converted before. */
  | 'keep';

const hasToSettle = (state: PaymentState, at: string): boolean =>
  dueTransactions(state, { fees: [] }).some(
    ({ transactionStatus, dueAt }) =>
      transactionStatus === 'ACSP' || (transactionStatus === 'ACCP' && dueAt < at),
  );

/** Decides which step of the switch-over a payment initiation needs. `at` is an ISO instant. */
export const switchOverStep = (state: PaymentState, at: string): SwitchOverStep => {
  if (!listOrders(state).some(isInLeva)) return 'keep';
  if (awaitsSignature(state)) return 'reject';
  if (hasToSettle(state, at)) return 'settle';
  return isFinal(state) || nextStatus(state, 'converted-to-euro') === undefined ? 'keep' : 'convert';
};

/** The planned day and due time of what is executed next; undefined if a periodic order has no next occurrence. */
const plannedExecution = (
  state: PaymentState,
): { readonly executionDate: string; readonly dueAt: string } | undefined =>
  state.service === 'periodic-payments' ? state.planned : state.signed;

/**
 * The next banking day if the planned one is a closing day of TARGET. Single and bulk payments move only where the
 * bank has such closing days; periodic orders always do.
 */
const movedExecution = (
  state: PaymentState,
  { target }: SwitchOver,
): { readonly executionDate?: string; readonly dueAt?: string } => {
  const planned = plannedExecution(state);
  const everyDay = target.bankingDays === 'every-day' && state.service !== 'periodic-payments';
  if (planned === undefined || everyDay || !target.holidays.includes(planned.executionDate)) return {};
  const executionDate = bankingDayFrom(planned.executionDate, 'following', target.holidays);
  return { executionDate, dueAt: startOfBankDay(executionDate, target.timeZone) };
};

/**
 * Decides what the switch-over records about a payment initiation (contract E6.3): the conversion of what is
 * signed, the rejection of what is unsigned, or nothing. A repeat changes nothing. Fails with
 * statusForbidsSettlement if the payment has to be settled first.
 */
export const switchPayment = (state: PaymentState, switchOver: SwitchOver): Decision<PaymentEvent> => {
  const { at } = switchOver;
  switch (switchOverStep(state, at)) {
    case 'settle':
      return refuse('statusForbidsSettlement');
    case 'keep':
      return happened();
    case 'reject':
      return happened<PaymentEvent>({ type: 'rejected', data: { reason: 'lev-ended' } });
    case 'convert': {
      const amounts = listOrders(state).map(convertAmounts);
      const data = { at, amounts, ...movedExecution(state, switchOver) };
      return happened<PaymentEvent>({ type: 'converted-to-euro', data });
    }
  }
};

/** True for an account of the budget that a payment may credit only with the identifier of the taxpayer. */
const needsTaxpayer = (iban: string): boolean => iban.startsWith('BG') && iban[12] === '8';

const namesTaxpayer = (body: unknown): boolean => {
  const details = isJsonObject(body) ? getMember(body, 'budgetPaymentDetails') : undefined;
  return (
    isJsonObject(details) &&
    (getMember(details, 'taxpayerId') ?? getMember(details, 'taxPayerId')) !== undefined
  );
};

/**
 * True if a budget payment credits an account that needs the identifier of the taxpayer, but does not contain it. It
 * is executed all the same, and reported (contract E6.3).
 */
export const lacksTaxpayer = (state: PaymentState): boolean => {
  if (state.product !== 'domestic-budget-transfer-BGN') return false;
  const { body } = state;
  const entries = state.service === 'bulk-payments' ? getMember(body, 'payments') : undefined;
  return listOrders(state).some(
    ({ creditorAccount }, index) =>
      needsTaxpayer(creditorAccount) && !namesTaxpayer(Array.isArray(entries) ? entries[index] : body),
  );
};
