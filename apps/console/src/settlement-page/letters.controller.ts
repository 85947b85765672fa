import {
  BadRequestException,
  Body,
  Get,
  NotFoundException,
  Param,
  Post,
  Redirect,
  ServiceUnavailableException,
} from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import {
  discardSettlementLetter,
  listSettlementLetters,
  replaySettlementLetter,
  type SettlementLetterRef,
} from '@xs2a/contracts/settlement.contract';
import type { Html } from '@xs2a/html/html';
import { readActionForm } from '../actions/action-form.js';
import { ActionRefused, Actions } from '../actions/actions.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { Parts } from '../parts/parts.js';
import { ForRoles } from '../staff/for-roles.js';
import { watchers } from '../staff/roles.js';
import type { Staff } from '../staff/staff.js';
import { letterBody, letterId, maxLetters, parseLetterId } from './letters-page.js';

interface Destination {
  readonly url: string;
  readonly statusCode: number;
}

/** The pages of the events that the settlement worker could not handle. */
@StaffPages('settlement/letters')
export class LettersController {
  constructor(
    private readonly parts: Parts,
    private readonly callClient: CallClient,
    private readonly actions: Actions,
    private readonly frames: Frames,
  ) {}

  @Get(':id')
  @ForRoles(...watchers)
  async show(@ThisVisit() visit: Visit, @Param('id') id: string): Promise<Html> {
    const found = await this.parts.ask(listSettlementLetters, { limit: maxLetters });
    if (found.missing !== undefined) throw new ServiceUnavailableException(found.missing);
    const letter = found.answer.letters.find((one) => letterId(one) === id);
    if (letter === undefined) throw new NotFoundException();
    const csrf = visit.staff.roles.includes('operator') ? visit.csrf : undefined;
    return this.frames.show(visit, {
      title: 'Dead letter',
      body: letterBody(letter, csrf),
      command: `xs2a dead-letters show ${letterId(letter)}`,
    });
  }

  @Post('replay')
  @ForRoles('operator')
  @Redirect()
  async replay(@ThisVisit() { staff }: Visit, @Body() form: URLSearchParams): Promise<Destination> {
    return this.act('replay-dead-letter', { staff, form }, async (letter) => {
      const { requested } = await this.callClient.call(replaySettlementLetter, letter);
      if (!requested) throw new ActionRefused('There is no such dead letter any more.');
      return 'The worker was asked to handle the event again.';
    });
  }

  @Post('discard')
  @ForRoles('operator')
  @Redirect()
  async discard(@ThisVisit() { staff }: Visit, @Body() form: URLSearchParams): Promise<Destination> {
    return this.act('discard-dead-letter', { staff, form }, async (letter) => {
      const { discarded } = await this.callClient.call(discardSettlementLetter, letter);
      if (!discarded) throw new ActionRefused('The event is being handled again, or was removed before.');
      return 'The event is discarded.';
    });
  }

  private async act(
    act: 'replay-dead-letter' | 'discard-dead-letter',
    { staff, form }: { readonly staff: Staff; readonly form: URLSearchParams },
    run: (letter: SettlementLetterRef) => Promise<string>,
  ): Promise<Destination> {
    const letter = parseLetterId(form.get('letter') ?? '');
    if (letter === undefined) throw new BadRequestException();
    const target = letterId(letter);
    const persons = { psuIds: [], ibans: [] };
    const { actionId, reason } = readActionForm(form, { to: `/settlement/letters/${target}`, persons });
    await this.actions.perform({ actionId, staff, act, target, reason }, async () => run(letter));
    return { url: `/actions/${actionId}`, statusCode: 303 };
  }
}
