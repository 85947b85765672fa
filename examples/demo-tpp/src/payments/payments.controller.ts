import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { goOn } from '../baskets/go-on.js';
import { parseAmount } from '../page/amounts.js';
import { PageAnswers } from '../page/page-answers.js';
import { toView } from '../page/page-request.js';
import { StatusFeed } from '../status/status-feed.js';
import { readPayment } from './entered-payment.js';
import { PaymentInitiation } from './payment-initiation.js';
import { examplePayment, notFoundPage, paymentPage, payPage } from './payment-pages.js';

/** Pages of single payments. */
@Controller()
export class PaymentsController {
  constructor(
    private readonly answers: PageAnswers,
    private readonly paymentInitiation: PaymentInitiation,
    private readonly feed: StatusFeed,
  ) {}

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
}
