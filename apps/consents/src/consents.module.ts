import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CallCounters } from './access/call-counters.js';
import { AccessController } from './access/access.controller.js';
import { CallRecordsController } from './access/call-records.controller.js';
import { CallRecords } from './access/call-records.js';
import { LastUsed } from './access/last-used.js';
import { AuthorisationsController } from './authorise/authorisations.controller.js';
import { BankAccounts } from './authorise/bank-accounts.js';
import { StartAuthorisationController } from './authorise/start-authorisation.controller.js';
import { ConsentAnchors } from './background/anchors.js';
import { DueConsents } from './background/expiry.js';
import { HousekeepingController } from './background/housekeeping.controller.js';
import { NotificationsController } from './background/notifications.controller.js';
import { ConsentPublisher } from './background/publisher.js';
import { BasketItemsController } from './baskets/basket-items.controller.js';
import { BasketItems } from './baskets/basket-items.js';
import { commands } from './commands.js';
import { CreateConsentController } from './create/create-consent.controller.js';
import { EndConsentController } from './end/end-consent.controller.js';
import { ReplaceOlder } from './end/replace-older.js';
import { queries } from './queries.js';
import { ReadConsentController } from './read/read-consent.controller.js';
import { ConsentStore } from './store/consent-store.js';
import { Consents } from './store/consents.js';

/**
 * The only writer of consents, and the counter of what is done with them. Controllers take calls from NATS and give each to the
 * CommandBus or the QueryBus.
 */
@Module({
  imports: [CqrsModule.forRoot()],
  controllers: [
    CreateConsentController,
    StartAuthorisationController,
    EndConsentController,
    ReadConsentController,
    AuthorisationsController,
    BasketItemsController,
    AccessController,
    CallRecordsController,
    NotificationsController,
    HousekeepingController,
  ],
  providers: [
    ...commands,
    ...queries,
    ConsentStore,
    Consents,
    BasketItems,
    BankAccounts,
    ReplaceOlder,
    CallCounters,
    LastUsed,
    CallRecords,
    DueConsents,
    ConsentPublisher,
    ConsentAnchors,
  ],
})
export class ConsentsModule {}
