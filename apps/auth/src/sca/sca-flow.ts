import { Inject, Injectable } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { OTP_CODES } from '../tokens.js';
import type { RejectionReason } from '@xs2a/domain/payment/payment-events';
import { otpBinding } from '@xs2a/domain/sca/otp-binding';
import { Clock } from '@xs2a/runtime/clock';
import { OneAtATime } from '@xs2a/runtime/one-at-a-time';
import type { AuthorisationRequest, Closed } from './requests/authorisation-request.js';
import { findEnd, type Open } from './requests/find-end.js';
import { renewAfter } from './requests/instant-end.js';
import { evidenceOf } from './evidence.js';
import { Challenges } from './sign-in/challenges.js';
import { KnownBrowsers } from './sign-in/known-browsers.js';
import type { OtpCodes } from './sign-in/otp-codes.js';
import { ScaFailures } from './sign-in/sca-failures.js';
import { closedPage, resultPage } from './pages/end-pages.js';
import { isLanguage, timeText } from './pages/language.js';
import type { Language } from './catalogue/catalogue.js';
import { catalogues } from './catalogue/catalogues.js';
import type { Profile } from '@xs2a/domain/profile/profile';
import { PROFILE } from '@xs2a/runtime/tokens';
import { type Outcome, type PageSession, PageSessions, type PageState, type Step } from './page-sessions.js';
import { isEmptySignIn, SignIn } from './sign-in/sign-in.js';
import { signInPage } from './pages/sign-in-page.js';
import type { AskedView } from './pages/step-form.js';
import { accountsPage, codePage, reviewPage, type SentCode } from './pages/step-pages.js';
import {
  type Answer,
  chosenPage,
  formDigest,
  isOwnForm,
  languageFor,
  type PageRequest,
} from './page-request.js';
import { hasUnseenPayees, PayeeChecks } from './payee-checks.js';
import { refuseForm } from './refuse-form.js';
import { findAccountNames } from './review/account-names.js';
import { openText, sealText } from './sealed-text.js';
import { sendCode } from './session-code.js';
import { lastShownPage, storeShownPage } from './shown-page.js';
import { countCode, countDecision, countSignIn } from './sca-metrics.js';

/** A page request, with its session and the authorisation request that it is about. */
interface At {
  readonly request: PageRequest;
  readonly session: PageSession;
  readonly authorisation: AuthorisationRequest;
}

const decisions: ReadonlyMap<string | null, RejectionReason> = new Map([
  ['refuse', 'psu-refused'],
  ['cancel', 'psu-cancelled'],
]);

/**
 * The page flow, which is the same for every entry point (contract 12): sign in, choose accounts, review, code,
 * result. A GET shows the current step and approves nothing; a POST takes one step and redirects to the GET. A
 * form that is sent again, because of a double click or a lost response, is not processed again: the GET shows the
 * effect of the first submission.
 */
@Injectable()
export class ScaFlow {
  private readonly serial = new OneAtATime();
  private readonly payeeChecks = new PayeeChecks();

  constructor(
    private readonly signIn: SignIn,
    private readonly sessions: PageSessions,
    private readonly challenges: Challenges,
    private readonly failures: ScaFailures,
    private readonly browsers: KnownBrowsers,
    @Inject(OTP_CODES) private readonly codes: OtpCodes,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
    private readonly callClient: CallClient,
  ) {}

  async show(request: PageRequest, open: Open): Promise<Answer> {
    const { sessions } = this;
    const found = await sessions.find(request.cookie, request.resource);
    if (found?.state.result !== undefined) return this.showEnd(request, found.state, open);
    const authorisation = await open(found?.state.psuId);
    if ('closed' in authorisation) {
      const decided = found && (await this.showDecided(request, found, authorisation, open));
      if (decided !== undefined) return decided;
      const { closed, redirect } = authorisation;
      if (redirect !== undefined) return { redirect, cookie: '' };
      const view = { language: languageFor(request, found?.state.language), path: request.path };
      return { page: closedPage(view, authorisation), status: closed === 'unknown' ? 404 : 410 };
    }
    if (found !== undefined) {
      const session = await this.remember(request, found);
      if (hasUnseenPayees(authorisation, session.state)) return this.showPayees({ request, session });
      const shown = await this.payeeChecks.afterwards({ request, session, authorisation }, open);
      return shown === undefined
        ? { redirect: request.path }
        : this.draw({ request, session, authorisation: shown });
    }
    const begun = await sessions.begin(request.resource, {
      step: 'sign-in',
      notice: request.cookie === undefined ? undefined : 'session-ended',
      language: isLanguage(request.query['lang']) ? request.query['lang'] : undefined,
    });
    return { ...(await this.draw({ request, session: begun.session, authorisation })), cookie: begun.id };
  }

  /**
   * Shows the outcome and the receipt. A PSU who comes back from the TPP finds the same page, as one of a link that
   * is used up.
   */
  private async showEnd(request: PageRequest, state: PageState, open: Open): Promise<Answer> {
    const { result, redirect, psuId } = state;
    if (result === undefined) throw new Error('A flow that has ended must have a result.');
    const language = languageFor(request, state.language);
    // An authorization request cannot be opened or answered twice.
    const isOnce = request.resource.startsWith('authorize/');
    const end = psuId === undefined || isOnce ? {} : await findEnd(open, psuId, language, result.signedAt);
    const { timeZone } = this.profile;
    const back = isOnce ? undefined : redirect;
    const renew =
      back === undefined ? renewAfter(end.instantEnd, result.signedAt, this.clock.nowMs()) : undefined;
    const view = { language, path: request.path, timeZone, ...end, back, isRenewed: renew !== undefined };
    return {
      page: resultPage(view, result),
      status: redirect === undefined ? 200 : 410,
      renewAfter: renew,
    };
  }

  /** Shows the result to a PSU whose decision took effect although the response to the form was lost. */
  private async showDecided(
    request: PageRequest,
    session: PageSession,
    { decided }: Closed,
    open: Open,
  ): Promise<Answer | undefined> {
    const { psuId, language } = session.state;
    const end = psuId === undefined ? undefined : await decided?.(psuId);
    if (end === undefined) return undefined;
    const state: PageState = { step: 'result', psuId, language, ...end };
    await this.sessions.save(session, state);
    return end.redirect === undefined ? this.showEnd(request, state, open) : { redirect: end.redirect };
  }

  async submit(request: PageRequest, open: Open): Promise<Answer> {
    return this.serial.run(request.cookie ?? '', async () => {
      const session = await this.sessions.find(request.cookie, request.resource);
      if (session === undefined || !isOwnForm(request, session.csrf)) return refuseForm(request, session);
      const { state } = session;
      if (state.step === 'result') return { redirect: state.redirect ?? request.path };
      if (state.taken !== undefined && state.taken === formDigest(request)) return { redirect: request.path };
      const authorisation = await open(state.psuId);
      if ('closed' in authorisation) return { redirect: authorisation.redirect ?? request.path };
      return this.take({ request, session, authorisation });
    });
  }

  /** Takes one step. A form that belongs to another step is answered with the current step. */
  private async take(at: At): Promise<Answer> {
    const { form } = at.request;
    const { step, psuId } = at.session.state;
    const refusal = decisions.get(form.get('decision'));
    if (refusal !== undefined && psuId === undefined && at.authorisation.refusesSignedIn)
      return this.stay(at, { notice: 'sign-in-to-refuse' });
    if (refusal !== undefined) return this.finish(at, await at.authorisation.refuse(refusal, psuId), psuId);
    if (form.get('step') !== step) return this.stay(at, { notice: 'out-of-date' });
    if (step === 'sign-in') return this.takeSignIn(at);
    if (psuId === undefined) return this.stay(at, { step: 'sign-in' });
    if (at.authorisation.isOutdated(at.session.state)) return this.reviewAgain(at);
    if (hasUnseenPayees(at.authorisation, at.session.state)) return this.showPayees(at);
    if (step === 'accounts') return this.takeAccounts(at, psuId);
    if (step === 'review') return this.takeReview(at, psuId);
    return this.takeCode(at, psuId);
  }

  private async takeSignIn(at: At): Promise<Answer> {
    const { sessions, failures } = this;
    const { form, cookie } = at.request;
    const typedName = sealText(cookie, (form.get('psuId') ?? '').slice(0, 64));
    if (isEmptySignIn(form)) return this.stay(at, { notice: 'sign-in-empty', typedName });
    // Anyone who knows a client id can start a request for funds confirmation; every other request was
    // created by a TPP with its token.
    const kind = at.authorisation.kind === 'funds' ? 'anonymous' : 'approval';
    const { tppId, debtorIban = at.request.resource } = at.authorisation;
    const account = kind === 'anonymous' ? at.session.csrf : debtorIban;
    const psuId = await countSignIn(
      at.authorisation.kind,
      this.signIn.findPsu(at.request, { kind, tppId, account }),
    );
    if (psuId === undefined) return this.stay(at, { notice: 'sign-in-failed', typedName });
    const chosen = at.session.state.language;
    if (chosen !== undefined) await failures.chooseLanguage(psuId, chosen);
    const { language, notice } = await failures.greeting(psuId);
    const over = await at.authorisation.identify(psuId);
    if (over !== undefined) return this.finish(at, over, psuId);
    const step: Step = at.authorisation.picksAccounts ? 'accounts' : 'review';
    const knowsOfUnlock = notice === 'unlocked' || undefined;
    const renewed = await sessions.renew(at.session, { step, psuId, language, notice, knowsOfUnlock });
    return { redirect: at.request.path, cookie: renewed.id };
  }

  private async takeAccounts(at: At, psuId: string): Promise<Answer> {
    const offered = new Set((await at.authorisation.accounts(psuId)).map(({ iban }) => iban));
    const chosenIbans = [...new Set(at.request.form.getAll('accounts'))];
    if (chosenIbans.length === 0 || !chosenIbans.every((iban) => offered.has(iban)))
      return this.stay(at, { notice: 'no-accounts' });
    return this.stay(at, { step: 'review', chosenIbans });
  }

  private async takeReview(at: At, psuId: string): Promise<Answer> {
    const { form } = at.request;
    const { verifyPayees, hasPayeeWarning } = at.authorisation;
    if (form.get('decision') !== 'approve' || verifyPayees !== undefined)
      return this.stay(at, { notice: 'out-of-date' });
    if (hasPayeeWarning === true && form.get('payeeWarningRead') !== 'yes')
      return this.stay(at, { notice: 'payee-warning-unread' });
    const session = { ...at.session, state: { ...at.session.state, payeeWarningRead: hasPayeeWarning } };
    const sent = await sendCode(this.sessions, this.codeForm({ ...at, session }, psuId), (request) =>
      this.challenges.issue(request),
    );
    return sent === 'too-many' ? this.stay(at, { notice: 'too-many-codes' }) : { redirect: at.request.path };
  }

  /** Sends a new code, and ends the one before (contract 12). */
  private async resend(at: At, psuId: string): Promise<Answer> {
    const { challengeId = '' } = at.session.state;
    const notice = this.codes.areSent ? 'code-sent' : 'code-in-sandbox';
    const sent = await sendCode(this.sessions, { ...this.codeForm(at, psuId), notice }, (request) =>
      this.challenges.resend(challengeId, request),
    );
    if (sent === 'over') return this.stay(at, { step: 'review', notice: 'code-expired' });
    if (sent === 'too-soon') return this.stay(at, { notice: 'code-too-soon' });
    if (sent === 'too-many') return this.stay(at, { notice: 'too-many-codes' });
    return { redirect: at.request.path };
  }

  private codeForm({ request, session, authorisation }: At, psuId: string) {
    const { state } = session;
    const binding = otpBinding(authorisation.content(state));
    const language = languageFor(request, state.language);
    return { session, taken: formDigest(request), psuId, binding, language };
  }

  private async takeCode(at: At, psuId: string): Promise<Answer> {
    const { state } = at.session;
    const code = (at.request.form.get('otp') ?? '').replaceAll(/\s/g, '').slice(0, 32);
    if (at.request.form.get('decision') === 'resend') return this.resend(at, psuId);
    const binding = otpBinding(at.authorisation.content(state));
    const { challenges, browsers } = this;
    const { knowsOfUnlock } = state;
    const who = { psuId, browser: browsers.find(at.request.cookies, psuId), knowsOfUnlock };
    const verdict = await challenges.verify(state.challengeId ?? '', who, binding, code);
    countCode(at.authorisation.kind, verdict);
    // Every wrong code counts, even the same code from the same page; the fifth one ends the authorisation
    // (contract 12).
    if (verdict === 'wrong') return this.stay(at, { notice: 'code-wrong', taken: undefined });
    if (verdict === 'failed')
      return this.finish(at, await at.authorisation.refuse('sca-failed', psuId), psuId, {
        lockedUntil: (await challenges.standing(state.challengeId ?? '', who)).lockedUntil,
      });
    if (verdict !== 'right') return this.stay(at, { step: 'review', notice: 'code-expired' });
    try {
      const shown = lastShownPage(at, languageFor(at.request, state.language));
      const evidence = evidenceOf(at.authorisation.content(state), shown);
      const outcome = await at.authorisation.approve(psuId, state, evidence);
      const answer = await (outcome === 'changed' ? this.reviewAgain(at) : this.finish(at, outcome, psuId));
      return { ...answer, knownBrowser: browsers.cookieFor(at.request.cookies, psuId) };
    } catch (error) {
      // The code is used up: a PSU who returns needs a new one, or sees that the request has been executed.
      await this.stay(at, { step: 'review', notice: 'code-expired' });
      throw error;
    }
  }

  /** Ends the flow: redirects the browser to the TPP or shows the result. */
  private async finish(
    { request, session, authorisation }: At,
    outcome: Outcome,
    psuId: string | undefined,
    more: Pick<NonNullable<PageState['result']>, 'lockedUntil'> = {},
  ): Promise<Answer> {
    const redirect = await authorisation.leave(outcome, psuId);
    const { kind, tppName, isCosigned } = authorisation;
    countDecision(kind, outcome);
    const { language } = session.state;
    const hasSigned = outcome.kind === 'authorised' || outcome.kind === 'partly';
    const signedAt = hasSigned ? this.clock.now() : undefined;
    const result = { kind, tppName, outcome, isCosigned, signedAt, ...more };
    // Only a PSU whom the request accepted sees the receipt, so a refused one is not stored.
    const accepted = session.state.psuId;
    const ended: PageState = { step: 'result', psuId: accepted, language, redirect, result };
    await this.sessions.end(session, ended);
    return { redirect: redirect ?? request.path };
  }

  /** Shows the review again because the payment or consent has changed since the PSU saw it. */
  private async reviewAgain(at: At): Promise<Answer> {
    return this.stay(at, {
      step: 'review',
      chosenIbans: undefined,
      challengeId: undefined,
      notice: 'out-of-date',
    });
  }

  /** Returns to the review, which shows the result about the payees in full. */
  private async showPayees({ request, session }: Omit<At, 'authorisation'>): Promise<Answer> {
    const review = { step: 'review', challengeId: undefined, notice: 'out-of-date' } as const;
    await this.sessions.save(session, { ...session.state, ...review });
    return { redirect: request.path };
  }

  /** Stores the change and redirects to the current step. A notice stays visible until the next form is processed. */
  private async stay({ request, session }: At, change: Partial<PageState>): Promise<Answer> {
    const { state } = session;
    // The sign-in form contains the password, so no digest of it is stored, and it may be sent again.
    const taken = state.step === 'sign-in' ? undefined : formDigest(request);
    await this.sessions.save(session, { ...state, notice: undefined, taken, ...change });
    return { redirect: request.path };
  }

  /** Stores the language that the PSU requests: in the session and, once the PSU is known, for the PSU. */
  private async remember(request: PageRequest, session: PageSession): Promise<PageSession> {
    const { lang } = request.query;
    const { state } = session;
    if (!isLanguage(lang) || lang === state.language) return session;
    if (state.psuId !== undefined) await this.failures.chooseLanguage(state.psuId, lang);
    return (await this.sessions.save(session, { ...state, language: lang })) ?? session;
  }

  private async draw(at: At): Promise<Answer> {
    const { request, session, authorisation } = at;
    const { state, csrf, version } = session;
    const language = languageFor(request, state.language);
    const { kind, tppName, tppIdentifier, minutesLeft, picksAccounts, isCosigned } = authorisation;
    const { formTargets, hasWayBack } = authorisation;
    const view: AskedView = {
      language,
      path: request.path,
      csrf,
      version,
      notice: state.notice,
      asked: {
        kind,
        tppName,
        tppIdentifier,
        minutesLeft,
        isCosigned,
        hasWayBack,
        picksAccounts: picksAccounts || state.chosenIbans !== undefined,
      },
    };
    const { step, psuId = '' } = state;
    if (step !== 'accounts' && step !== 'review' && step !== 'code')
      return { page: signInPage(view, openText(request.cookie, state.typedName)), formTargets };
    const naming = findAccountNames(this.callClient, authorisation, state, request);
    if (step === 'accounts') {
      const [accounts, names] = await Promise.all([authorisation.accounts(psuId), naming]);
      return { page: accountsPage(view, accounts, { names, profile: this.profile }), formTargets };
    }
    const [names, entries] = await Promise.all([
      naming,
      authorisation.entries?.(language, chosenPage(request) ?? 0),
      // The page for the code shows only some of the rows that the PSU has reviewed.
      step === 'review' ? storeShownPage(this.sessions, at, language) : undefined,
    ]);
    const reviewed = {
      rows: authorisation.rows(state, language, names),
      entries,
      isPageChosen: chosenPage(request) !== undefined,
      hasPayeeWarning: authorisation.hasPayeeWarning,
    };
    if (step === 'review') return { page: reviewPage(view, reviewed), formTargets };
    const noticeText =
      state.notice === 'code-wrong' ? await this.wrongCodeText(request, state, language) : undefined;
    return { page: codePage({ ...view, noticeText }, reviewed, this.sentCode(state, language)), formTargets };
  }

  /** Where and when the code of this session was sent; undefined in a sandbox, which sends none. */
  private sentCode({ sentAt, sentTo }: PageState, language: Language): SentCode | undefined {
    if (!this.codes.areSent) return undefined;
    // A session that an earlier release started does not contain the time.
    const time = sentAt === undefined ? undefined : timeText(sentAt, language, this.profile.timeZone);
    return { sentTo, time };
  }

  /** Says how many tries are left to a PSU whose password was right, or until when signing is locked. */
  private async wrongCodeText(
    { cookies }: PageRequest,
    { psuId = '', challengeId = '' }: PageState,
    language: Language,
  ): Promise<string> {
    const { code } = catalogues[language];
    const who = { psuId, browser: this.browsers.find(cookies, psuId) };
    const { triesLeft, lockedUntil } = await this.challenges.standing(challengeId, who);
    return lockedUntil === undefined
      ? code.wrong(triesLeft)
      : code.locked(timeText(lockedUntil, language, this.profile.timeZone));
  }
}
