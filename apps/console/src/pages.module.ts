import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ActionsModule } from './actions/actions.module.js';
import { ActionsController } from './actions-pages/actions.controller.js';
import { CallsModule } from './calls/calls.module.js';
import { CallEntity } from './calls/call.entity.js';
import { CallGroups } from './calls-pages/call-groups.js';
import { CallList } from './calls-pages/call-list.js';
import { CallsPagesController } from './calls-pages/calls-pages.controller.js';
import { BundleController } from './dispute-bundle/bundle.controller.js';
import { Instance } from './instances/instance.entity.js';
import { LivePulses } from '@xs2a/doctor/live-pulses';
import { LiveController } from './live-page/live.controller.js';
import { Backlog } from './now/backlog.js';
import { ClockMoves } from './now/clock-moves.js';
import { NowController } from './now/now.controller.js';
import { Observer } from './now/observer.js';
import { AssetsController } from './pages/assets.controller.js';
import { Frames } from './pages/frames.js';
import { HomeController } from './pages/home.controller.js';
import { Parts } from './parts/parts.js';
import { PastController } from './past/past.controller.js';
import { PastFiguresReader } from './past/past-figures.js';
import { ConsentEndController } from './resources-pages/consent-end.controller.js';
import { ConsentsPageController } from './resources-pages/consents-page.controller.js';
import { PaymentSettlementController } from './resources-pages/payment-settlement.controller.js';
import { PaymentsPageController } from './resources-pages/payments-page.controller.js';
import { ResourceReads } from './resources-pages/resource-reads.js';
import { ResourcesController } from './resources-pages/resources.controller.js';
import { SearchController } from './resources-pages/search.controller.js';
import { JobsController } from './jobs/jobs.controller.js';
import { JobsModule } from './jobs/jobs.module.js';
import { ReplayController } from './push-pages/replay.controller.js';
import { PushController } from './push-pages/push.controller.js';
import { PsusController } from './psus/psus.controller.js';
import { EncryptedSearchController } from './reveal/encrypted-search.controller.js';
import { RevealController } from './reveal/reveal.controller.js';
import { RevealModule } from './reveal/reveal.module.js';
import { RunbooksController } from './runbooks/runbooks.controller.js';
import { Databases } from './services-page/databases.js';
import { Keys } from './services-page/keys.js';
import { ReadModels } from './services-page/read-models.js';
import { StandbyReader } from './services-page/standbys.js';
import { ServicesController } from './services-page/services.controller.js';
import { LateInstantsController } from './settlement-page/late-instants.controller.js';
import { LettersController } from './settlement-page/letters.controller.js';
import { SettlementPageController } from './settlement-page/settlement-page.controller.js';
import { StaffSessionEntity } from './staff/staff-session.entity.js';
import { StaffSessions } from './staff/staff-sessions.js';
import { TppCallCounts } from './tpps/tpp-calls.js';
import { TppCertificates } from './tpps/tpp-certificates.js';
import { TppNames } from './tpps/tpp-names.js';
import { TppsController } from './tpps/tpps.controller.js';

/** The pages for the bank's staff. */
@Module({
  imports: [
    TypeOrmModule.forFeature([CallEntity, Instance, StaffSessionEntity]),
    ActionsModule,
    CallsModule,
    JobsModule,
    RevealModule,
  ],
  providers: [
    Backlog,
    CallGroups,
    CallList,
    ClockMoves,
    Databases,
    Frames,
    LivePulses,
    Observer,
    Parts,
    PastFiguresReader,
    Keys,
    ReadModels,
    ResourceReads,
    StaffSessions,
    StandbyReader,
    TppCallCounts,
    TppCertificates,
    TppNames,
  ],
  controllers: [
    ActionsController,
    AssetsController,
    HomeController,
    NowController,
    PastController,
    LiveController,
    CallsPagesController,
    ConsentEndController,
    ConsentsPageController,
    PaymentSettlementController,
    PaymentsPageController,
    PsusController,
    JobsController,
    ReplayController,
    PushController,
    ResourcesController,
    EncryptedSearchController,
    RevealController,
    RunbooksController,
    BundleController,
    SearchController,
    ServicesController,
    LateInstantsController,
    LettersController,
    SettlementPageController,
    TppsController,
  ],
})
export class PagesModule {}
