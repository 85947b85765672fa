import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { goOn } from '../baskets/go-on.js';
import { PageAnswers } from '../page/page-answers.js';
import { notFoundPage } from '../payments/payment-pages.js';
import { StatusFeed } from '../status/status-feed.js';
import { type Answer, type PageRequest, toView } from '../page/page-request.js';
import { bulkPage, previewPage, uploadPage } from './bulk-pages.js';
import { BulkPayments, type EnteredBulk } from './bulk-payments.js';
import { exampleFile } from './examples.js';
import { readBulkFile } from './read-bulk-file.js';

/** Nothing is chosen yet. */
const unchosen: EnteredBulk = { debtorIban: '', executionDate: '', batchBooking: false };

/** Pages of bulk payments: the upload, the entries read from the file, and their status. */
@Controller('bulks')
export class BulksController {
  constructor(
    private readonly answers: PageAnswers,
    private readonly bulks: BulkPayments,
    private readonly feed: StatusFeed,
  ) {}

  @Get()
  async form(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => ({
      page: uploadPage(toView(pageRequest)),
    }));
  }

  @Get('examples/:name')
  async example(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const content = exampleFile(name);
    if (content === undefined) {
      await this.answers.answer(request, reply, async (pageRequest) => this.notFound(pageRequest));
      return;
    }
    await reply
      .headers({
        'Content-Disposition': `attachment; filename="${name}"`,
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-store',
      })
      .type('text/csv; charset=utf-8')
      .send(content);
  }

  @Post()
  async upload(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async ({ session, file }) => {
      if (file === undefined) {
        session.notice = 'no-file';
        return { redirect: '/bulks' };
      }
      session.bulkFile = { name: file.name, file: readBulkFile(file.bytes) };
      return { redirect: '/bulks/preview' };
    });
  }

  @Get('preview')
  async preview(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => {
      const { accounts, bulkFile } = pageRequest.session;
      if (bulkFile === undefined) return { redirect: '/bulks' };
      return { page: previewPage(toView(pageRequest), accounts, bulkFile, unchosen) };
    });
  }

  @Post('send')
  async send(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => {
      const { session, form, ip } = pageRequest;
      const { accounts, bulkFile } = session;
      if (bulkFile === undefined) return { redirect: '/bulks' };
      if (bulkFile.file.faults.length > 0) return { redirect: '/bulks/preview' };
      const entered = {
        debtorIban: (form.get('debtorIban') ?? '').replaceAll(/\s/g, '').toUpperCase().slice(0, 34),
        executionDate: (form.get('executionDate') ?? '').trim().slice(0, 20),
        batchBooking: form.has('batchBooking'),
      };
      const begun = await this.bulks.begin(session, bulkFile.file.entries, entered, ip);
      if ('scaRedirect' in begun) return goOn(pageRequest, begun.scaRedirect);
      return {
        page: previewPage(toView(pageRequest), accounts, bulkFile, entered, begun.refused),
        status: 400,
      };
    });
  }

  @Get(':id')
  async bulk(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => {
      const known = pageRequest.session.bulks.get(id);
      if (known === undefined) return this.notFound(pageRequest);
      const seen = this.feed.version([known.resourceId]);
      const state = await this.bulks.state(known);
      return { page: bulkPage(toView(pageRequest), known, state, seen), isLive: true };
    });
  }

  @Post(':id/cancel')
  async cancel(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => {
      const known = pageRequest.session.bulks.get(id);
      if (known === undefined) return this.notFound(pageRequest);
      pageRequest.session.notice = (await this.bulks.cancel(known)) ? 'cancelled' : 'too-late';
      return { redirect: `/bulks/${id}` };
    });
  }

  private notFound(pageRequest: PageRequest): Answer {
    return { page: notFoundPage(toView(pageRequest)), status: 404 };
  }
}
