import { Module } from '@nestjs/common';
import { AccessClaims } from './access-claims.js';
import { AccessController } from './access.controller.js';
import { AccessWindows } from './access-window.js';
import { AuthorisationsController } from './authorisations.controller.js';
import { BasketItems } from './basket-items.js';
import { BasketItemsController } from './basket-items.controller.js';
import { ConsentApproval } from './authorise-consent.js';
import { CallRecords } from './call-records.js';
import { CallRecordsController } from './call-records.controller.js';
import { BankAccounts } from './bank-accounts.js';
import { FurtherAuthorisation } from './further-authorisation.js';
import { ClaimQueue } from './claim-queue.js';
import { ConsentAnchors } from './consent-anchors.js';
import { ConsentLog } from './consent-log.js';
import { Consents } from './consents.js';
import { ConsentsController } from './consents.controller.js';
import { ConsentStore } from './consent-store.js';
import { ConsentCreation } from './create-consent.js';
import { DueConsents } from './due-consents.js';
import { LastUsed } from './last-used.js';
import { NotificationsController } from './notifications.controller.js';
import { PsuConsentsController } from './psu-consents.controller.js';
import { ReplaceOlder } from './replace-older.js';

/** The only writer of consents, and the counter of what is done with them. */
@Module({
  controllers: [
    ConsentsController,
    AuthorisationsController,
    PsuConsentsController,
    BasketItemsController,
    AccessController,
    CallRecordsController,
    NotificationsController,
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
