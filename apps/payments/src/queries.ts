import type { Type } from '@nestjs/common';
import { basketAuthorisations, paymentAuthorisations } from './commands.js';
import { ReadEventStreamHandler } from './background/read-event-stream.handler.js';
import { ReadKeysHandler } from './background/read-keys.handler.js';
import { ReadPaymentModelsHandler } from './background/read-models.handler.js';
import { ReadNotificationsHandler } from './background/read-notifications.handler.js';
import { ReadBasketPaymentsHandler } from './baskets/pages/read-payments.handler.js';
import { ReadBasketStatusHandler } from './baskets/read-basket-status.handler.js';
import { ReadBasketHandler } from './baskets/read-basket.handler.js';
import { CheckBeforeBodyHandler } from './create/check-before-body.handler.js';
import { FindPaymentsHandler } from './read/find-payments.handler.js';
import { ListOwnPaymentsHandler } from './read/list-own-payments.handler.js';
import { ListSignedPaymentsHandler } from './read/list-signed-payments.handler.js';
import { ListWaitingHandler } from './authorise/list-waiting.handler.js';
import { ReadBundleHandler } from './read/read-bundle.handler.js';
import { ReadPaymentStatusHandler } from './read/read-payment-status.handler.js';
import { ReadLogHandler } from './read/read-log.handler.js';
import { ReadOwnTimelineHandler } from './read/read-own-timeline.handler.js';
import { ReadTimelineHandler } from './read/read-timeline.handler.js';
import { RevealFieldHandler } from './read/reveal-field.handler.js';
import { SearchPaymentsHandler } from './read/search-payments.handler.js';
import { ReadPaymentHandler } from './read/read-payment.handler.js';
import { ReadDueInstantsHandler } from './settle/read-due-instants.handler.js';
import { ReadDuePaymentsHandler } from './settle/read-due-payments.handler.js';
import { ReadPastPaymentsHandler } from './settle/read-past-payments.handler.js';
import { ReadSettlementQueueHandler } from './settle/read-settlement-queue.handler.js';
import { ReadSettlementStatesHandler } from './settle/read-settlement-states.handler.js';

/**
 * Payment queries, followed by basket queries. Each file contains a query and the handler to which the QueryBus
 * dispatches it.
 */
export const queries: Type[] = [
  ...paymentAuthorisations.queries,
  CheckBeforeBodyHandler,
  ReadPaymentHandler,
  ReadPaymentStatusHandler,
  ListSignedPaymentsHandler,
  FindPaymentsHandler,
  ListOwnPaymentsHandler,
  ReadTimelineHandler,
  ReadOwnTimelineHandler,
  ReadBundleHandler,
  ReadLogHandler,
  RevealFieldHandler,
  SearchPaymentsHandler,
  ReadSettlementQueueHandler,
  ReadPastPaymentsHandler,
  ReadDuePaymentsHandler,
  ReadDueInstantsHandler,
  ReadSettlementStatesHandler,
  ReadNotificationsHandler,
  ReadEventStreamHandler,
  ReadKeysHandler,
  ReadPaymentModelsHandler,
];

export const basketQueries: Type[] = [
  ...basketAuthorisations.queries,
  ReadBasketHandler,
  ReadBasketStatusHandler,
  ReadBasketPaymentsHandler,
  ListWaitingHandler,
];
