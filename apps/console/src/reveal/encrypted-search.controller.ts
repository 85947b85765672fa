import { Body, HttpCode, Post } from '@nestjs/common';
import type { Html } from '@xs2a/html/html';
import { readActionForm } from '../actions/action-form.js';
import { FormRefused } from '../pages/form-refused.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { ForRoles } from '../staff/for-roles.js';
import { EncryptedSearch } from './encrypted-search.js';
import { encryptedSearchBody, readEncryptedSearch } from './encrypted-search-page.js';

/** Finds payments by encrypted data in the answer to a form. What was typed is in no address and in no record. */
@StaffPages('payments/search')
export class EncryptedSearchController {
  constructor(
    private readonly search: EncryptedSearch,
    private readonly frames: Frames,
  ) {}

  @Post()
  @HttpCode(200)
  @ForRoles('operator')
  async find(@ThisVisit() visit: Visit, @Body() form: URLSearchParams): Promise<Html> {
    const wanted = readEncryptedSearch(form);
    if ('wrong' in wanted) throw new FormRefused(wanted.wrong, '/payments');
    const { psuId, payee, endToEndId } = wanted;
    const psuIds = [psuId, payee, endToEndId].filter((name) => name !== undefined);
    const { actionId, reason } = readActionForm(form, { to: '/payments', persons: { psuIds, ibans: [] } });
    const revealed = await this.search.find(wanted, { actionId, by: visit.staff, reason });
    const body = encryptedSearchBody(revealed, actionId);
    return this.frames.show(visit, {
      title: 'Payments',
      body,
      command: 'xs2a payments find --tpp TPP --day 2026-11-27 --payee NAME --reason REASON',
    });
  }
}
