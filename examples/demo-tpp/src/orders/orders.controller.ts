import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseAmount } from '../page/amounts.js';
import { PageAnswers } from '../page/page-answers.js';
import { notFoundPage } from '../payments/payment-pages.js';
import { StatusFeed } from '../status/status-feed.js';
import { toView } from '../page/page-request.js';
import { exampleOrder, orderFormPage, orderPage } from './order-pages.js';
import { readOrder } from './entered-order.js';
import { StandingOrders } from './standing-orders.js';

/** Pages of standing orders. */
@Controller('orders')
export class OrdersController {
  constructor(
    private readonly answers: PageAnswers,
    private readonly orders: StandingOrders,
    private readonly feed: StatusFeed,
  ) {}

  @Get()
  async form(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => ({
      page: orderFormPage(toView(pageRequest), pageRequest.session.accounts, exampleOrder),
    }));
  }

  @Post()
  async begin(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => {
      const { session, form, ip } = pageRequest;
      const entered = readOrder(form);
      const amount = parseAmount(entered.amount);
      if (amount === undefined) {
        session.notice = 'amount-wrong';
        return { page: orderFormPage(toView(pageRequest), session.accounts, entered), status: 400 };
      }
      const begun = await this.orders.begin(session, { ...entered, amount }, ip);
      if ('scaRedirect' in begun) return { redirect: begun.scaRedirect };
      return {
        page: orderFormPage(toView(pageRequest), session.accounts, entered, begun.refused),
        status: 400,
      };
    });
  }

  @Get(':id')
  async order(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => {
      const known = pageRequest.session.orders.get(id);
      if (known === undefined) return { page: notFoundPage(toView(pageRequest)), status: 404 };
      const seen = this.feed.version([known.resourceId]);
      const state = await this.orders.state(known);
      return { page: orderPage(toView(pageRequest), known, state, seen), isLive: true };
    });
  }

  @Post(':id/cancel')
  async cancel(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => {
      const known = pageRequest.session.orders.get(id);
      if (known === undefined) return { page: notFoundPage(toView(pageRequest)), status: 404 };
      pageRequest.session.notice = (await this.orders.cancel(known)) ? 'cancelled' : 'too-late';
      return { redirect: `/orders/${id}` };
    });
  }
}
