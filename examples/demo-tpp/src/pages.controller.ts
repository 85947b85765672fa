import { All, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccountInformation } from './accounts/account-information.js';
import { accountsPage, connectFirstPage, homePage, movementsPage } from './accounts/account-pages.js';
import { BankLogin } from './bank/bank-login.js';
import { parseAmount } from './page/amounts.js';
import { goOn } from './baskets/go-on.js';
import { FundsConfirmation } from './accounts/funds-confirmation.js';
import { PageAnswers } from './page/page-answers.js';
import { PaymentInitiation } from './payments/payment-initiation.js';
import { examplePayment, fundsPage, notFoundPage, paymentPage, payPage } from './payments/payment-pages.js';
import { readPayment } from './payments/entered-payment.js';
import { Sessions } from './page/sessions.js';
import { liveScript } from './status/live-script.js';
import { StatusFeed } from './status/status-feed.js';
import { style } from './page/style.js';
import { toView } from './page/page-request.js';

/** A file of this app, whose address changes with its content. */
const sendStatic = async (reply: FastifyReply, type: string, content: string): Promise<void> => {
  await reply
    .headers({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
    })
    .type(type)
    .send(content);
};

/** Pages of accounts, funds and single payments. */
@Controller()
export class PagesController {
  constructor(
    private readonly answers: PageAnswers,
    private readonly sessions: Sessions,
    private readonly login: BankLogin,
    private readonly accountInformation: AccountInformation,
    private readonly fundsConfirmation: FundsConfirmation,
    private readonly paymentInitiation: PaymentInitiation,
    private readonly feed: StatusFeed,
  ) {}

  @Get('health/ready')
  ready(): { readonly ok: true } {
    return { ok: true };
  }

  @Get('style.css')
  async stylesheet(@Res() reply: FastifyReply): Promise<void> {
    await sendStatic(reply, 'text/css; charset=utf-8', style);
  }

  @Get('live.js')
  async script(@Res() reply: FastifyReply): Promise<void> {
    await sendStatic(reply, 'text/javascript; charset=utf-8', liveScript);
  }

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

  @Get('accounts')
  async accounts(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => {
      const accounts = await this.accountInformation.accounts(pageRequest.session, pageRequest.ip);
      const view = toView(pageRequest);
      return { page: accounts === undefined ? connectFirstPage(view) : accountsPage(view, accounts) };
    });
  }

  @Get('accounts/:resourceId')
  async movements(
    @Param('resourceId') resourceId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => {
      const movements = await this.accountInformation.movements(
        pageRequest.session,
        pageRequest.ip,
        resourceId,
      );
      return movements === undefined
        ? { redirect: '/accounts' }
        : { page: movementsPage(toView(pageRequest), movements) };
    });
  }

  @Get('funds')
  async funds(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => ({
      page: fundsPage(toView(pageRequest), pageRequest.session.funds !== undefined),
    }));
  }

  @Post('funds/allow')
  async allowFunds(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async ({ session }) => ({
      redirect: await this.fundsConfirmation.allow(session),
    }));
  }

  @Post('funds')
  async askFunds(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => {
      const { session, form, ip } = pageRequest;
      const amount = parseAmount(form.get('amount'));
      if (amount === undefined) {
        session.notice = 'amount-wrong';
        return { redirect: '/funds' };
      }
      const answer = await this.fundsConfirmation.ask(session, ip, amount);
      if (answer === 'allow-first') session.notice = 'connect-again';
      return { page: fundsPage(toView(pageRequest), answer !== 'allow-first', { amount, answer }) };
    });
  }

  @Get('pay')
  async pay(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => ({
      page: payPage(toView(pageRequest), pageRequest.session.accounts, examplePayment),
    }));
  }

  @Post('pay')
  async beginPayment(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => {
      const { session, form, ip } = pageRequest;
      const entered = readPayment(form);
      const amount = parseAmount(entered.amount);
      if (amount === undefined) {
        session.notice = 'amount-wrong';
        return { page: payPage(toView(pageRequest), session.accounts, entered), status: 400 };
      }
      const begun = await this.paymentInitiation.begin(session, { ...entered, amount }, ip);
      if ('scaRedirect' in begun) return goOn(pageRequest, begun.scaRedirect);
      return { page: payPage(toView(pageRequest), session.accounts, entered, begun.refused), status: 400 };
    });
  }

  @Get('payments/:id')
  async payment(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => {
      const known = pageRequest.session.payments.get(id);
      if (known === undefined) return { page: notFoundPage(toView(pageRequest)), status: 404 };
      const seen = this.feed.version([known.resourceId]);
      const state = await this.paymentInitiation.state(known);
      return { page: paymentPage(toView(pageRequest), known, state, seen), isLive: true };
    });
  }

  @All('*')
  async unknown(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => ({
      page: notFoundPage(toView(pageRequest)),
      status: 404,
    }));
  }
}
