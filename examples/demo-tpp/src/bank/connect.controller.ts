import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccountInformation } from '../accounts/account-information.js';
import { homePage } from '../accounts/account-pages.js';
import { PageAnswers } from '../page/page-answers.js';
import { toView } from '../page/page-request.js';
import { Sessions } from '../page/sessions.js';
import { BankLogin } from './bank-login.js';

/** The first page: connects an account at the bank, and disconnects it. */
@Controller()
export class ConnectController {
  constructor(
    private readonly answers: PageAnswers,
    private readonly sessions: Sessions,
    private readonly login: BankLogin,
    private readonly accountInformation: AccountInformation,
  ) {}

  @Get()
  async home(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => ({
      page: homePage(toView(pageRequest), pageRequest.session.connection !== undefined),
    }));
  }

  @Post('connect')
  async connect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async ({ session, form, ip }) => {
      const psuId = Array.from((form.get('psuId') ?? '').trim())
        .slice(0, 64)
        .join('');
      const redirect = await this.accountInformation.connect(session, psuId, ip);
      if (redirect === undefined) session.notice = 'not-connected';
      return { redirect: redirect ?? '/' };
    });
  }

  @Post('disconnect')
  async disconnect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async ({ session }) => {
      await this.accountInformation.disconnect(session);
      session.notice = 'disconnected';
      return { redirect: '/' };
    });
  }

  /** The browser comes back from an authorization request. */
  @Get('callback')
  async callback(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async ({ session, sessionId, query }) => {
      const returned = await this.login.finish(session, query);
      if (typeof returned === 'string') {
        session.notice = returned;
        return { redirect: '/' };
      }
      const { grant, pending } = returned;
      const { purpose, consentId = '', psuId = '' } = pending;
      if (purpose === 'funds') session.funds = grant;
      else session.connection = { consentId, psuId, grant };
      session.notice = purpose === 'funds' ? 'funds-allowed' : 'connected';
      return {
        redirect: purpose === 'funds' ? '/funds' : '/accounts',
        cookie: this.sessions.renew(sessionId, session),
      };
    });
  }
}
