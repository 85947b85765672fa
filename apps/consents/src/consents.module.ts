import { Module } from '@nestjs/common';
import { AccessClaims } from './access/access-claims.js';
import { AccessController } from './access/access.controller.js';
import { AccessWindows } from './access/access-window.js';
import { AuthorisationsController } from './authorise/authorisations.controller.js';
import { BasketItems } from './baskets/basket-items.js';
import { BasketItemsController } from './baskets/basket-items.controller.js';
import { ConsentApproval } from './authorise/authorise-consent.js';
import { CallRecords } from './access/call-records.js';
import { CallRecordsController } from './access/call-records.controller.js';
import { BankAccounts } from './authorise/bank-accounts.js';
import { FurtherAuthorisation } from './authorise/further-authorisation.js';
import { ClaimQueue } from './access/claim-queue.js';
import { ConsentAnchors } from './background/anchors.js';
import { ConsentLog } from './background/publisher.js';
import { Consents } from './store/consents.js';
import { CreateConsentController } from './create/create-consent.controller.js';
import { EndConsentController } from './end/end-consent.controller.js';
import { HousekeepingController } from './background/housekeeping.controller.js';
import { ReadConsentController } from './read/read-consent.controller.js';
import { StartAuthorisationController } from './authorise/start-authorisation.controller.js';
import { ConsentStore } from './store/consent-store.js';
import { ConsentCreation } from './create/create-consent.js';
import { DueConsents } from './background/expiry.js';
import { LastUsed } from './access/last-used.js';
import { NotificationsController } from './background/notifications.controller.js';
import { PsuConsentsController } from './read/psu-consents.controller.js';
import { ReplaceOlder } from './end/replace-older.js';

/** The only writer of consents, and the counter of what is done with them. */
@Module({
  controllers: [
    CreateConsentController,
    StartAuthorisationController,
    EndConsentController,
    ReadConsentController,
    AuthorisationsController,
    PsuConsentsController,
    BasketItemsController,
    AccessController,
    CallRecordsController,
    NotificationsController,
    HousekeepingController,
  ],
  providers: [
    ConsentStore,
    Consents,
    ConsentCreation,
    ConsentApproval,
    BasketItems,
    FurtherAuthorisation,
    BankAccounts,
    ReplaceOlder,
    AccessWindows,
    ClaimQueue,
    AccessClaims,
    LastUsed,
    CallRecords,
    DueConsents,
    ConsentLog,
    ConsentAnchors,
  ],
})
export class ConsentsModule {}
