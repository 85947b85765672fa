// The stores and read models of payments and signing baskets, used by the operator CLI and the invariant checks.
export { createBasketStore } from './baskets/basket-store.js';
export { basketView } from './baskets/basket-view.js';
export { paymentProjections } from './background/projections/payment-projections.js';
export { dueState } from './settle/due-state.js';
export { createPaymentStore } from './store/payment-store.js';
export { paymentView } from './store/payment-view.js';
