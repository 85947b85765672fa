import { CallClient } from '@xs2a/calls/client';
import type { AuthorisationCalls } from '@xs2a/contracts/authorisations.contract';
import type { Call } from '@xs2a/contracts/call';
import type { PayeesAsked } from '@xs2a/contracts/payees/payees.contract';
import { CallFailed } from '@xs2a/domain/failure/failed';
import type { FailureName } from '@xs2a/domain/failure/failures';
import type { Profile } from '@xs2a/domain/profile/profile';
import { hasPassed } from '@xs2a/domain/time/bank-calendar';
import { Clock } from '@xs2a/runtime/clock';
import { isUuid } from '../../oauth/grants/consent-authority.js';
import type { TppRegistry } from '../../tpp/tpp-registry.js';
import type { Outcome, PageState } from '../page-sessions.js';
import { parseOrigin } from '../pages/page.js';
import { html } from '@xs2a/html/html';
import type { Language } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import { textsVersion } from '../catalogue/texts-version.js';
import { dateText } from '../pages/language.js';
import { noNames } from '../review/account-names.js';
import { optionalRow } from '../review/row-parts.js';
import type { AuthorisationRequest, Closed, Decided, Row } from './authorisation-request.js';
import type { InstantEnd } from './instant-end.js';
import type { LinkedState } from './linked-state.js';
import { decidedOutcome, outcomeOfRefusedStep, signedOutcome } from './outcomes.js';

export interface RequestParts {
  readonly callClient: CallClient;
  readonly registry: Pick<TppRegistry, 'find'>;
  readonly clock: Clock;
  readonly profile: Profile;
}

/** The part of a request that depends on the kind of resource: what the PSU reads and signs. */
interface Review extends Pick<
  AuthorisationRequest,
  'kind' | 'debtorIban' | 'picksAccounts' | 'isOutdated' | 'namedAccounts' | 'rows' | 'entries' | 'content'
> {
  /** The day (ISO date) on which a signed payment is executed, of a periodic order the first one. */
  readonly executionDay?: string;
  /** The payees, if the resource is paid to any. */
  readonly payees?: { readonly areToBeVerified: boolean; readonly hasWarning: boolean };
  /** The accounts sent with the signature; undefined if the PSU does not choose accounts. */
  readonly chosenIbans: (state: PageState) => readonly string[] | undefined;
}

/** The page-specific part of one kind of resource that PSUs sign. */
export interface SignablePages<Linked extends object, Shown> {
  readonly calls: Pick<
    AuthorisationCalls<never, Linked, Shown, unknown>,
    'read' | 'identify' | 'accounts' | 'sign' | 'reject'
  >;
  readonly linkedState: (shown: Shown, link: Linked) => LinkedState;
  readonly review: (shown: Shown, parts: RequestParts & { readonly tppName: string }) => Review;
  /** Verifies the payees, if the resource may be paid to any. */
  readonly verifyPayees?: Call<Linked & PayeesAsked, Record<string, never>>;
  /** The outcome shown for a step that came too late; absent if it depends on the state of the resource. */
  readonly tooLate?: Outcome;
  /**
   * Returns the outcome for a PSU who signed the resource or was signing it; undefined for anybody else. Absent: as
   * {@link decidedOutcome}.
   */
  readonly decided?: (shown: Shown, state: LinkedState, psuId: string) => Outcome | undefined;
  /** What became of an instant payment after the last signature. */
  readonly instantEnd?: (shown: Shown, parts: RequestParts) => InstantEnd | undefined;
}

/** Opens the page to which scaRedirect leads. */
export const openSignable = async <Linked extends object, Shown>(
  pages: SignablePages<Linked, Shown>,
  parts: RequestParts,
  link: Linked,
): Promise<AuthorisationRequest | Closed> => {
  if (!Object.values(link).every((id) => typeof id === 'string' && isUuid(id))) return { closed: 'unknown' };
  const shown = await find(pages, parts.callClient, link);
  if (shown === undefined) return { closed: 'unknown' };
  const state = pages.linkedState(shown, link);
  const isLate = hasPassed(state.expiresAt, parts.clock.now());
  if (state.isOpen && !isLate && !state.isGrouped)
    return signableRequest(pages, parts, { link, shown, state });
  const tppName = (await parts.registry.find(state.tppId))?.name ?? '';
  const isExpired = state.isOpen || (state.isRejected && isLate && state.psuId === undefined);
  const { kind: askedFor } = pages.review(shown, { ...parts, tppName });
  if (state.isGrouped) return { closed: 'grouped', tppName, askedFor };
  if (isExpired) return { closed: 'expired', tppName, askedFor, redirect: state.redirectUris.nok };
  const at: Decidable<Shown> = { shown, state, tppName };
  return {
    closed: state.closed,
    tppName,
    askedFor,
    decided: async (psuId) => decidedFor(pages, parts, at, psuId),
    receipt: (psuId, language, signedAt) =>
      outcomeFor(pages, at, psuId) === undefined ? [] : receiptFor(pages, parts, at, { language, signedAt }),
    instantEnd: pages.instantEnd?.(shown, parts),
  };
};

/** A resource that has been decided, with the name of its TPP. */
interface Decidable<Shown> {
  readonly shown: Shown;
  readonly state: LinkedState;
  readonly tppName: string;
}

interface Opened<Linked, Shown> {
  readonly link: Linked;
  readonly shown: Shown;
  readonly state: LinkedState;
}

/** Returns the request for a resource that awaits this PSU's signature. */
export const signableRequest = async <Linked extends object, Shown>(
  pages: SignablePages<Linked, Shown>,
  parts: RequestParts,
  { link, shown, state }: Opened<Linked, Shown>,
): Promise<AuthorisationRequest> => {
  const { calls, verifyPayees } = pages;
  const { callClient, registry } = parts;
  const { redirectUris, tppId } = state;
  const tpp = await registry.find(tppId);
  const tppName = tpp?.name ?? '';
  const { chosenIbans, payees, ...review } = pages.review(shown, { ...parts, tppName });
  const tooLate = async (psuId?: string): Promise<Outcome> => {
    if (pages.tooLate !== undefined) return pages.tooLate;
    const current = await find(pages, callClient, link);
    return outcomeOfRefusedStep(current && pages.linkedState(current, link), psuId);
  };
  const refuse: AuthorisationRequest['refuse'] = async (reason, psuId) => {
    const rejected = await unlessTooLate(() => callClient.call(calls.reject, { ...link, psuId, reason }));
    return rejected === undefined ? tooLate(psuId) : { kind: 'failed', reason };
  };
  return {
    ...review,
    tppName,
    tppId,
    tppIdentifier: tpp?.organizationIdentifier,
    minutesLeft: countMinutesLeft(state.expiresAt, parts.clock.nowMs()),
    hasWayBack: redirectUris.nok !== undefined,
    refusesSignedIn: state.isTaken,
    isCosigned: state.signedBy.length > 0,
    formTargets: [redirectUris.ok, redirectUris.nok]
      .map(parseOrigin)
      .filter((origin) => origin !== undefined),
    identify: async (psuId) => {
      const accepted = await unlessTooLate(() => callClient.call(calls.identify, { ...link, psuId }));
      if (accepted === undefined) return tooLate(psuId);
      return accepted.scaStatus === 'psuIdentified'
        ? undefined
        : { kind: 'failed', reason: accepted.rejectionReason ?? 'no-longer-possible' };
    },
    accounts: async (psuId) => (await callClient.call(calls.accounts, { ...link, psuId })).accounts,
    approve: async (psuId, pageState, evidence) => {
      const request = { ...link, psuId, chosenIbans: chosenIbans(pageState), evidence };
      const signed = await unlessChanged(() => unlessTooLate(() => callClient.call(calls.sign, request)));
      if (signed === 'changed') return 'changed';
      if (signed === undefined) return tooLate(psuId);
      return signed.isSigned
        ? signedOutcome(signed.signaturesMissing)
        : { kind: 'failed', reason: signed.rejectionReason ?? 'no-longer-possible' };
    },
    hasPayeeWarning: payees?.hasWarning,
    verifyPayees:
      verifyPayees === undefined || payees?.areToBeVerified !== true
        ? undefined
        : async (psuId, language) => {
            const asked = { psuId, language, textsVersion: textsVersion(language) };
            await unlessTooLate(async () => callClient.call(verifyPayees, { ...link, ...asked }));
          },
    refuse,
    leave: async (outcome) => (hasSigned(outcome) ? redirectUris.ok : redirectUris.nok),
  };
};

const find = async <Linked extends object, Shown>(
  { calls }: SignablePages<Linked, Shown>,
  callClient: CallClient,
  link: Linked,
): Promise<Shown | undefined> => {
  try {
    return await callClient.call(calls.read, link);
  } catch (error) {
    if (error instanceof CallFailed && error.failures.every(({ failure }) => unknown.has(failure)))
      return undefined;
    throw error;
  }
};

const outcomeFor = <Linked extends object, Shown>(
  pages: SignablePages<Linked, Shown>,
  { shown, state }: Decidable<Shown>,
  psuId: string,
): Outcome | undefined =>
  pages.decided === undefined ? decidedOutcome(state, psuId) : pages.decided(shown, state, psuId);

/** Returns the outcome of an earlier decision for this PSU. */
const decidedFor = async <Linked extends object, Shown>(
  pages: SignablePages<Linked, Shown>,
  parts: RequestParts,
  at: Decidable<Shown>,
  psuId: string,
): Promise<Decided | undefined> => {
  const outcome = outcomeFor(pages, at, psuId);
  if (outcome === undefined) return undefined;
  const { tppName, shown, state } = at;
  const { kind } = pages.review(shown, { ...parts, tppName });
  const { ok, nok } = state.redirectUris;
  const isCosigned = state.signedBy.some((signer) => signer !== psuId);
  return { result: { kind, tppName, outcome, isCosigned }, redirect: hasSigned(outcome) ? ok : nok };
};

const receiptFor = <Linked extends object, Shown>(
  pages: SignablePages<Linked, Shown>,
  parts: RequestParts,
  { shown, tppName }: Decidable<Shown>,
  { language, signedAt }: { readonly language: Language; readonly signedAt: string | undefined },
): readonly Row[] => {
  const { ends, row, value } = catalogues[language];
  const { kind, rows, content, executionDay } = pages.review(shown, { ...parts, tppName });
  const state = { step: 'result' } as const;
  const date = (iso: string): string => dateText(iso, language, parts.profile.timeZone);
  return [
    ...rows(state, language, noNames).filter(({ isOnReceipt }) => isOnReceipt === true),
    ...optionalRow(kind === 'order' ? row.firstDate : row.when, executionDay && value.on(date(executionDay))),
    ...optionalRow(ends.signedAt, signedAt && date(signedAt)),
    { label: ends.reference, value: html`<small class="reference">${content(state).resourceId}</small>` },
  ];
};

/** Returns the whole minutes until the instant, rounded up; undefined if it is more than an hour away. */
export const countMinutesLeft = (expiresAt: string, nowMs: number): number | undefined => {
  const minutes = Math.ceil((Date.parse(expiresAt) - nowMs) / 60_000);
  return minutes > 60 ? undefined : Math.max(minutes, 1);
};

const unknown = new Set<FailureName>(['consentUnknown', 'resourceUnknown']);

/** True if the PSU has signed, now or earlier. */
const hasSigned = (outcome: Outcome): boolean =>
  outcome.kind === 'unchanged' ? outcome.reason === 'signed-before' : outcome.kind !== 'failed';

const tooLateFailures = new Set<FailureName>(['statusForbidsAuthorisation', 'resourceBlocked']);

/** Makes the call. Returns undefined if the resource was decided, expired or added to a basket in the meantime. */
export const unlessTooLate = async <Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await call();
  } catch (error) {
    if (error instanceof CallFailed && error.failures.some(({ failure }) => tooLateFailures.has(failure)))
      return undefined;
    throw error;
  }
};

/** Makes the call. Returns `changed` if another signer has chosen other accounts in the meantime. */
const unlessChanged = async <Answer>(call: () => Promise<Answer>): Promise<Answer | 'changed'> => {
  try {
    return await call();
  } catch (error) {
    const isChanged =
      error instanceof CallFailed &&
      error.failures.every(({ failure, path }) => failure === 'fieldMalformed' && path === 'accounts');
    if (isChanged) return 'changed';
    throw error;
  }
};
