import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CallEntity } from './calls/call.entity.js';
import { CallGroups } from './calls-pages/call-groups.js';
import { CallList } from './calls-pages/call-list.js';
import { CallsPagesController } from './calls-pages/calls-pages.controller.js';
import { Instance } from './instances/instance.entity.js';
import { LivePulses } from './instances/live-pulses.js';
import { NowController } from './now/now.controller.js';
import { Observer } from './now/observer.js';
import { AssetsController } from './pages/assets.controller.js';
import { Frames } from './pages/frames.js';
import { HomeController } from './pages/home.controller.js';
import { ServicesController } from './services-page/services.controller.js';
import { StaffSessionEntity } from './staff/staff-session.entity.js';
import { StaffSessions } from './staff/staff-sessions.js';

/** The pages for the bank's staff. */
@Module({
  imports: [TypeOrmModule.forFeature([CallEntity, Instance, StaffSessionEntity])],
  providers: [CallGroups, CallList, Frames, LivePulses, Observer, StaffSessions],
  controllers: [AssetsController, HomeController, NowController, CallsPagesController, ServicesController],
})
export class PagesModule {}
