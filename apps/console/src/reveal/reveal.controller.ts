import { BadRequestException, Body, HttpCode, Post } from '@nestjs/common';
import { isUuid } from '@xs2a/domain/text/uuid';
import type { Html } from '@xs2a/html/html';
import { readActionForm } from '../actions/action-form.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { ForRoles } from '../staff/for-roles.js';
import { readWanted, RevealFields, type WantedField } from './reveal-fields.js';
import { revealCommand, revealedBody } from './reveal-page.js';

/** Shows one encrypted field of a payment or consent in the answer to a form: in no address, no cache and no log. */
@StaffPages()
export class RevealController {
  constructor(
    private readonly fields: RevealFields,
    private readonly frames: Frames,
  ) {}

  @Post('payments/reveal')
  @HttpCode(200)
  @ForRoles('operator')
  async payment(@ThisVisit() visit: Visit, @Body() form: URLSearchParams): Promise<Html> {
    return this.reveal('payment', visit, form);
  }

  @Post('consents/reveal')
  @HttpCode(200)
  @ForRoles('operator')
  async consent(@ThisVisit() visit: Visit, @Body() form: URLSearchParams): Promise<Html> {
    return this.reveal('consent', visit, form);
  }

  private async reveal(kind: WantedField['kind'], visit: Visit, form: URLSearchParams): Promise<Html> {
    const id = form.get('id');
    if (!isUuid(id)) throw new BadRequestException();
    const wanted = readWanted(kind, { id, field: form.get('field'), entry: Number(form.get('entry') ?? 1) });
    if (wanted === undefined) throw new BadRequestException();
    const persons = { psuIds: [], ibans: [] };
    const { actionId, reason } = readActionForm(form, { to: `/${kind}s/${id}`, persons });
    const revealed = await this.fields.reveal(wanted, { actionId, by: visit.staff, reason });
    const body = revealedBody({ wanted, actionId, revealed });
    const command = `${revealCommand(wanted)} --reason REASON`;
    return this.frames.show(visit, { title: 'Reveal', body, command });
  }
}
