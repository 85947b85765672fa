import { All, Controller, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { CallFailed } from '@xs2a/domain/failure/failed';
import type { Logger } from '@xs2a/observability/logger';
import { newId } from '@xs2a/runtime/ids';
import { cacheControlOf } from '@xs2a/runtime/http/kept-file';
import type { Profile } from '@xs2a/domain/profile/profile';
import { CONFIG, LOGGER, PROFILE } from '@xs2a/runtime/tokens';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callContext } from '@xs2a/calls/context';
import { oauthFailure } from '../oauth/oauth-failures.js';
import { interactionPath } from '../oauth/provider.js';
import { type BankLook, followBankLook, type LookSettings } from './pages/look/bank-look.js';
import { EntryPoints } from './entry-points.js';
import { plainPage } from './pages/end-pages.js';
import { fileHeaders } from './pages/page.js';
import { PsuPages, psuResource } from './psu-pages.js';
import { ScaFlow } from './sca-flow.js';
import { TooManySignIns } from './sign-in/sign-in-places.js';
import {
  type Answer,
  answeredWithinMs,
  isPlainId,
  languageFor,
  send,
  type PageRequest,
  toPageRequest,
} from './page-request.js';

/** Thrown when no response is ready in time; processing continues in the background. */
class TooLate extends Error {
  override readonly name = 'TooLate';
}

/** The addresses of the SCA pages (contract 12). */
@Controller('sca')
export class PagesController {
  readonly isSecure: boolean;
  private readonly lookNow: () => BankLook;

  constructor(
    private readonly flow: ScaFlow,
    private readonly entryPoints: EntryPoints,
    private readonly psuPages: PsuPages,
    @Inject(CONFIG) config: LookSettings,
    @Inject(PROFILE) profile: Profile,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.isSecure = config.BASE_URL.startsWith('https:');
    this.lookNow = followBankLook(profile, config);
  }

  get look(): BankLook {
    return this.lookNow();
  }

  @Get('style.css')
  async stylesheet(@Query('v') version: unknown, @Res() reply: FastifyReply): Promise<void> {
    await this.file('style.css', version, reply);
  }

  @Get('logo')
  async logo(@Query('v') version: unknown, @Res() reply: FastifyReply): Promise<void> {
    await this.file('logo', version, reply);
  }

  @Get('favicon')
  async favicon(@Query('v') version: unknown, @Res() reply: FastifyReply): Promise<void> {
    await this.file('favicon', version, reply);
  }

  @Get(':kind/:id/:authorisationId')
  async showResource(
    @Param() link: Record<string, string>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.resource(link, request, reply, 'show');
  }

  @Post(':kind/:id/:authorisationId')
  async submitResource(
    @Param() link: Record<string, string>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.resource(link, request, reply, 'submit');
  }

  @Get('authorize/:uid')
  async showAuthorize(
    @Param('uid') uid: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.authorize(uid, request, reply, 'show');
  }

  @Post('authorize/:uid')
  async submitAuthorize(
    @Param('uid') uid: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.authorize(uid, request, reply, 'submit');
  }

  @Get('apps')
  async showApps(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(request, reply, psuResource, '/sca/apps', (pageRequest) =>
      this.psuPages.show(pageRequest),
    );
  }

  @Post('apps')
  async submitApps(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(request, reply, psuResource, '/sca/apps', (pageRequest) =>
      this.psuPages.submit(pageRequest),
    );
  }

  @Get('payments')
  async showPayments(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(request, reply, psuResource, '/sca/payments', (pageRequest) =>
      this.psuPages.show(pageRequest),
    );
  }

  @Post('payments')
  async submitPayments(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(request, reply, psuResource, '/sca/payments', (pageRequest) =>
      this.psuPages.submit(pageRequest),
    );
  }

  @All('*')
  async unknown(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(request, reply, 'none', '/sca', async (pageRequest) => ({
      page: plainPage(languageFor(pageRequest), 'notFound'),
      status: 404,
    }));
  }

  private async file(name: keyof BankLook['files'], asked: unknown, reply: FastifyReply): Promise<void> {
    const { content, mediaType, version } = this.look.files[name];
    await reply
      .headers({ ...fileHeaders, 'Cache-Control': cacheControlOf(asked, version) })
      .type(mediaType)
      .send(content);
  }

  private async resource(
    { kind = '', id = '', authorisationId = '' }: Record<string, string>,
    request: FastifyRequest,
    reply: FastifyReply,
    turn: 'show' | 'submit',
  ): Promise<void> {
    const open = this.entryPoints.findOpener(kind, id, authorisationId);
    if (open === undefined || ![id, authorisationId].every(isPlainId)) return this.unknown(request, reply);
    const resource = `${kind}/${id}/${authorisationId}`;
    await this.answer(request, reply, resource, `/sca/${resource}`, (pageRequest) =>
      this.flow[turn](pageRequest, open),
    );
  }

  private async authorize(
    uid: string,
    request: FastifyRequest,
    reply: FastifyReply,
    turn: 'show' | 'submit',
  ): Promise<void> {
    if (!isPlainId(uid)) return this.unknown(request, reply);
    const open = (psuId?: string) =>
      this.entryPoints.authorize(uid, { request: request.raw, response: reply.raw }, psuId);
    await this.answer(request, reply, `authorize/${uid}`, interactionPath(uid), (pageRequest) =>
      this.flow[turn](pageRequest, open),
    );
  }

  private async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    resource: string,
    path: string,
    work: (pageRequest: PageRequest) => Promise<Answer>,
  ): Promise<void> {
    const pageRequest = toPageRequest(request, resource, path, this.isSecure);
    const isForm = request.method === 'POST';
    const { requestId = newId(), traceparent } = callContext.getStore() ?? {};
    const context = { requestId, traceparent, actor: 'psu', language: languageFor(pageRequest) };
    const answered = callContext
      .run(context, async () => {
        const ready = await work(pageRequest);
        this.logger.debug({ isForm }, 'sent a page');
        return ready;
      })
      .catch((error: unknown) => this.failed(pageRequest, error, isForm));
    const { promise: late, resolve } = Promise.withResolvers<Answer>();
    const timer = setTimeout(
      () => resolve(this.failed(pageRequest, new TooLate(), isForm)),
      answeredWithinMs,
    );
    const answer = await Promise.race([answered, late]);
    clearTimeout(timer);
    await send(reply, pageRequest, answer, this);
  }

  /**
   * A form may have been processed although its response failed. The page explains this and links to the PSU's
   * current step.
   */
  private failed(pageRequest: PageRequest, error: unknown, isForm: boolean): Answer {
    if (error instanceof TooManySignIns)
      return {
        page: plainPage(languageFor(pageRequest), 'busy', pageRequest.path),
        status: 429,
        retryAfter: 5,
      };
    const status = error instanceof TooLate ? 503 : oauthFailure(error).status;
    const isOurs = status === 500;
    if (isOurs) this.logger.error({ error }, 'unexpected error while rendering a page');
    else if (!(error instanceof CallFailed)) this.logger.warn({ error }, 'a dependency is down');
    const page = plainPage(languageFor(pageRequest), isForm ? 'unsure' : 'unavailable', pageRequest.path);
    return { page, status, retryAfter: isOurs ? undefined : 1 };
  }
}
