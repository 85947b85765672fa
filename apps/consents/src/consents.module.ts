import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { controllerFor } from '@xs2a/calls/handlers';
import { PUBLISHED, Publisher } from '@xs2a/event-store/publishing/publisher';
import { CallCounters } from './access/call-counters.js';
import { CallRecords } from './access/call-records.js';
import { LastUsed } from './access/last-used.js';
import { BankAccounts } from './authorise/bank-accounts.js';
import { ConsentSigning } from './authorise/consent-signing.js';
import { DueConsents } from './background/expiry.js';
import { BasketItems } from './baskets/basket-items.js';
import { commands } from './commands.js';
import { BeforeBody } from './create/before-body.js';
import { ReplaceOlder } from './end/replace-older.js';
import { queries } from './queries.js';
import { publishedStreams } from './background/published-streams.js';
import { CONSENT_STORE, consentStoreProvider } from './store/consent-store.js';
import { Consents } from './store/consents.js';

/**
 * The only writer of consents, which also counts the calls made with them. Each NATS call becomes a command or a
 * query.
 */
@Module({
  imports: [CqrsModule.forRoot()],
  controllers: [controllerFor([...commands, ...queries])],
  providers: [
    ...commands,
    ...queries,
    consentStoreProvider,
    Consents,
    BeforeBody,
    BasketItems,
    BankAccounts,
    ConsentSigning,
    ReplaceOlder,
    CallCounters,
    LastUsed,
    CallRecords,
    DueConsents,
    { provide: PUBLISHED, useFactory: publishedStreams, inject: [CONSENT_STORE] },
    Publisher,
  ],
})
export class ConsentsModule {}
