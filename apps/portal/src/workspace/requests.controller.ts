import {
  Controller,
  Get,
  HttpStatus,
  Inject,
  NotFoundException,
  Param,
  Query,
  Res,
  UseGuards,
} from '@nestjs/common';
import type { OwnRequest, RequestDetails } from '@xs2a/contracts/console.contract';
import type { Profile } from '@xs2a/domain/profile/profile';
import { isUuid } from '@xs2a/domain/text/uuid';
import type { Html } from '@xs2a/html/html';
import { Clock } from '@xs2a/runtime/clock';
import type { FastifyReply } from 'fastify';
import { CONFIG, PROFILE } from '@xs2a/runtime/tokens';
import type { PortalConfig } from '../config.js';
import type { OwnTpp } from '../own-things/own-things.js';
import { readList } from '../own-things/read-list.js';
import { ApiDescription } from '../reference/api-description.js';
import { tryFormOf } from '../try-it/inputs.js';
import { bodyOf } from './answers.js';
import { noRequestPage, requestPage, requestsPage } from './requests-pages.js';
import { TppApi } from './tpp-api.js';
import { TppGuard, type TppVisit, VisitGuard, Visiting } from './visit.js';

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
    const { items: calls, next } = await readList<OwnRequest>(this.api, tpp, 'requests', cursor);
    return requestsPage({ session, calls, next });
  }

  @Get(':requestId')
  async show(
    @Visiting() { session, tpp }: TppVisit,
    @Param('requestId') requestId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Html> {
    if (!isUuid(requestId)) throw new NotFoundException();
    const [answer, registered] = await Promise.all([
      this.api.send(tpp, { method: 'GET', path: `/sandbox/requests/${requestId}` }),
      this.api.send(tpp, { method: 'GET', path: '/sandbox/tpp' }),
    ]);
    if (answer.status === 404) {
      reply.status(HttpStatus.NOT_FOUND);
      return noRequestPage(session, requestId);
    }
    const { requests } = bodyOf<{ readonly requests: readonly RequestDetails[] }>(answer);
    const { profile, clock, config } = this;
    return requestPage({
      session,
      requestId,
      requests,
      profile,
      baseUrl: config.BASE_URL,
      today: clock.date(profile.timeZone),
      redirectUris: bodyOf<OwnTpp>(registered).redirectUris,
      canBeTried: (operation) => tryFormOf(this.description.document, operation) !== undefined,
    });
  }
}
