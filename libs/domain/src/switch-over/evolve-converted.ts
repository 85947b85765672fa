import type { ConvertedAmounts, PaymentEvent, PaymentOrder } from '../payment/payment-events.js';
import type { PaymentState } from '../payment/payment-state.js';

type Converted = Extract<PaymentEvent, { type: 'converted-to-euro' }>['data'];

const withAmounts = (order: PaymentOrder, amounts: ConvertedAmounts | undefined): PaymentOrder => {
  if (amounts === undefined) return order;
  const { debit: _debit, rate: _rate, fee: _fee, ...rest } = order;
  return { ...rest, ...amounts };
};

/** The payment initiation after its conversion to euro: its amounts, and its new day if it has one. */
export const evolveConverted = <State extends PaymentState>(
  state: State,
  { at, amounts, executionDate, dueAt }: Converted,
): State => {
  const day = executionDate === undefined || dueAt === undefined ? {} : { executionDate, dueAt };
  if (state.service === 'bulk-payments') {
    const orders = state.orders.map((order, index) => withAmounts(order, amounts[index]));
    return { ...state, convertedAt: at, orders, signed: state.signed && { ...state.signed, ...day } };
  }
  const converted = { ...state, convertedAt: at, order: withAmounts(state.order, amounts[0]) };
  return state.service === 'periodic-payments'
    ? { ...converted, planned: state.planned && { ...state.planned, ...day } }
    : { ...converted, signed: state.signed && { ...state.signed, ...day } };
};
