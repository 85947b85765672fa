import { Controller, Get, Inject, NotFoundException, Post, Query, UseGuards } from '@nestjs/common';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { Html } from '@xs2a/html/html';
import { Clock } from '@xs2a/runtime/clock';
import { CONFIG, PROFILE } from '@xs2a/runtime/tokens';
import type { PortalConfig } from '../config.js';
import type { OwnTpp } from '../own-things/own-things.js';
import { bodyOf, jsonOf, refusalNote } from '../workspace/answers.js';
import { TppApi } from '../workspace/tpp-api.js';
import { TppGuard, type TppVisit, VisitGuard, Visiting } from '../workspace/visit.js';
import { note } from '../workspace/workspace-page.js';
import { type Certify, certifyPage, reportPage } from './certify-pages.js';
import { evaluate } from './evaluate.js';
import { nokUris } from './payment-rules.js';
import { readOwnLog } from './read-own-log.js';
import type { Situation } from './situation.js';
import { groups } from './situations.js';
import { foreignState, visitMark } from './token-rules.js';

const situations: ReadonlyMap<string, Situation> = new Map(
  groups.flatMap((group) => group.situations.map((situation) => [situation.id, situation])),
);

/** An ISO instant in a query or a form; undefined for anything else. */
const instantIn = (sent: unknown): string | undefined => {
  const ms = typeof sent === 'string' ? Date.parse(sent) : Number.NaN;
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
};

/** Shows a TPP which situations its application has survived, and brings some of them about. */
@Controller('workspace/certify')
@UseGuards(VisitGuard, TppGuard)
export class CertifyController {
  constructor(
    private readonly api: TppApi,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
    @Inject(CONFIG) private readonly config: PortalConfig,
  ) {}

  @Get()
  async show(@Visiting() visit: TppVisit, @Query('since') since: unknown): Promise<Html> {
    return this.shown(visit, instantIn(since));
  }

  @Get('report')
  async report(@Visiting() visit: TppVisit, @Query('since') since: unknown): Promise<Html> {
    const [certify, registration] = await Promise.all([
      this.compare(visit, instantIn(since)),
      this.readRegistration(visit),
    ]);
    const { name, clientId } = registration;
    return reportPage(certify, {
      name,
      clientId,
      profile: this.profile.name,
      baseUrl: this.config.BASE_URL,
    });
  }

  @Post()
  async provoke(@Visiting() visit: TppVisit): Promise<Html> {
    const { provoked } = situations.get(visit.form.get('situation') ?? '') ?? {};
    if (provoked === undefined) throw new NotFoundException();
    const since = instantIn(visit.form.get('since'));
    if ('plan' in provoked) {
      const answer = await this.post(visit, '/sandbox/faults', { ...provoked.plan, calls: 1 });
      const text = `The next call of ${provoked.plan.operation} meets the situation. Use your application now.`;
      return this.shown(visit, since, refusalNote(answer) ?? note('good', text));
    }
    if ('send' in provoked) return this.shown(visit, since, await this.sendNewest(visit, provoked.send));
    return this.shown(visit, since, await this.open(visit, provoked.visit));
  }

  private async sendNewest(visit: TppVisit, how: 'replay' | 'forge'): Promise<Html> {
    const [newest] = (await this.readLog(visit)).notifications;
    if (newest === undefined) return note('problem', 'Your application has had no notification yet.');
    const path = `/sandbox/notifications/${newest.notificationId}/${how}`;
    const answer = await this.api.send(visit.tpp, { method: 'POST', path });
    return refusalNote(answer) ?? note('good', 'It was sent. Your answer is in Push.');
  }

  /** Has an address of the application opened, and returns what it answered. */
  private async open(visit: TppVisit, kind: 'foreign-code' | 'error' | 'nok'): Promise<Html> {
    const uri = await this.addressOf(visit, kind);
    if (uri === undefined)
      return note(
        'problem',
        kind === 'nok'
          ? 'None of your latest payments has TPP-Nok-Redirect-URI.'
          : 'No redirect URI of an application is registered.',
      );
    const answer = await this.post(visit, '/sandbox/visits', { uri });
    const refusal = refusalNote(answer);
    if (refusal !== undefined) return refusal;
    const { status, failure } = jsonOf<{ readonly status?: number; readonly failure?: string }>(answer);
    return status === undefined
      ? note('attention', `${uri} was not reached: ${failure ?? ''}.`)
      : note('good', `${uri} answered ${status}.`);
  }

  /** The address of the TPP's application that the sandbox opens. */
  private async addressOf(
    visit: TppVisit,
    kind: 'foreign-code' | 'error' | 'nok',
  ): Promise<string | undefined> {
    if (kind === 'nok') return nokUris(await this.readLog(visit)).at(-1);
    const own = new URL(this.config.BASE_URL).origin;
    const { redirectUris } = await this.readRegistration(visit);
    const registered = redirectUris.find((uri) => URL.parse(uri)?.origin !== own);
    if (registered === undefined) return undefined;
    const uri = new URL(registered);
    if (kind === 'error') uri.searchParams.set('error', 'access_denied');
    else uri.searchParams.set('code', 'certify-foreign-code');
    uri.searchParams.set('state', foreignState);
    uri.searchParams.set(visitMark, kind);
    return uri.href;
  }

  private async shown(visit: TppVisit, since?: string, message?: Html): Promise<Html> {
    return certifyPage(visit.session, await this.compare(visit, since), message);
  }

  private async compare(visit: TppVisit, since: string | undefined): Promise<Certify> {
    const log = await this.readLog(visit, since);
    return {
      evaluated: evaluate(log),
      since,
      now: new Date(log.nowMs).toISOString(),
      calls: log.calls.length,
      isWhole: log.isWhole,
      notStored: log.notStored,
    };
  }

  private async readLog({ tpp }: TppVisit, since?: string): ReturnType<typeof readOwnLog> {
    const sinceMs = since === undefined ? 0 : Date.parse(since);
    const inboxes = new URL('/inbox/', this.config.BASE_URL).href;
    return readOwnLog(this.api, tpp, { sinceMs, nowMs: this.clock.realMs, inboxes });
  }

  private async readRegistration({ tpp }: TppVisit): Promise<OwnTpp> {
    return bodyOf<OwnTpp>(await this.api.send(tpp, { method: 'GET', path: '/sandbox/tpp' }));
  }

  private async post({ tpp }: TppVisit, path: string, body: object) {
    return this.api.send(tpp, { method: 'POST', path, body: JSON.stringify(body) });
  }
}
