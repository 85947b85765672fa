import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseAmount } from '../page/amounts.js';
import { goOn } from '../baskets/go-on.js';
import { PageAnswers } from '../page/page-answers.js';
import { PaymentInitiation } from '../payments/payment-initiation.js';
import { toView } from '../page/page-request.js';
import { budgetPage, exampleBudget } from './budget-pages.js';
import { readBudget } from './entered-budget-payment.js';

/** The page of a payment to the budget; once initiated it is a payment like any other. */
@Controller('budget')
export class BudgetController {
  constructor(
    private readonly answers: PageAnswers,
    private readonly payments: PaymentInitiation,
  ) {}

  @Get()
  async form(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => ({
      page: budgetPage(toView(pageRequest), pageRequest.session.accounts, exampleBudget),
    }));
  }

  @Post()
  async begin(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => {
      const { session, form, ip } = pageRequest;
      const entered = readBudget(form);
      const amount = parseAmount(entered.amount);
      if (amount === undefined) {
        session.notice = 'amount-wrong';
        return { page: budgetPage(toView(pageRequest), session.accounts, entered), status: 400 };
      }
      const begun = await this.payments.beginToBudget(session, { ...entered, amount }, ip);
      if ('scaRedirect' in begun) return goOn(pageRequest, begun.scaRedirect);
      return { page: budgetPage(toView(pageRequest), session.accounts, entered, begun.refused), status: 400 };
    });
  }
}
