import type { Type } from '@nestjs/common';
import { AcceptPaymentHandler } from './authorise/accept-payment.handler.js';
import { RejectPaymentHandler } from './authorise/reject-payment.handler.js';
import { SignPaymentHandler } from './authorise/sign-payment.handler.js';
import { StartPaymentAuthorisationHandler } from './authorise/start-authorisation.handler.js';
import { ExpireDuePaymentsHandler } from './background/expire-due-payments.handler.js';
import { AcceptBasketHandler } from './baskets/accept-basket.handler.js';
import { CancelBasketHandler } from './baskets/cancel-basket.handler.js';
import { CreateBasketHandler } from './baskets/create-basket.handler.js';
import { RejectBasketHandler } from './baskets/reject-basket.handler.js';
import { SignBasketHandler } from './baskets/sign-basket.handler.js';
import { StartBasketAuthorisationHandler } from './baskets/start-authorisation.handler.js';
import { CreatePaymentHandler } from './create/create-payment.handler.js';
import { CancelPaymentHandler } from './end/cancel-payment.handler.js';
import { ClearPaymentsHandler } from './end/clear-payments.handler.js';
import { RecordSettlementHandler } from './settle/record-settlement.handler.js';

/**
 * Payment commands, followed by basket commands. Each file contains a command and the handler to which the
 * CommandBus dispatches it.
 */
export const commands: Type[] = [
  CreatePaymentHandler,
  StartPaymentAuthorisationHandler,
  AcceptPaymentHandler,
  SignPaymentHandler,
  RejectPaymentHandler,
  CancelPaymentHandler,
  ClearPaymentsHandler,
  RecordSettlementHandler,
  ExpireDuePaymentsHandler,
];

export const basketCommands: Type[] = [
  CreateBasketHandler,
  StartBasketAuthorisationHandler,
  AcceptBasketHandler,
  SignBasketHandler,
  RejectBasketHandler,
  CancelBasketHandler,
];
