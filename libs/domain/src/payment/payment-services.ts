/**
 * The payment services of the framework, as they appear in a path: single payments, periodic orders and bulk
 * payments.
 */
export const paymentServices = ['payments', 'periodic-payments', 'bulk-payments'] as const;
export type PaymentService = (typeof paymentServices)[number];
