import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PageAnswers } from '../page/page-answers.js';
import { notFoundPage } from '../payments/payment-pages.js';
import type { BasketItem, Session } from '../page/sessions.js';
import { StatusFeed } from '../status/status-feed.js';
import { toView } from '../page/page-request.js';
import { freeItems } from './basket-items.js';
import { basketPage, basketPreviewPage, choicePage } from './basket-pages.js';
import { SigningBaskets } from './signing-baskets.js';

/** The chosen items that are still in no basket. */
const chosenIn = (session: Session): readonly BasketItem[] =>
  freeItems(session).filter(({ id }) => session.basketChoice?.includes(id));

/** Pages of signing baskets: choosing items, checking sums, and the status of the basket and its items. */
@Controller('baskets')
export class BasketsController {
  constructor(
    private readonly answers: PageAnswers,
    private readonly baskets: SigningBaskets,
    private readonly feed: StatusFeed,
  ) {}

  @Get()
  async choose(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => {
      const offered = await this.baskets.offered(pageRequest.session);
      return { page: choicePage(toView(pageRequest), offered, pageRequest.session) };
    });
  }

  @Post('choice')
  async keepChoice(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async ({ session, form }) => {
      const chosen = new Set(form.getAll('item'));
      session.basketChoice = freeItems(session).flatMap(({ id }) => (chosen.has(id) ? [id] : []));
      if (session.basketChoice.length > 0) return { redirect: '/baskets/preview' };
      session.notice = 'nothing-chosen';
      return { redirect: '/baskets' };
    });
  }

  @Get('preview')
  async preview(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => {
      const chosen = chosenIn(pageRequest.session);
      return chosen.length === 0
        ? { redirect: '/baskets' }
        : { page: basketPreviewPage(toView(pageRequest), chosen) };
    });
  }

  @Post()
  async create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => {
      const { session, ip } = pageRequest;
      const chosen = chosenIn(session);
      if (chosen.length === 0) return { redirect: '/baskets' };
      const begun = await this.baskets.begin(session, chosen, ip);
      if ('scaRedirect' in begun) return { redirect: begun.scaRedirect };
      return { page: basketPreviewPage(toView(pageRequest), chosen, begun.refused), status: 400 };
    });
  }

  @Get(':id')
  async basket(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => {
      const known = pageRequest.session.baskets.get(id);
      if (known === undefined) return { page: notFoundPage(toView(pageRequest)), status: 404 };
      const seen = this.feed.version([known, ...known.items].map(({ resourceId }) => resourceId));
      const state = await this.baskets.state(known);
      return { page: basketPage(toView(pageRequest), known, state, seen), isLive: true };
    });
  }

  @Post(':id/dissolve')
  async dissolve(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => {
      const known = pageRequest.session.baskets.get(id);
      if (known === undefined) return { page: notFoundPage(toView(pageRequest)), status: 404 };
      pageRequest.session.notice = (await this.baskets.dissolve(known)) ? 'dissolved' : 'too-late';
      return { redirect: `/baskets/${id}` };
    });
  }
}
