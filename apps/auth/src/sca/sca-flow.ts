import type { RejectionReason } from '@xs2a/domain/payment/payment-events';
import { otpBinding } from '@xs2a/domain/sca/otp-binding';
import { OneAtATime } from '@xs2a/runtime/one-at-a-time';
import type { Approval, Closed } from './approvals/approval.js';
import type { Challenges } from './sign-in/challenges.js';
import { closedPage, plainPage, resultPage } from './pages/end-pages.js';
import { isLanguage } from './pages/language.js';
import type { Outcome, PageSession, PageSessions, PageState, Step } from './page-sessions.js';
import { signIn, type SignInParts } from './sign-in/sign-in.js';
import { accountsPage, codePage, reviewPage, signInPage, type StepView } from './pages/step-pages.js';
import { type Answer, isOwnForm, languageFor, type Visit } from './visit.js';

export interface FlowParts extends SignInParts {
  readonly sessions: PageSessions;
  readonly challenges: Challenges;
  readonly isSandbox: boolean;
}
/** `psuId`: who has signed in. */
type Open = (psuId?: string) => Promise<Approval | Closed>;
/** A request in the middle of the flow. */
interface At {
  readonly visit: Visit;
  readonly session: PageSession;
  readonly approval: Approval;
}

const decisions: Readonly<Record<string, RejectionReason>> = {
  refuse: 'psu-refused',
  cancel: 'psu-cancelled',
};

/**
 * The way through the pages, the same for every door (contract 12): sign in, choose accounts, review, code, result. A GET
 * shows where the PSU stands and changes nothing that is approved; a POST takes one step and redirects to the GET.
 */
export class ScaFlow {
  private readonly serial = new OneAtATime();

  constructor(private readonly parts: FlowParts) {}

  async show(visit: Visit, open: Open): Promise<Answer> {
    const { sessions } = this.parts;
    const found = await sessions.find(visit.cookie, visit.resource);
    const ended = found?.state.step === 'result' ? found.state : undefined;
    if (ended?.result !== undefined && ended.redirect === undefined)
      return { page: resultPage(languageFor(visit, ended.language), ended.result, visit.path) };
    const approval = await open(found?.state.psuId);
    if ('closed' in approval || ended !== undefined) {
      if ('closed' in approval && approval.redirect !== undefined && ended === undefined)
        return { redirect: approval.redirect, cookie: '' };
      const reason = ended === undefined && 'closed' in approval ? approval.closed : 'used';
      const status = reason === 'unknown' ? 404 : 410;
      return { page: closedPage(languageFor(visit, found?.state.language), reason, visit.path), status };
    }
    if (found !== undefined)
      return this.draw({ visit, session: await this.remember(visit, found), approval });
    const begun = await sessions.begin(visit.resource, {
      step: 'sign-in',
      notice: visit.cookie === undefined ? undefined : 'session-ended',
      language: isLanguage(visit.query['lang']) ? visit.query['lang'] : undefined,
    });
    return { ...(await this.draw({ visit, session: begun.session, approval })), cookie: begun.id };
  }

  async submit(visit: Visit, open: Open): Promise<Answer> {
    return this.serial.run(visit.cookie ?? '', async () => {
      const session = await this.parts.sessions.find(visit.cookie, visit.resource);
      if (session === undefined || !isOwnForm(visit, session.csrf)) {
        const language = languageFor(visit, session?.state.language);
        return { page: plainPage(language, 'forbidden', visit.path), status: 403 };
      }
      const { state } = session;
      if (state.step === 'result') return { redirect: state.redirect ?? visit.path };
      const approval = await open(state.psuId);
      if ('closed' in approval) return { redirect: approval.redirect ?? visit.path };
      return this.take({ visit, session, approval });
    });
  }

  /** One step. A form of another step is not taken for this one. */
  private async take(at: At): Promise<Answer> {
    const { form } = at.visit;
    const { step, psuId } = at.session.state;
    const refusal = decisions[form.get('decision') ?? ''];
    if (refusal !== undefined && psuId === undefined && at.approval.refusesSignedIn)
      return this.stay(at, { notice: 'sign-in-to-refuse' });
    if (refusal !== undefined) return this.finish(at, await at.approval.refuse(refusal, psuId), psuId);
    if (form.get('step') !== step) return this.stay(at, { notice: 'out-of-date' });
    if (step === 'sign-in') return this.takeSignIn(at);
    if (psuId === undefined) return this.stay(at, { step: 'sign-in' });
    if (at.approval.isOutdated(at.session.state)) return this.lookAgain(at);
    if (step === 'accounts') return this.takeAccounts(at, psuId);
    if (step === 'review') return this.takeReview(at, psuId);
    return this.takeCode(at, psuId);
  }

  private async takeSignIn(at: At): Promise<Answer> {
    const { sessions, attempts } = this.parts;
    // Whoever knows a client id can begin a request for funds confirmation; all else was made by a TPP with its token.
    const kind = at.approval.kind === 'funds' ? 'anonymous' : 'approval';
    const { resourceId } = at.approval.content(at.session.state);
    const psuId = await signIn(this.parts, { ...at.visit, resource: resourceId }, kind);
    if (psuId === undefined) return this.stay(at, { notice: 'sign-in-failed' });
    const chosen = at.session.state.language;
    if (chosen !== undefined) await attempts.chooseLanguage(psuId, chosen);
    const language = chosen ?? (await attempts.languageOf(psuId));
    const over = await at.approval.identify(psuId);
    if (over !== undefined) return this.finish(at, over, psuId);
    const step: Step = at.approval.picksAccounts ? 'accounts' : 'review';
    const renewed = await sessions.renew(at.session, { step, psuId, language });
    return { redirect: at.visit.path, cookie: renewed?.id };
  }

  private async takeAccounts(at: At, psuId: string): Promise<Answer> {
    const offered = new Set((await at.approval.accounts(psuId)).map(({ iban }) => iban));
    const chosenIbans = [...new Set(at.visit.form.getAll('accounts'))];
    if (chosenIbans.length === 0 || !chosenIbans.every((iban) => offered.has(iban)))
      return this.stay(at, { notice: 'no-accounts' });
    return this.stay(at, { step: 'review', chosenIbans });
  }

  private async takeReview(at: At, psuId: string): Promise<Answer> {
    const { state } = at.session;
    if (at.visit.form.get('decision') !== 'approve') return this.stay(at, { notice: 'out-of-date' });
    const challengeId = await this.parts.challenges.issue(
      psuId,
      otpBinding(at.approval.content(state)),
      languageFor(at.visit, state.language),
    );
    if (challengeId === undefined) return this.stay(at, { notice: 'too-many-codes' });
    return this.stay(at, { step: 'code', challengeId });
  }

  private async takeCode(at: At, psuId: string): Promise<Answer> {
    const { state } = at.session;
    const code = (at.visit.form.get('otp') ?? '').trim().slice(0, 32);
    const binding = otpBinding(at.approval.content(state));
    const { challenges, browsers } = this.parts;
    const who = { psuId, browser: browsers.find(at.visit.cookies, psuId) };
    const verdict = await challenges.verify(state.challengeId ?? '', who, binding, code);
    if (verdict === 'wrong') return this.stay(at, { notice: 'code-wrong' });
    if (verdict === 'failed') return this.finish(at, await at.approval.refuse('sca-failed', psuId), psuId);
    if (verdict !== 'right') return this.stay(at, { step: 'review', notice: 'code-expired' });
    try {
      const outcome = await at.approval.approve(psuId, state);
      const answer = await (outcome === 'changed' ? this.lookAgain(at) : this.finish(at, outcome, psuId));
      return { ...answer, knownBrowser: browsers.cookieFor(at.visit.cookies, psuId) };
    } catch (error) {
      // The code is used up: whoever comes back needs a new one, or finds that it was carried out.
      await this.stay(at, { step: 'review', notice: 'code-expired' });
      throw error;
    }
  }

  /** Ends the flow: the browser goes to whoever waits for it, or sees the result. */
  private async finish(
    { visit, session, approval }: At,
    outcome: Outcome,
    psuId: string | undefined,
  ): Promise<Answer> {
    const redirect = await approval.leave(outcome, psuId);
    const { kind, tppName } = approval;
    const { language } = session.state;
    await this.parts.sessions.save(session, {
      step: 'result',
      language,
      redirect,
      result: { kind, tppName, outcome },
    });
    return { redirect: redirect ?? visit.path };
  }

  /** Answers with the review again, since the payment or consent has changed after the PSU saw it. */
  private async lookAgain(at: At): Promise<Answer> {
    return this.stay(at, {
      step: 'review',
      chosenIbans: undefined,
      challengeId: undefined,
      notice: 'out-of-date',
    });
  }

  /** Keeps the change and shows where the PSU stands now. A notice is for the next page only. */
  private async stay({ visit, session }: At, change: Partial<PageState>): Promise<Answer> {
    await this.parts.sessions.save(session, { ...session.state, notice: undefined, ...change });
    return { redirect: visit.path };
  }

  /** A language that the PSU asks for is kept: for this session, and for the PSU once known. */
  private async remember(visit: Visit, session: PageSession): Promise<PageSession> {
    const { lang } = visit.query;
    const { state } = session;
    if (!isLanguage(lang) || lang === state.language) return session;
    if (state.psuId !== undefined) await this.parts.attempts.chooseLanguage(state.psuId, lang);
    return (await this.parts.sessions.save(session, { ...state, language: lang })) ?? session;
  }

  private async draw({ visit, session, approval }: At): Promise<Answer> {
    const { state, csrf } = session;
    const language = languageFor(visit, state.language);
    const view: StepView = { language, path: visit.path, csrf, notice: state.notice };
    const { kind, tppName, formTargets } = approval;
    const { step, psuId = '' } = state;
    if (step === 'accounts')
      return { page: accountsPage(view, tppName, await approval.accounts(psuId)), formTargets };
    if (step !== 'review' && step !== 'code') return { page: signInPage(view, tppName), formTargets };
    const reviewed = { rows: approval.rows(state, language), entries: approval.entries?.(language) };
    if (step === 'review') return { page: reviewPage(view, kind, tppName, reviewed), formTargets };
    return { page: codePage(view, reviewed, this.parts.isSandbox), formTargets };
  }
}
