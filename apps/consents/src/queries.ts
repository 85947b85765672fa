import type { Type } from '@nestjs/common';
import { consentAuthorisations } from './commands.js';
import { CheckAccessHandler } from './access/check-access.handler.js';
import { ReadConsentForAuthorizationHandler } from './authorise/read-for-authorization.handler.js';
import { ReadEventStreamHandler } from './background/read-event-stream.handler.js';
import { ReadKeysHandler } from './background/read-keys.handler.js';
import { ReadConsentModelsHandler } from './background/read-models.handler.js';
import { ReadNotificationsHandler } from './background/read-notifications.handler.js';
import { CheckConsentItemsHandler } from './baskets/check-items.handler.js';
import { ListConsentItemAccountsHandler } from './baskets/list-accounts.handler.js';
import { ReadConsentItemStatusesHandler } from './baskets/read-item-statuses.handler.js';
import { ReadConsentItemsHandler } from './baskets/read-items.handler.js';
import { CheckBeforeBodyHandler } from './create/check-before-body.handler.js';
import { ListConsentsOfBankHandler } from './read/list-consents-of-bank.handler.js';
import { ListConsentsHandler } from './read/list-consents.handler.js';
import { ListPsuConsentsHandler } from './read/list-psu-consents.handler.js';
import { ListWaitingHandler } from './authorise/list-waiting.handler.js';
import { ReadConsentHandler } from './read/read-consent.handler.js';
import { ReadConsentStatusHandler } from './read/read-consent-status.handler.js';
import { ReadLogHandler } from './read/read-log.handler.js';
import { ReadOwnTimelineHandler } from './read/read-own-timeline.handler.js';
import { ReadTimelineHandler } from './read/read-timeline.handler.js';
import { RevealFieldHandler } from './read/reveal-field.handler.js';

/** All queries of this service. Each file contains a query and the handler to which the QueryBus dispatches it. */
export const queries: Type[] = [
  ...consentAuthorisations.queries,
  CheckBeforeBodyHandler,
  ReadConsentHandler,
  ReadConsentStatusHandler,
  ReadTimelineHandler,
  ReadOwnTimelineHandler,
  ReadLogHandler,
  RevealFieldHandler,
  ListConsentsOfBankHandler,
  ListConsentsHandler,
  ListPsuConsentsHandler,
  ListWaitingHandler,
  ReadConsentForAuthorizationHandler,
  CheckAccessHandler,
  ReadNotificationsHandler,
  ReadEventStreamHandler,
  ReadKeysHandler,
  ReadConsentModelsHandler,
  ReadConsentItemsHandler,
  ReadConsentItemStatusesHandler,
  CheckConsentItemsHandler,
  ListConsentItemAccountsHandler,
];
