import { All, Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { Logger } from '@xs2a/observability/logger';
import { CONFIG, LOGGER } from '@xs2a/runtime/tokens';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccountInformation } from './account-information.js';
import { accountsPage, connectFirstPage, homePage, movementsPage } from './account-pages.js';
import { BankAway } from './bank/bank.js';
import { BankLogin } from './bank/bank-login.js';
import { FundsConfirmation } from './funds-confirmation.js';
import { PaymentInitiation, type PaymentWish } from './payment-initiation.js';
import { examplePayment, fundsPage, notFoundPage, paymentPage, payPage } from './payment-pages.js';
import { Sessions } from './sessions.js';
import { style } from './style.js';
import { type Answer, send, type Visit, viewOf, visitOf } from './visit.js';

/** An amount as people write it, as the API wants it; undefined: no amount. */
export const amountOf = (text: string | null): string | undefined => {
  const amount = (text ?? '')
    .trim()
    .replaceAll(/[\s\u00a0]/g, '')
    .replace(',', '.');
  return /^(0|[1-9]\d{0,13})(\.\d{1,2})?$/.test(amount) ? amount : undefined;
};

/** All pages of the demo TPP. */
@Controller()
export class PagesController {
  private readonly around: { readonly isSecure: boolean; readonly bankUrl: string };

  constructor(
    private readonly sessions: Sessions,
    private readonly login: BankLogin,
    private readonly accountInformation: AccountInformation,
    private readonly fundsConfirmation: FundsConfirmation,
    private readonly paymentInitiation: PaymentInitiation,
    @Inject(CONFIG) settings: { readonly OWN_URL: string; readonly BANK_URL: string },
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.around = { isSecure: settings.OWN_URL.startsWith('https:'), bankUrl: settings.BANK_URL };
  }

  @Get('health/ready')
  ready(): { readonly ok: true } {
    return { ok: true };
  }

  @Get('style.css')
  async stylesheet(@Res() reply: FastifyReply): Promise<void> {
    await reply
      .headers({
        'Cache-Control': 'public, max-age=31536000, immutable',
        'X-Content-Type-Options': 'nosniff',
      })
      .type('text/css; charset=utf-8')
      .send(style);
  }

  @Get()
  async home(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(request, reply, async (visit) => ({
      page: homePage(viewOf(visit), visit.session.connection !== undefined),
    }));
  }

  @Post('connect')
  async connect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(request, reply, async ({ session, form, ip }) => {
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
    await this.answer(request, reply, async ({ session }) => {
      await this.accountInformation.disconnect(session);
      session.notice = 'disconnected';
      return { redirect: '/' };
    });
  }

  /** The browser comes back from an authorization request. */
  @Get('callback')
  async callback(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(request, reply, async ({ session, sessionId, query }) => {
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
    await this.answer(request, reply, async (visit) => {
      const accounts = await this.accountInformation.accounts(visit.session, visit.ip);
      const view = viewOf(visit);
      return { page: accounts === undefined ? connectFirstPage(view) : accountsPage(view, accounts) };
    });
  }

  @Get('accounts/:resourceId')
  async movements(
    @Param('resourceId') resourceId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(request, reply, async (visit) => {
      const movements = await this.accountInformation.movements(visit.session, visit.ip, resourceId);
      return movements === undefined
        ? { redirect: '/accounts' }
        : { page: movementsPage(viewOf(visit), movements) };
    });
  }

  @Get('funds')
  async funds(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(request, reply, async (visit) => ({
      page: fundsPage(viewOf(visit), visit.session.funds !== undefined),
    }));
  }

  @Post('funds/allow')
  async allowFunds(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(request, reply, async ({ session }) => ({
      redirect: await this.fundsConfirmation.allow(session),
    }));
  }

  @Post('funds')
  async askFunds(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(request, reply, async (visit) => {
      const { session, form, ip } = visit;
      const amount = amountOf(form.get('amount'));
      if (amount === undefined) {
        session.notice = 'amount-wrong';
        return { redirect: '/funds' };
      }
      const answer = await this.fundsConfirmation.ask(session, ip, amount);
      if (answer === 'allow-first') session.notice = 'connect-again';
      return { page: fundsPage(viewOf(visit), answer !== 'allow-first', { amount, answer }) };
    });
  }

  @Get('pay')
  async pay(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(request, reply, async (visit) => ({
      page: payPage(viewOf(visit), visit.session.accounts, examplePayment),
    }));
  }

  @Post('pay')
  async beginPayment(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(request, reply, async (visit) => {
      const { session, form, ip } = visit;
      const field = (name: keyof PaymentWish): string => (form.get(name) ?? '').trim();
      const iban = (name: keyof PaymentWish): string => field(name).replaceAll(/\s/g, '').toUpperCase();
      const wish = {
        debtorIban: iban('debtorIban'),
        amount: field('amount'),
        creditorName: field('creditorName'),
        creditorIban: iban('creditorIban'),
        remittance: field('remittance'),
      };
      const amount = amountOf(wish.amount);
      if (amount === undefined) {
        session.notice = 'amount-wrong';
        return { page: payPage(viewOf(visit), session.accounts, wish), status: 400 };
      }
      const begun = await this.paymentInitiation.begin(session, { ...wish, amount }, ip);
      if ('scaRedirect' in begun) return { redirect: begun.scaRedirect };
      return { page: payPage(viewOf(visit), session.accounts, wish, begun.refused), status: 400 };
    });
  }

  @Get('payments/:id')
  async payment(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(request, reply, async (visit) => {
      const known = visit.session.payments.get(id);
      if (known === undefined) return { page: notFoundPage(viewOf(visit)), status: 404 };
      const state = await this.paymentInitiation.state(known);
      return { page: paymentPage(viewOf(visit), known, state) };
    });
  }

  @Get('payments/:id/back')
  async signed(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    await this.cameBack(id, 'ok', request, reply);
  }

  @Get('payments/:id/not-signed')
  async notSigned(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    await this.cameBack(id, 'nok', request, reply);
  }

  @All('*')
  async unknown(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(request, reply, async (visit) => ({ page: notFoundPage(viewOf(visit)), status: 404 }));
  }

  /** How the person came back says nothing that counts: the bank is asked where the payment stands. */
  private async cameBack(
    id: string,
    returned: 'ok' | 'nok',
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    await this.answer(request, reply, async (visit) => {
      const known = visit.session.payments.get(id);
      if (known === undefined) return { page: notFoundPage(viewOf(visit)), status: 404 };
      known.returned = returned;
      return { redirect: `/payments/${id}` };
    });
  }

  private async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (visit: Visit) => Promise<Answer>,
  ): Promise<void> {
    const visit = visitOf(request, this.sessions, this.around.isSecure);
    const { session } = visit;
    if (request.method !== 'GET' && !visit.isOwnForm) {
      session.notice = 'out-of-date';
      const page = homePage(viewOf(visit), session.connection !== undefined);
      await send(reply, visit, { page, status: 403 }, this.around);
      return;
    }
    const answer = await work(visit).catch((error: unknown): Answer => {
      const isAway = error instanceof BankAway;
      if (isAway) this.logger.warn({ error }, 'the bank is away');
      else this.logger.error({ error }, 'a page failed');
      session.notice = 'away';
      const page = homePage(viewOf(visit), session.connection !== undefined);
      return { page, status: isAway ? 503 : 500 };
    });
    await send(reply, visit, answer, this.around);
  }
}
