import { Inject, Injectable } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { PROFILE } from '@xs2a/runtime/tokens';
import { listPsuConsents, revokeConsent } from '@xs2a/contracts/consents.contract';
import { listSignedPayments, stopOrder } from '@xs2a/contracts/payments.contract';
import type { Profile } from '@xs2a/domain/profile/profile';
import { CallFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import { isUuid } from '../oauth/grants/consent-authority.js';
import { FundsGrants } from '../oauth/grants/funds-grants.js';
import { TppRegistry } from '../tpp/tpp-registry.js';
import type { Notice } from './catalogue/catalogue.js';
import { isLanguage } from './pages/language.js';
import type { Page } from './pages/page.js';
import { type PageSession, PageSessions } from './page-sessions.js';
import { ScaFailures } from './sign-in/sca-failures.js';
import { approvalsPage } from './pages/approvals-page.js';
import type { ListView } from './pages/own-form.js';
import { isEmptySignIn, SignIn } from './sign-in/sign-in.js';
import { signInPage } from './pages/sign-in-page.js';
import {
  type Answer,
  chosenPage,
  formDigest,
  isOwnForm,
  languageFor,
  type PageRequest,
} from './page-request.js';
import { refuseForm } from './refuse-form.js';
import { openText, sealText } from './sealed-text.js';
import { countSignIn } from './sca-metrics.js';

/** The resource to which sessions of the PSU's own pages are bound: one sign-in covers all these pages. */
export const psuResource = 'psu';

/**
 * The pages `/sca/apps` and `/sca/payments`: everything that the PSU has approved, with forms to withdraw
 * access and to stop standing orders (contract 12). Both addresses show the same page.
 */
@Injectable()
export class PsuPages {
  constructor(
    private readonly signIn: SignIn,
    private readonly sessions: PageSessions,
    private readonly failures: ScaFailures,
    private readonly fundsGrants: FundsGrants,
    private readonly registry: TppRegistry,
    private readonly callClient: CallClient,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  async show(request: PageRequest): Promise<Answer> {
    const { sessions, failures } = this;
    const found = await sessions.find(request.cookie, psuResource);
    if (found === undefined) {
      const { lang } = request.query;
      const notice = request.cookie === undefined ? undefined : 'session-ended';
      const language = isLanguage(lang) ? lang : undefined;
      const begun = await sessions.begin(psuResource, { step: 'sign-in', notice, language });
      return { page: await this.draw(request, begun.session), cookie: begun.id };
    }
    const { lang } = request.query;
    if (!isLanguage(lang) || lang === found.state.language) return { page: await this.draw(request, found) };
    if (found.state.psuId !== undefined) await failures.chooseLanguage(found.state.psuId, lang);
    const changed = await sessions.save(found, { ...found.state, language: lang });
    return { page: await this.draw(request, changed ?? found) };
  }

  async submit(request: PageRequest): Promise<Answer> {
    const { sessions } = this;
    const session = await sessions.find(request.cookie, psuResource);
    if (session === undefined || !isOwnForm(request, session.csrf)) return refuseForm(request, session);
    const decision = request.form.get('decision');
    if (decision === 'cancel') {
      await sessions.remove(session);
      return { redirect: request.path, cookie: '' };
    }
    const { psuId } = session.state;
    if (psuId === undefined) return this.takeSignIn(request, session);
    const taken = formDigest(request);
    if (taken !== undefined && taken === session.state.taken) return { redirect: request.path };
    const notice = await this.decide(decision, psuId, request.form);
    await sessions.save(session, { ...session.state, notice, taken });
    return { redirect: request.path };
  }

  private async takeSignIn(request: PageRequest, session: PageSession): Promise<Answer> {
    const { sessions, failures } = this;
    const { form, cookie } = request;
    const typedName = sealText(cookie, (form.get('psuId') ?? '').slice(0, 64));
    const refuse = async (notice: Notice): Promise<Answer> => {
      await sessions.save(session, { ...session.state, notice, typedName });
      return { redirect: request.path };
    };
    if (isEmptySignIn(form)) return refuse('sign-in-empty');
    const share = { kind: 'anonymous', tppId: '', account: session.csrf } as const;
    const psuId = await countSignIn('own-pages', this.signIn.findPsu(request, share));
    if (psuId === undefined) return refuse('sign-in-failed');
    const chosen = session.state.language;
    if (chosen !== undefined) await failures.chooseLanguage(psuId, chosen);
    const renewed = await sessions.renew(session, {
      step: 'list',
      psuId,
      ...(await failures.greeting(psuId)),
    });
    return { redirect: request.path, cookie: renewed.id };
  }

  private async decide(decision: string | null, psuId: string, form: URLSearchParams): Promise<Notice> {
    if (decision === 'withdraw') return this.withdraw(psuId, form);
    return decision === 'stop' ? this.stop(psuId, form.get('paymentId')) : 'out-of-date';
  }

  /** Stops a periodic order that the PSU has signed. It only lowers the risk, so the sign-in is enough. */
  private async stop(psuId: string, paymentId: string | null): Promise<Notice> {
    if (!isUuid(paymentId)) return 'stop-failed';
    return (await isDone(this.callClient.call(stopOrder, { psuId, paymentId })))
      ? 'order-stopped'
      : 'stop-failed';
  }

  /** Withdraws a consent, or a TPP's grant for funds confirmation, which exists without a consent. */
  private async withdraw(psuId: string, form: URLSearchParams): Promise<Notice> {
    const fundsOf = form.get('fundsOf');
    // PostgreSQL refuses a text with NUL.
    if (fundsOf?.includes('\0') === true) return 'withdraw-failed';
    if (fundsOf !== null)
      return (await this.fundsGrants.withdraw(psuId, fundsOf)) ? 'withdrawn' : 'withdraw-failed';
    const consentId = form.get('consentId');
    if (!isUuid(consentId)) return 'withdraw-failed';
    return (await isDone(this.callClient.call(revokeConsent, { psuId, consentId })))
      ? 'withdrawn'
      : 'withdraw-failed';
  }

  private async draw(request: PageRequest, { state, csrf, version }: PageSession): Promise<Page> {
    const language = languageFor(request, state.language);
    const view: ListView = {
      language,
      csrf,
      version,
      path: request.path,
      notice: state.notice,
      timeZone: this.profile.timeZone,
      profile: this.profile,
    };
    const { psuId } = state;
    if (psuId === undefined) return signInPage(view, openText(request.cookie, state.typedName));
    const { callClient } = this;
    const page = chosenPage(request) ?? 0;
    // Each service's list is shown, and can be acted on, although the other service is down.
    const [consents, grants, payments] = await Promise.all([
      unlessDown(callClient.call(listPsuConsents, { psuId })),
      this.fundsGrants.of(psuId),
      unlessDown(callClient.call(listSignedPayments, page === 0 ? { psuId } : { psuId, page })),
    ]);
    if (consents === undefined && payments === undefined && grants.length === 0) throw dependencyDown();
    return approvalsPage(view, {
      consents: consents && (await this.named(consents.consents)),
      grants: await this.named(grants),
      payments: payments && (await this.named(payments.payments)),
      part: payments?.pages === undefined ? undefined : { at: payments.page ?? 0, of: payments.pages },
    });
  }

  private async named<Entry extends { readonly tppId: string }>(
    entries: readonly Entry[],
  ): Promise<(Entry & { readonly tppName: string })[]> {
    const ids = [...new Set(entries.map(({ tppId }) => tppId))];
    const tpps = await Promise.all(ids.map((id) => this.registry.find(id)));
    const names = new Map(ids.map((id, at) => [id, tpps[at]?.name ?? id]));
    return entries.map((entry) => ({ ...entry, tppName: names.get(entry.tppId) ?? entry.tppId }));
  }
}

/**
 * Returns whether the call was accepted. Throws if the service did not answer, because then nobody knows, and if the
 * error is not a refusal.
 */
const isDone = async (call: Promise<unknown>): Promise<boolean> => {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof CallFailed && !isDown(error)) return false;
    throw error;
  }
};

/** Returns the answer; undefined if the service, or a part that it needs, does not answer. */
const unlessDown = async <Answered>(call: Promise<Answered>): Promise<Answered | undefined> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof CallFailed && isDown(error)) return undefined;
    throw error;
  }
};

const isDown = ({ failures }: CallFailed): boolean =>
  failures.some(({ failure }) => failure === 'dependencyDown');
