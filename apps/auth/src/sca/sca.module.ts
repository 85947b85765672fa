import { Inject, Module } from '@nestjs/common';
import type { Logger } from '@xs2a/observability/logger';
import { LOGGER } from '@xs2a/runtime/tokens';
import { OauthModule } from '../oauth/oauth.module.js';
import { OTP_CODES, PSU_NOTICES } from '../tokens.js';
import { TppModule } from '../tpp/tpp.module.js';
import { EntryPoints } from './entry-points.js';
import { PageSessions } from './page-sessions.js';
import { PagesController } from './pages.controller.js';
import { PsuController } from './psu.controller.js';
import { PsuPages } from './psu-pages.js';
import { ScaFlow } from './sca-flow.js';
import { Challenges } from './sign-in/challenges.js';
import { KnownBrowsers } from './sign-in/known-browsers.js';
import { OtpSource } from './sign-in/otp-source.js';
import { type PsuNotices, reportLocks } from './sign-in/psu-notices.js';
import { ScaFailures } from './sign-in/sca-failures.js';
import { ScaUnlocks } from './sign-in/sca-unlocks.js';
import { SignIn } from './sign-in/sign-in.js';
import { SignInPlaces } from './sign-in/sign-in-places.js';

/** The pages on which PSUs sign in, sign, and see everything that they have approved. */
@Module({
  imports: [TppModule, OauthModule],
  controllers: [PagesController, PsuController],
  providers: [
    OtpSource,
    { provide: OTP_CODES, inject: [OtpSource], useFactory: ({ codes }: OtpSource) => codes },
    { provide: PSU_NOTICES, inject: [OtpSource], useFactory: ({ notices }: OtpSource) => notices },
    ScaFailures,
    ScaUnlocks,
    KnownBrowsers,
    PageSessions,
    SignInPlaces,
    SignIn,
    Challenges,
    ScaFlow,
    PsuPages,
    EntryPoints,
  ],
})
export class ScaModule {
  constructor(
    failures: ScaFailures,
    @Inject(PSU_NOTICES) notices: PsuNotices,
    @Inject(LOGGER) logger: Logger,
  ) {
    reportLocks(failures, notices, logger);
  }
}
