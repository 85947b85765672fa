import { Body, HttpCode, NotFoundException, Param, Post, Res } from '@nestjs/common';
import { isUuid } from '@xs2a/domain/text/uuid';
import { type Html, html } from '@xs2a/html/html';
import { bundleFileName } from '@xs2a/resources/dispute-bundle/bundle-file';
import type { FastifyReply } from 'fastify';
import { readActionForm } from '../actions/action-form.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { ForRoles } from '../staff/for-roles.js';
import { bundleCommand } from './bundle-form.js';
import { DisputeBundles } from './dispute-bundles.js';

/** Exports the dispute bundle of a payment as a file. */
@StaffPages('payments')
export class BundleController {
  constructor(
    private readonly bundles: DisputeBundles,
    private readonly frames: Frames,
  ) {}

  @Post(':id/bundle')
  @HttpCode(200)
  @ForRoles('operator')
  async export(
    @ThisVisit() visit: Visit,
    @Param('id') id: string,
    @Body() form: URLSearchParams,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Html | string> {
    if (!isUuid(id)) throw new NotFoundException();
    const persons = { psuIds: [], ibans: [] };
    const { actionId, reason } = readActionForm(form, { to: `/payments/${id}`, persons });
    const exported = await this.bundles.export(id, { actionId, by: visit.staff, reason });
    if ('refused' in exported) {
      const body = html`<p class="card is-problem" role="alert">${exported.refused}</p>
        <p class="links"><a class="button" href="/payments/${id}">Back to the payment</a></p>`;
      return this.frames.show(visit, { title: 'Dispute bundle', body, command: bundleCommand(id) });
    }
    reply
      .type('application/json; charset=utf-8')
      .header('Content-Disposition', `attachment; filename="${bundleFileName(id)}"`);
    return exported.shown;
  }
}
