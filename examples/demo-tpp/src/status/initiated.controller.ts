import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PageAnswers } from '../page/page-answers.js';
import { notFoundPage } from '../payments/payment-pages.js';
import { initiatedKinds, type KnownBasket, type KnownInitiation, type Session } from '../page/sessions.js';
import { toView } from '../page/page-request.js';
import { StatusFeed } from './status-feed.js';

const below = (last: string): string[] => initiatedKinds.map((kind) => `${kind}/:id/${last}`);

/** Finds this session's initiation with this id, of any kind. */
const findInitiated = (session: Session, id: string): KnownInitiation | KnownBasket | undefined =>
  initiatedKinds.map((kind) => session[kind].get(id)).find((one) => one !== undefined);

const listItems = (known: KnownInitiation | KnownBasket): KnownBasket['items'] =>
  'items' in known ? known.items : [];

/** Handles returns from the bank and the events of an open page, for everything that a person initiates here. */
@Controller()
export class InitiatedController {
  constructor(
    private readonly answers: PageAnswers,
    private readonly feed: StatusFeed,
  ) {}

  @Get(below('back'))
  async signed(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    await this.cameBack(id, 'ok', request, reply);
  }

  @Get(below('not-signed'))
  async notSigned(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    await this.cameBack(id, 'nok', request, reply);
  }

  /**
   * Server-sent events: one for each change that the bank reports of it or of its items, with the version as the event's
   * id. `after`: the version that the page has seen; a browser that connects again names it in `Last-Event-ID`.
   */
  @Get(below('events'))
  async events(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { session, query } = this.answers.pageRequest(request);
    const known = findInitiated(session, id);
    if (known === undefined) {
      await reply.code(404).send();
      return;
    }
    const after = Number(request.headers['last-event-id'] ?? query['after']);
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    raw.flushHeaders();
    const end = this.feed.listen(
      [known, ...listItems(known)].map(({ resourceId }) => resourceId),
      Number.isNaN(after) ? 0 : after,
      (version) => void raw.write(`id: ${version}\ndata: changed\n\n`),
    );
    raw.once('close', end);
  }

  /** The link through which the person returned proves nothing, so the status is read from the bank. */
  private async cameBack(
    id: string,
    returned: 'ok' | 'nok',
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    await this.answers.answer(request, reply, async (pageRequest) => {
      const known = findInitiated(pageRequest.session, id);
      if (known === undefined) return { page: notFoundPage(toView(pageRequest)), status: 404 };
      known.returned = returned;
      for (const { id: itemId } of listItems(known)) {
        const item = findInitiated(pageRequest.session, itemId);
        if (item !== undefined) item.returned = returned;
      }
      return { redirect: pageRequest.path.slice(0, pageRequest.path.lastIndexOf('/')) };
    });
  }
}
