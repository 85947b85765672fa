// The read models of payments and signing baskets, used by the operator CLI and the invariant checks.
export { basketView } from './baskets/basket-view.js';
export { paymentProjections } from './background/projections/payment-projections.js';
export { dueState } from './settle/due-state.js';
export { paymentView } from './store/payment-view.js';
