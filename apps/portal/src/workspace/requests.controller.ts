import { Controller, Get, Inject, NotFoundException, Param, Query, UseGuards } from '@nestjs/common';
import type { OwnRequest, RequestDetails } from '@xs2a/contracts/console.contract';
import type { Profile } from '@xs2a/domain/profile/profile';
import { isUuid } from '@xs2a/domain/text/uuid';
import type { Html } from '@xs2a/html/html';
import { Clock } from '@xs2a/runtime/clock';
import { CONFIG, PROFILE } from '@xs2a/runtime/tokens';
import type { PortalConfig } from '../config.js';
import { readList } from '../own-things/read-list.js';
import { ApiDescription } from '../reference/api-description.js';
import { tryFormOf } from '../try-it/inputs.js';
import { bodyOf } from './answers.js';
import { ownReads } from './own-reads.js';
import { requestPage, requestsPage } from './requests-pages.js';
import type { Credentials } from './session.js';
import { TppApi } from './tpp-api.js';
import { TppGuard, type TppVisit, VisitGuard, Visiting } from './visit.js';

/** How many pages of the API are read for one page. */
const maxPages = 4;

/** Returns calls of the TPP, newest first, without those with which the workspace reads. `next`: the cursor of the next page. */
export const listCalls = async (
  api: TppApi,
  tpp: Credentials,
  { most, cursor }: { readonly most: number; readonly cursor?: string },
): Promise<{ readonly calls: readonly OwnRequest[]; readonly next?: string }> => {
  const calls: OwnRequest[] = [];
  let next = cursor;
  for (let page = 0; page < maxPages && calls.length < most; page += 1) {
    const listed = await readList<OwnRequest>(api, tpp, 'requests', next);
    calls.push(...listed.items.filter(({ operation }) => !ownReads.has(operation)));
    ({ next } = listed);
    if (next === undefined) break;
  }
  return { calls, next };
};

/** The calls of the TPP, and one of them with why it was refused. */
@Controller('workspace/requests')
@UseGuards(VisitGuard, TppGuard)
export class RequestsController {
  constructor(
    private readonly api: TppApi,
    private readonly clock: Clock,
    private readonly description: ApiDescription,
    @Inject(PROFILE) private readonly profile: Profile,
    @Inject(CONFIG) private readonly config: PortalConfig,
  ) {}

  @Get()
  async list(@Visiting() { session, tpp }: TppVisit, @Query('cursor') sent: unknown): Promise<Html> {
    const cursor = typeof sent === 'string' ? sent : undefined;
    return requestsPage({ session, ...(await listCalls(this.api, tpp, { most: 1, cursor })) });
  }

  @Get(':requestId')
  async show(@Visiting() { session, tpp }: TppVisit, @Param('requestId') requestId: string): Promise<Html> {
    if (!isUuid(requestId)) throw new NotFoundException();
    const answer = await this.api.send(tpp, { method: 'GET', path: `/sandbox/requests/${requestId}` });
    const { requests } = bodyOf<{ readonly requests: readonly RequestDetails[] }>(answer);
    const { profile, clock, config } = this;
    return requestPage({
      session,
      requestId,
      requests,
      profile,
      baseUrl: config.BASE_URL,
      today: clock.date(profile.timeZone),
      canBeTried: (operation) => tryFormOf(this.description.document, operation) !== undefined,
    });
  }
}
