import { BadRequestException, Body, Get, NotFoundException, Param, Post, Redirect } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { closeLateInstant, type LateInstantRef } from '@xs2a/contracts/instant/late-instants.contract';
import type { Html } from '@xs2a/html/html';
import { readActionForm } from '../actions/action-form.js';
import { ActionRefused, Actions } from '../actions/actions.js';
import { lateInstantId, parseLateInstantId } from '../actions/late-instant-id.js';
import { closedLate } from '../actions/settlement-outcomes.js';
import { TwoPeople } from '../actions/two-people.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { ForRoles } from '../staff/for-roles.js';
import { closeBody } from './late-instants.js';

const act = 'close-late-instant';

/** Closes instant payments that were confirmed after their rejection, once somebody has handled them. */
@StaffPages('settlement/late')
export class LateInstantsController {
  constructor(
    private readonly callClient: CallClient,
    private readonly actions: Actions,
    private readonly frames: Frames,
    twoPeople: TwoPeople,
  ) {
    twoPeople.register(act, {
      does: 'Takes an instant payment off the list of those confirmed after their rejection.',
      isTarget: (target) => parseLateInstantId(target) !== undefined,
      run: async ({ target }) => this.close(mustParse(target)),
    });
  }

  @Get(':id')
  @ForRoles('operator')
  async show(@ThisVisit() visit: Visit, @Param('id') id: string): Promise<Html> {
    const payment = parseLateInstantId(id);
    if (payment === undefined) throw new NotFoundException();
    return this.frames.show(visit, {
      title: 'Close a late confirmation',
      body: closeBody(payment, visit.csrf),
      command: 'xs2a settlement late',
    });
  }

  @Post('close')
  @ForRoles('operator')
  @Redirect()
  async closeOne(
    @ThisVisit() { staff }: Visit,
    @Body() form: URLSearchParams,
  ): Promise<{ readonly url: string; readonly statusCode: number }> {
    const payment = mustParse(form.get('payment') ?? '');
    const target = lateInstantId(payment);
    const persons = { psuIds: [], ibans: [] };
    const { actionId, reason } = readActionForm(form, {
      to: `/settlement/late/${encodeURIComponent(target)}`,
      persons,
    });
    await this.actions.perform({ actionId, staff, act, target, reason }, async () => this.close(payment));
    return { url: `/actions/${actionId}`, statusCode: 303 };
  }

  private async close(payment: LateInstantRef): Promise<string> {
    const { isDone, sentence } = closedLate(await this.callClient.call(closeLateInstant, payment));
    if (!isDone) throw new ActionRefused(sentence);
    return sentence;
  }
}

const mustParse = (text: string): LateInstantRef => {
  const payment = parseLateInstantId(text);
  if (payment === undefined) throw new BadRequestException();
  return payment;
};
