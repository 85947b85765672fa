import { Body, Get, HttpCode, Post, Redirect } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { liftScaLock, readPsuSca } from '@xs2a/contracts/auth.contract';
import { isMaxText } from '@xs2a/domain/text/text';
import { type Html, html } from '@xs2a/html/html';
import { Clock } from '@xs2a/runtime/clock';
import { readActionForm } from '../actions/action-form.js';
import { ActionRefused, Actions } from '../actions/actions.js';
import { PsuTags } from '../actions/psu-tags.js';
import { FormRefused } from '../pages/form-refused.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { missingNotice } from '../parts/missing-parts.js';
import { Parts } from '../parts/parts.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { ForRoles } from '../staff/for-roles.js';
import { helpers } from '../staff/roles.js';
import { approvalsForm, approvalsTable } from './approvals-table.js';
import { OpenApprovals } from './open-approvals.js';
import { askForm, psuBody } from './psus-page.js';

const command = 'xs2a psu show PSU_ID';

/** The pages that help a PSU who cannot sign in. The PSU-ID is only in forms: in no address, no log and no record. */
@StaffPages('psus')
export class PsusController {
  constructor(
    private readonly callClient: CallClient,
    private readonly parts: Parts,
    private readonly actions: Actions,
    private readonly tags: PsuTags,
    private readonly approvals: OpenApprovals,
    private readonly clock: Clock,
    private readonly frames: Frames,
  ) {}

  @Get()
  @ForRoles(...helpers)
  ask(@ThisVisit() visit: Visit): Html {
    return this.frames.show(visit, { title: 'PSUs', body: askForm(visit.csrf), command });
  }

  @Post()
  @HttpCode(200)
  @ForRoles(...helpers)
  async show(@ThisVisit() visit: Visit, @Body() form: URLSearchParams): Promise<Html> {
    const psuId = psuIdIn(form);
    const body = html`${askForm(visit.csrf)} ${await this.psuOf(psuId, visit)}
    ${approvalsForm(psuId, visit.csrf)}`;
    return this.frames.show(visit, { title: 'PSUs', body, command });
  }

  @Post('approvals')
  @HttpCode(200)
  @ForRoles(...helpers)
  async findApprovals(@ThisVisit() visit: Visit, @Body() form: URLSearchParams): Promise<Html> {
    const psuId = psuIdIn(form);
    const persons = { psuIds: [psuId], ibans: [] };
    const { actionId, reason } = readActionForm(form, { to: '/psus', persons });
    const revealed = await this.approvals.find(psuId, { actionId, by: visit.staff, reason });
    const body = html`${askForm(visit.csrf)} ${await this.psuOf(psuId, visit)}
    ${approvalsTable(revealed, actionId)}`;
    return this.frames.show(visit, {
      title: 'PSUs',
      body,
      command: 'xs2a psu approvals PSU_ID --reason REASON',
    });
  }

  /** Returns the part of the page that shows whether the SCA of the PSU is locked and until when, or a notice that auth did not respond. */
  private async psuOf(psuId: string, { csrf }: Visit): Promise<Html | undefined> {
    const part = await this.parts.ask(readPsuSca, { psuId });
    if (part.answer === undefined) return missingNotice({ 'whether SCA is locked': part });
    const asked = { psuId, tag: this.tags.of(psuId), sca: part.answer.psu };
    return psuBody(asked, { csrf, nowMs: this.clock.nowMs() });
  }

  @Post('lift-sca-lock')
  @ForRoles(...helpers)
  @Redirect()
  async lift(
    @ThisVisit() { staff }: Visit,
    @Body() form: URLSearchParams,
  ): Promise<{ readonly url: string; readonly statusCode: number }> {
    const psuId = psuIdIn(form);
    const persons = { psuIds: [psuId], ibans: [] };
    const { actionId, reason } = readActionForm(form, { to: '/psus', persons });
    const target = this.tags.of(psuId);
    await this.actions.perform({ actionId, staff, act: 'lift-sca-lock', target, reason }, async () => {
      const { lifted } = await this.callClient.call(liftScaLock, { psuId, operator: staff.name, reason });
      if (lifted === undefined) throw new ActionRefused('SCA was not locked for this PSU.');
      return `The SCA lock until ${lifted.lockedUntil.slice(0, 16).replace('T', ' ')} UTC is lifted.`;
    });
    return { url: `/actions/${actionId}`, statusCode: 303 };
  }
}

/** Returns the PSU-ID as the sign-in form reads it. */
const psuIdIn = (form: URLSearchParams): string => {
  const psuId = form.get('psuId')?.trim() ?? '';
  if (!isMaxText(psuId, 64)) throw new FormRefused('A PSU-ID has 1 to 64 characters.', '/psus');
  return psuId;
};
