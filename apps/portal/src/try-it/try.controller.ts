import { Controller, Get, NotFoundException, Param, Post, Query, UseGuards } from '@nestjs/common';
import type { RequestDetails } from '@xs2a/contracts/console.contract';
import { isUuid } from '@xs2a/domain/text/uuid';
import type { Html } from '@xs2a/html/html';
import { ApiDescription } from '../reference/api-description.js';
import { bodyOf } from '../workspace/answers.js';
import { TppApi } from '../workspace/tpp-api.js';
import { TppGuard, type TppVisit, VisitGuard, Visiting } from '../workspace/visit.js';
import { hasUnreadBody } from '../workspace/unread-body.js';
import { fieldsOfCall } from './fields-of-call.js';
import { type TryForm, tryFormOf } from './inputs.js';
import { type Tried, tryIndexPage, tryPage } from './try-pages.js';
import { NotSendable, tryRequestOf } from './try-request.js';

/** Sends a request that was written into a form, and shows the answer. */
@Controller('workspace/try')
@UseGuards(VisitGuard, TppGuard)
export class TryController {
  constructor(
    private readonly api: TppApi,
    private readonly description: ApiDescription,
  ) {}

  @Get()
  index(@Visiting() { session }: TppVisit): Html {
    return tryIndexPage(session, this.description.document);
  }

  @Get(':operationId')
  show(
    @Visiting() { session }: TppVisit,
    @Param('operationId') operationId: string,
    @Query('body') body: unknown,
  ): Html {
    const bodyName = typeof body === 'string' ? body : undefined;
    return tryPage({ session, form: this.find(operationId), sent: new URLSearchParams(), bodyName });
  }

  /** The form with the values of a stored call, which is sent again only with the form. `at`: the time of the call. */
  @Get(':operationId/again/:requestId')
  async again(
    @Visiting() { session, tpp }: TppVisit,
    @Param() { operationId = '', requestId = '' }: Readonly<Record<string, string>>,
    @Query() { at, key }: Readonly<Record<string, unknown>>,
  ): Promise<Html> {
    const form = this.find(operationId);
    if (!isUuid(requestId)) throw new NotFoundException();
    const answer = await this.api.send(tpp, { method: 'GET', path: `/sandbox/requests/${requestId}` });
    const { requests } = bodyOf<{ readonly requests: readonly RequestDetails[] }>(answer);
    const call = requests.find(({ time, operation }) => time === at && operation === operationId);
    if (call?.request === undefined || call.request.bodyCut === true) throw new NotFoundException();
    const sent = fieldsOfCall(form, call.request, key === 'same');
    return tryPage({ session, form, sent, repeats: { requestId, hasBody: !hasUnreadBody(call.request) } });
  }

  @Post(':operationId')
  async send(@Visiting() visit: TppVisit, @Param('operationId') operationId: string): Promise<Html> {
    const form = this.find(operationId);
    return tryPage({ session: visit.session, form, sent: visit.form, ...(await this.sent(form, visit)) });
  }

  private async sent(
    form: TryForm,
    { tpp, form: sent }: TppVisit,
  ): Promise<Pick<Tried, 'problem' | 'answer'>> {
    try {
      return { answer: await this.api.send(tpp, tryRequestOf(form, sent)) };
    } catch (error) {
      if (error instanceof NotSendable) return { problem: error.message };
      throw error;
    }
  }

  private find(operationId: string): TryForm {
    const form = tryFormOf(this.description.document, operationId);
    if (form === undefined) throw new NotFoundException();
    return form;
  }
}
