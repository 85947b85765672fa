import { Get, NotFoundException, Param, Query, ServiceUnavailableException } from '@nestjs/common';
import { isUuid } from '@xs2a/domain/text/uuid';
import { type Html, html } from '@xs2a/html/html';
import { bundleForm } from '../dispute-bundle/bundle-form.js';
import { ClockMoves } from '../now/clock-moves.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { missingNotice } from '../parts/missing-parts.js';
import { revealForm } from '../reveal/reveal-page.js';
import { ForRoles } from '../staff/for-roles.js';
import { watchers } from '../staff/roles.js';
import { TppNames } from '../tpps/tpp-names.js';
import { actionForms } from './action-forms.js';
import { readMoment } from './moments.js';
import { maxCalls, resourceBody, type ResourcePage, titleOf } from './resource-page.js';
import { ResourceReads } from './resource-reads.js';
import { toTimeline } from './timeline-rows.js';

type Query = Readonly<Record<string, unknown>>;

/** The pages of one payment, signing basket or consent, now or as of a moment. */
@StaffPages()
export class ResourcesController {
  constructor(
    private readonly reads: ResourceReads,
    private readonly clockMoves: ClockMoves,
    private readonly frames: Frames,
    private readonly names: TppNames,
  ) {}

  @Get('payments/:id')
  @ForRoles(...watchers)
  async payment(@ThisVisit() visit: Visit, @Param('id') id: string, @Query() query: Query): Promise<Html> {
    return this.show('payments', visit, id, query);
  }

  @Get('consents/:id')
  @ForRoles(...watchers)
  async consent(@ThisVisit() visit: Visit, @Param('id') id: string, @Query() query: Query): Promise<Html> {
    return this.show('consents', visit, id, query);
  }

  private async show(kind: 'payments' | 'consents', visit: Visit, id: string, query: Query): Promise<Html> {
    if (!isUuid(id)) throw new NotFoundException();
    const [asOf, since] = [readMoment(query['at']), readMoment(query['since'])];
    const [found, unfinished, notifications, calls] = await Promise.all([
      this.reads.timeline(kind, id),
      kind === 'payments' ? this.reads.unfinished(id) : undefined,
      this.reads.notifications(id),
      this.reads.callsOf(id),
    ]);
    if (found.missing !== undefined) throw new ServiceUnavailableException(found.missing);
    const { timeline } = found.answer;
    if (timeline === undefined) throw new NotFoundException();
    const { events, facts } = timeline;
    const { movedWithin } = this.clockMoves;
    const transactions = unfinished?.answer?.transactions;
    const mayAct = asOf === undefined && visit.staff.roles.includes('operator');
    const page = {
      id,
      path: `/${kind}/${id}`,
      timeline,
      nameOf: this.names.of,
      shortNameOf: this.names.short,
      view: toTimeline({ events, calls: calls.slice(-maxCalls), asOf, since, movedWithin }),
      unfinished: asOf === undefined ? transactions : undefined,
      notifications: asOf === undefined ? (notifications.answer?.notifications ?? []) : [],
      areCallsCut: calls.length > maxCalls,
      asOf,
      since,
      actions: mayAct ? actionForms({ id, timeline, unfinished: transactions, csrf: visit.csrf }) : undefined,
    };
    const parts = {
      ...(unfinished === undefined ? {} : { 'whether its settlement fails': unfinished }),
      'its notifications': notifications,
    };
    const mayExport = facts.kind === 'payment' && mayAct;
    const body = html`${missingNotice(parts)} ${resourceBody(page)} ${revealOf(page, visit)}
    ${mayExport ? bundleForm(id, visit.csrf) : undefined}`;
    return this.frames.show(visit, { title: titleOf(facts), body, command: `xs2a events show ${id}` });
  }
}

/** The form that reveals a field, for an operator. */
const revealOf = ({ id, timeline: { facts } }: ResourcePage, { staff, csrf }: Visit): Html | undefined => {
  if (facts.kind === 'signing-basket' || !staff.roles.includes('operator')) return undefined;
  const hasEntries = facts.kind === 'payment' && facts.service === 'bulk-payments';
  return revealForm({ kind: facts.kind, id, csrf, hasEntries });
};
