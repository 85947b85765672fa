import type { OwnRequest } from '@xs2a/contracts/console.contract';
import { Controller, Get, Inject, Post, UseGuards } from '@nestjs/common';
import type { Html } from '@xs2a/html/html';
import { Clock } from '@xs2a/runtime/clock';
import type { Profile } from '@xs2a/domain/profile/profile';
import { CONFIG, PROFILE } from '@xs2a/runtime/tokens';
import type { PortalConfig } from '../config.js';
import { bodyOf, jsonOf, refusalNote } from '../workspace/answers.js';
import { newSecretPage } from '../workspace/sign-in-pages.js';
import { ApiUnreachable, TppApi } from '../workspace/tpp-api.js';
import { TppGuard, type TppVisit, VisitGuard, Visiting } from '../workspace/visit.js';
import { note } from '../workspace/workspace-page.js';
import { overviewPage } from './overview-page.js';
import { readList } from './read-list.js';
import type { OwnTpp } from './own-things.js';

/** How many calls the overview shows. */
const latest = 5;

/** Returns undefined if the API cannot list calls now; the page has more to show. */
const unlessUnreachable = (error: unknown): undefined => {
  if (!(error instanceof ApiUnreachable)) throw error;
};

/** The first page of the workspace, with the registration of the TPP. */
@Controller('workspace')
@UseGuards(VisitGuard, TppGuard)
export class OverviewController {
  constructor(
    private readonly api: TppApi,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: PortalConfig,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  @Get()
  async show(@Visiting() visit: TppVisit): Promise<Html> {
    return this.shown(visit);
  }

  @Post('redirect-uris')
  async addRedirectUri(@Visiting() visit: TppVisit): Promise<Html> {
    const redirectUri = visit.form.get('redirectUri') ?? '';
    const answer = await this.api.send(visit.tpp, {
      method: 'POST',
      path: '/sandbox/tpp/redirect-uris',
      body: JSON.stringify({ redirectUri, clientSecret: visit.tpp.clientSecret }),
    });
    return this.shown(visit, refusalNote(answer) ?? note('good', 'The redirect URI is registered.'));
  }

  /** The session then has the new secret. One whose secret was replaced elsewhere may still have a token, but gets no secret. */
  @Post('secret')
  async renewSecret(@Visiting() visit: TppVisit): Promise<Html> {
    const { tpp } = visit;
    await this.api.checkCredentials(tpp);
    const answer = await this.api.sendKeyed(tpp, {
      method: 'POST',
      path: '/sandbox/tpp/secret',
      body: JSON.stringify({ clientSecret: tpp.clientSecret }),
    });
    const refusal = refusalNote(answer);
    if (refusal !== undefined) return this.shown(visit, refusal);
    const { clientSecret } = jsonOf<{ readonly clientSecret: string }>(answer);
    const renewed = { clientId: tpp.clientId, clientSecret };
    return newSecretPage(await visit.beginSession(renewed), renewed);
  }

  private async shown({ session, tpp }: TppVisit, message?: Html): Promise<Html> {
    const [answer, log] = await Promise.all([
      this.api.send(tpp, { method: 'GET', path: '/sandbox/tpp' }),
      readList<OwnRequest>(this.api, tpp, 'requests').catch(unlessUnreachable),
    ]);
    return overviewPage({
      session,
      registration: bodyOf<OwnTpp>(answer),
      calls: log?.items.slice(0, latest),
      hasEarlierCalls: log?.next !== undefined,
      baseUrl: this.config.BASE_URL,
      now: this.clock.now(),
      today: this.clock.date(this.profile.timeZone),
      message,
    });
  }
}
