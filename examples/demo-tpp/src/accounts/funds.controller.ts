import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseAmount } from '../page/amounts.js';
import { PageAnswers } from '../page/page-answers.js';
import { toView } from '../page/page-request.js';
import { fundsPage } from '../payments/payment-pages.js';
import { FundsConfirmation } from './funds-confirmation.js';

/** Pages that ask whether an amount is available. */
@Controller('funds')
export class FundsController {
  constructor(
    private readonly answers: PageAnswers,
    private readonly fundsConfirmation: FundsConfirmation,
  ) {}

  @Get()
  async funds(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => ({
      page: fundsPage(toView(pageRequest), pageRequest.session.funds !== undefined),
    }));
  }

  @Post('allow')
  async allowFunds(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async ({ session }) => ({
      redirect: await this.fundsConfirmation.allow(session),
    }));
  }

  @Post()
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
}
