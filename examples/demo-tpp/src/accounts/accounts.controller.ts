import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PageAnswers } from '../page/page-answers.js';
import { toView } from '../page/page-request.js';
import { AccountInformation } from './account-information.js';
import { accountsPage, connectFirstPage, movementsPage } from './account-pages.js';

/** Pages of the connected accounts and their transactions. */
@Controller('accounts')
export class AccountsController {
  constructor(
    private readonly answers: PageAnswers,
    private readonly accountInformation: AccountInformation,
  ) {}

  @Get()
  async accounts(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => {
      const accounts = await this.accountInformation.accounts(pageRequest.session, pageRequest.ip);
      const view = toView(pageRequest);
      return { page: accounts === undefined ? connectFirstPage(view) : accountsPage(view, accounts) };
    });
  }

  @Get(':resourceId')
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
}
