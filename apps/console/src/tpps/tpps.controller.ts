import {
  BadRequestException,
  Body,
  Get,
  HttpCode,
  NotFoundException,
  Param,
  Post,
  Redirect,
} from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import {
  changeTppStatus,
  countGrants,
  listTpps,
  rotateSecret,
  type TppView,
} from '@xs2a/contracts/auth.contract';
import { type Html, html } from '@xs2a/html/html';
import { Clock } from '@xs2a/runtime/clock';
import { readActionForm } from '../actions/action-form.js';
import { Actions } from '../actions/actions.js';
import { TwoPeople } from '../actions/two-people.js';
import { quoted } from '../pages/command-line.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { missingNotice } from '../parts/missing-parts.js';
import { Parts } from '../parts/parts.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { ForRoles } from '../staff/for-roles.js';
import { watchers } from '../staff/roles.js';
import type { Staff } from '../staff/staff.js';
import { isClientId } from './client-id.js';
import { type TppCalls, TppCallCounts } from './tpp-calls.js';
import { TppCertificates } from './tpp-certificates.js';
import { secretBody, statusEffects, tppBody, tppPath, tppTable } from './tpps-page.js';

const dayMs = 24 * 60 * 60 * 1000;

interface Destination {
  readonly url: string;
  readonly statusCode: number;
}

/** The pages of the TPPs that the bank knows. */
@StaffPages('tpps')
export class TppsController {
  constructor(
    private readonly callClient: CallClient,
    private readonly parts: Parts,
    private readonly calls: TppCallCounts,
    private readonly certificates: TppCertificates,
    private readonly actions: Actions,
    private readonly clock: Clock,
    private readonly frames: Frames,
    twoPeople: TwoPeople,
  ) {
    for (const [act, status] of [
      ['block-tpp', 'blocked'],
      ['unblock-tpp', 'active'],
    ] as const)
      twoPeople.register(act, {
        does: statusEffects[status],
        isTarget: isClientId,
        run: async ({ target }) => this.setStatus(target, status),
      });
  }

  @Get()
  @ForRoles(...watchers)
  async list(@ThisVisit() visit: Visit): Promise<Html> {
    const [part, calls, certificates] = await Promise.all([
      this.parts.ask(listTpps, {}),
      this.callsOfTheDay(),
      this.certificates.byTpp(),
    ]);
    const body =
      part.answer === undefined
        ? missingNotice({ 'the TPPs': part })
        : html`<section class="card wide" tabindex="0" aria-label="TPPs">
            ${tppTable(part.answer.tpps, calls, certificates)}
          </section>`;
    return this.frames.show(visit, { title: 'TPPs', body: html`${body}`, command: 'xs2a tpp list' });
  }

  @Get(':clientId')
  @ForRoles(...watchers)
  async show(@ThisVisit() visit: Visit, @Param('clientId') clientId: string): Promise<Html> {
    if (!isClientId(clientId)) throw new NotFoundException();
    const [part, grants, calls, certificates] = await Promise.all([
      this.parts.ask(listTpps, {}),
      this.parts.ask(countGrants, { clientId }),
      this.callsOfTheDay(),
      this.certificates.byTpp(),
    ]);
    const csrf = visit.staff.roles.includes('operator') ? visit.csrf : undefined;
    const body =
      part.answer === undefined
        ? missingNotice({ 'the TPP': part })
        : tppBody({
            tpp: findTpp(part.answer.tpps, clientId),
            grants: grants.answer?.grants,
            calls: calls.get(clientId),
            certificate: certificates.get(clientId),
            csrf,
          });
    return this.frames.show(visit, {
      title: 'TPP',
      body: html`${body}`,
      command: `xs2a tpp show ${quoted(clientId)}`,
    });
  }

  @Post('block')
  @ForRoles('operator')
  @Redirect()
  async block(@ThisVisit() { staff }: Visit, @Body() form: URLSearchParams): Promise<Destination> {
    return this.change('blocked', staff, form);
  }

  @Post('unblock')
  @ForRoles('operator')
  @Redirect()
  async unblock(@ThisVisit() { staff }: Visit, @Body() form: URLSearchParams): Promise<Destination> {
    return this.change('active', staff, form);
  }

  @Post('rotate-secret')
  @HttpCode(200)
  @ForRoles('operator')
  async rotateSecret(@ThisVisit() visit: Visit, @Body() form: URLSearchParams): Promise<Html> {
    const clientId = form.get('clientId') ?? '';
    if (!isClientId(clientId)) throw new BadRequestException();
    const persons = { psuIds: [], ibans: [] };
    const { actionId, reason } = readActionForm(form, { to: tppPath(clientId), persons });
    const request = { actionId, staff: visit.staff, act: 'rotate-secret', target: clientId, reason } as const;
    let secret: string | undefined;
    await this.actions.perform(request, async () => {
      secret = (await this.callClient.call(rotateSecret, { clientId })).clientSecret;
      return 'The TPP has a new secret.';
    });
    const body = secretBody(clientId, actionId, secret);
    return this.frames.show(visit, {
      title: 'New secret',
      body,
      command: `xs2a tpp show ${quoted(clientId)}`,
    });
  }

  private async change(status: TppView['status'], staff: Staff, form: URLSearchParams): Promise<Destination> {
    const clientId = form.get('clientId') ?? '';
    if (!isClientId(clientId)) throw new BadRequestException();
    const persons = { psuIds: [], ibans: [] };
    const { actionId, reason } = readActionForm(form, { to: tppPath(clientId), persons });
    const act = status === 'blocked' ? 'block-tpp' : 'unblock-tpp';
    await this.actions.perform({ actionId, staff, act, target: clientId, reason }, async () =>
      this.setStatus(clientId, status),
    );
    return { url: `/actions/${actionId}`, statusCode: 303 };
  }

  private async setStatus(clientId: string, status: TppView['status']): Promise<string> {
    const changed = await this.callClient.call(changeTppStatus, { clientId, status });
    return `${changed.name} is ${changed.status}.`;
  }

  private async callsOfTheDay(): Promise<ReadonlyMap<string, TppCalls>> {
    return this.calls.since(new Date(this.clock.realMs - dayMs));
  }
}

const findTpp = (tpps: readonly TppView[], clientId: string): TppView => {
  const found = tpps.find((tpp) => tpp.clientId === clientId);
  if (found === undefined) throw new NotFoundException();
  return found;
};
