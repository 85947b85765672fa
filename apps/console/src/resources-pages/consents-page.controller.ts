import { BadRequestException, Get, Query } from '@nestjs/common';
import { type ListedConsent, listConsentsOfBank } from '@xs2a/contracts/consents.contract';
import { isMaxText } from '@xs2a/domain/text/text';
import { isUuid } from '@xs2a/domain/text/uuid';
import { type Html, html } from '@xs2a/html/html';
import { commandLine } from '../pages/command-line.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { statusLegend, statusPill } from '../pages/status-pill.js';
import { timeOf } from '../pages/times.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { missingNotice } from '../parts/missing-parts.js';
import { Parts } from '../parts/parts.js';
import { ForRoles } from '../staff/for-roles.js';
import { watchers } from '../staff/roles.js';
import { type NameOf, TppNames } from '../tpps/tpp-names.js';

/** Rows on a page. */
const pageSize = 100;

/** The list of the consents of all TPPs or of one. */
@StaffPages('consents')
export class ConsentsPageController {
  constructor(
    private readonly parts: Parts,
    private readonly frames: Frames,
    private readonly names: TppNames,
  ) {}

  @Get()
  @ForRoles(...watchers)
  async list(
    @ThisVisit() visit: Visit,
    @Query('tpp') tpp: unknown,
    @Query('before') before: unknown,
  ): Promise<Html> {
    const tppId = readTpp(tpp);
    if (before !== undefined && !isUuid(before)) throw new BadRequestException();
    const listed = await this.parts.ask(listConsentsOfBank, { tppId, before, limit: pageSize + 1 });
    const body = html`
      ${filterForm(tppId)} ${missingNotice({ consents: listed })}
      ${
        listed.answer &&
        html`<section class="card wide" tabindex="0" aria-label="Consents">
            ${consentTable(listed.answer.consents.slice(0, pageSize), this.names.of)}
            ${older(tppId, listed.answer.consents)}
          </section>
          ${statusLegend('consents')}`
      }
    `;
    return this.frames.show(visit, {
      title: 'Consents',
      body,
      command: commandLine('xs2a consents list', { tpp: tppId, before }),
    });
  }
}

const readTpp = (value: unknown): string | undefined => {
  if (value === undefined || value === '') return undefined;
  if (!isMaxText(value, 200)) throw new BadRequestException();
  return value.trim() === '' ? undefined : value.trim();
};

const filterForm = (tppId: string | undefined): Html => html`
  <form class="filter" method="get" action="/consents" aria-label="Filter">
    <label>TPP<input name="tpp" value="${tppId}" maxlength="200" /></label>
    <button type="submit">Filter</button>
    <a href="/consents">Show all</a>
  </form>
`;

const consentTable = (consents: readonly ListedConsent[], nameOf: NameOf): Html => {
  if (consents.length === 0) return html`<p>No consent matches.</p>`;
  return html`<table>
    <caption>
      Consents, newest first
    </caption>
    <thead>
      <tr>
        <th scope="col">consent</th>
        <th scope="col">status</th>
        <th scope="col">TPP</th>
        <th scope="col">access</th>
        <th scope="col">last used (UTC)</th>
      </tr>
    </thead>
    <tbody>
      ${consents.map(
        ({ consentId, status, tppId, recurring, lastUsedAt }) =>
          html`<tr>
            <td class="mono"><a href="/consents/${consentId}">${consentId}</a></td>
            <td>${statusPill(status)}</td>
            <td>${nameOf(tppId)}</td>
            <td>${recurring ? 'recurring' : 'once'}</td>
            <td class="mono">${lastUsedAt === undefined ? 'never' : timeOf(lastUsedAt)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
};

const older = (tppId: string | undefined, consents: readonly ListedConsent[]): Html | undefined => {
  const last = consents[pageSize - 1];
  if (consents.length <= pageSize || last === undefined) return undefined;
  const query = new URLSearchParams({
    ...(tppId === undefined ? {} : { tpp: tppId }),
    before: last.consentId,
  });
  return html`<p class="links"><a class="button" href="/consents?${query.toString()}">Older consents</a></p>`;
};
