import type { Type } from '@nestjs/common';
import { authorisationHandlers } from '@xs2a/authorisations/authorisation-handlers';
import { basketAuthorisation } from '@xs2a/contracts/baskets.contract';
import { paymentAuthorisation } from '@xs2a/contracts/payments.contract';
import { PaymentSigning } from './authorise/payment-signing.js';
import { VerifyPaymentPayeesHandler } from './authorise/verify-payees.handler.js';
import { VerifyBasketPayeesHandler } from './baskets/verify-payees.handler.js';
import { BasketSigning } from './baskets/basket-signing.js';
import { ExpireBasketHandler } from './baskets/expire-basket.handler.js';
import { ExpireDuePaymentsHandler } from './background/expire-due-payments.handler.js';
import { CancelBasketHandler } from './baskets/cancel-basket.handler.js';
import { CreateBasketHandler } from './baskets/create-basket.handler.js';
import { CreatePaymentHandler } from './create/create-payment.handler.js';
import { CancelPaymentHandler } from './end/cancel-payment.handler.js';
import { ClearPaymentsHandler } from './end/clear-payments.handler.js';
import { StopOrderHandler } from './end/stop-order.handler.js';
import { ExpirePaymentHandler } from './end/expire-payment.handler.js';
import { HandToSettlementHandler } from './settle/hand-to-settlement.handler.js';
import { RecordInstantsHandler } from './settle/record-instants.handler.js';
import { RecordSettlementHandler } from './settle/record-settlement.handler.js';
import { SettlePaymentHandler } from './settle/settle-payment.handler.js';

/** The handlers of the calls about authorisations, for each kind of resource. */
export const paymentAuthorisations = authorisationHandlers(paymentAuthorisation, PaymentSigning);
export const basketAuthorisations = authorisationHandlers(basketAuthorisation, BasketSigning);

/**
 * Payment commands, followed by basket commands. Each file contains a command and the handler to which the
 * CommandBus dispatches it.
 */
export const commands: Type[] = [
  ...paymentAuthorisations.commands,
  VerifyPaymentPayeesHandler,
  CreatePaymentHandler,
  CancelPaymentHandler,
  StopOrderHandler,
  ClearPaymentsHandler,
  HandToSettlementHandler,
  RecordSettlementHandler,
  RecordInstantsHandler,
  ExpireDuePaymentsHandler,
  SettlePaymentHandler,
  ExpirePaymentHandler,
];

export const basketCommands: Type[] = [
  ...basketAuthorisations.commands,
  VerifyBasketPayeesHandler,
  CreateBasketHandler,
  CancelBasketHandler,
  ExpireBasketHandler,
];
