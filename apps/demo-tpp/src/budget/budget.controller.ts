import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { amountOf } from '../page/amounts.js';
import { goOn } from '../baskets/go-on.js';
import { PageAnswers } from '../page/page-answers.js';
import { PaymentInitiation } from '../payments/payment-initiation.js';
import { viewOf } from '../page/visit.js';
import { budgetPage, exampleBudget } from './budget-pages.js';
import { readBudget } from './budget-wish.js';

/** The page of a payment to the budget; once begun it is a payment like any other. */
@Controller('budget')
export class BudgetController {
  constructor(
    private readonly answers: PageAnswers,
    private readonly payments: PaymentInitiation,
  ) {}

  @Get()
  async form(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (visit) => ({
      page: budgetPage(viewOf(visit), visit.session.accounts, exampleBudget),
    }));
  }

  @Post()
  async begin(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (visit) => {
      const { session, form, ip } = visit;
      const wish = readBudget(form);
      const amount = amountOf(wish.amount);
      if (amount === undefined) {
        session.notice = 'amount-wrong';
        return { page: budgetPage(viewOf(visit), session.accounts, wish), status: 400 };
      }
      const begun = await this.payments.beginToBudget(session, { ...wish, amount }, ip);
      if ('scaRedirect' in begun) return goOn(visit, begun.scaRedirect);
      return { page: budgetPage(viewOf(visit), session.accounts, wish, begun.refused), status: 400 };
    });
  }
}
