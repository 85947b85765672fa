import { All, Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFoundPage } from '../payments/payment-pages.js';
import { liveScript } from '../status/live-script.js';
import { PageAnswers } from './page-answers.js';
import { toView } from './page-request.js';
import { style } from './style.js';

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

/** The files that pages load, and the page for an unknown address. */
@Controller()
export class FilesController {
  constructor(private readonly answers: PageAnswers) {}

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

  @All('*')
  async unknown(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => ({
      page: notFoundPage(toView(pageRequest)),
      status: 404,
    }));
  }
}
