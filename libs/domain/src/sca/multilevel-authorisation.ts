import { type Decision, happened, refuse } from '../decision.js';
import type { RejectionReason } from '../payment/payment-events.js';
import { hasPassed } from '../time/bank-calendar.js';
import {
  type Authorisation,
  authorisationIn,
  isOpenAuthorisation,
  isTakenByAnother,
  listSigners,
  type NewAuthorisation,
  type Signable,
  signaturesMissing,
  startFailure,
} from './authorisations.js';
import type { SignatureEvidence } from './signature-evidence.js';

/** A resource that one or several persons sign before it expires. */
export interface SignableResource extends Signable {
  /** ISO instant. */
  readonly expiresAt: string;
}

/** The PSU who uses an authorisation, and the time of use. */
export interface Signing {
  readonly authorisationId: string;
  readonly psuId: string;
  /** ISO instant. */
  readonly now: string;
  /** How far the bank's clock is ahead of real time, in milliseconds. Only of a signature; 0 if absent. */
  readonly clockOffsetMs?: number;
  /** Only of a signature. */
  readonly evidence?: SignatureEvidence;
}

/** The end of a resource without all signatures. */
export interface Rejection {
  /** Absent if no single authorisation was the cause. */
  readonly authorisationId?: string;
  readonly reason: RejectionReason;
  readonly psuId?: string;
}

/** How one kind of resource uses the authorisation: when it awaits signatures, and the names of its events. */
export interface SigningBinding<State extends SignableResource, Event> {
  /** True while the resource awaits signatures. */
  readonly awaitsSignature: (state: State) => boolean;
  /** True while the resource is in an undecided signing basket. Only the basket can then be signed (contract 10). */
  readonly isGrouped: (state: State) => boolean;
  readonly started: (data: NewAuthorisation) => Event;
  readonly rejected: (data: Rejection) => Event;
}

/** The authorisation if the PSU may use it, otherwise the decision that ends the attempt. */
type Use<Event> = { readonly authorisation: Authorisation } | { readonly decided: Decision<Event> };

/**
 * True once a PSU has been identified for any authorisation. From then on, the link alone does not allow any
 * decision.
 */
export const isTaken = ({ authorisations }: Pick<Signable, 'authorisations'>): boolean =>
  authorisations.some(({ psuId }) => psuId !== undefined);

/** The only open authorisation; undefined if none or several are open. */
export const onlyOpenAuthorisation = ({
  authorisations,
}: Pick<Signable, 'authorisations'>): string | undefined => {
  const open = authorisations.filter(isOpenAuthorisation);
  return open.length === 1 ? open[0]?.authorisationId : undefined;
};

/**
 * Multilevel SCA of one kind of resource (contract 10). Decides who may be identified, sign and refuse. The signers
 * act in any order, and no one signs twice. The authorisation ends with the last required signature, the first
 * refusal or the expiry.
 */
export class MultilevelAuthorisation<State extends SignableResource, Event> {
  constructor(private readonly binding: SigningBinding<State, Event>) {}

  /**
   * The TPP starts an authorisation for another signer, or restarts one. Fails with resourceBlocked if the resource
   * is in a basket, with statusForbidsAuthorisation once it is signed, final or expired, otherwise as described for
   * {@link startFailure}.
   */
  readonly start = (
    state: State,
    { now, authorisationId, psuId, redirectUris, notification }: NewAuthorisation & { readonly now: string },
  ): Decision<Event> => {
    const { awaitsSignature, isGrouped, started } = this.binding;
    if (isGrouped(state)) return refuse('resourceBlocked');
    if (!awaitsSignature(state) || hasPassed(state.expiresAt, now))
      return refuse('statusForbidsAuthorisation');
    const failure = startFailure(state, { psuId });
    if (failure !== undefined) return { refused: failure };
    // Only these members are stored: the caller's input may have more, such as a corporate's id.
    return happened(
      started({ authorisationId, psuId: psuId ?? state.namedPsuId, redirectUris, notification }),
    );
  };

  /**
   * The PSU is identified on the SCA page. Rejects the resource if it has expired, if the TPP named another PSU, or
   * if `obstacle` returns why this PSU cannot sign; otherwise records `identified`. Does nothing if the PSU is already
   * identified. Fails with resourceUnknown, with resourceBlocked in a basket, or with statusForbidsAuthorisation, for
   * example if the PSU has already signed or if another PSU uses the authorisation.
   */
  readonly identify = (
    state: State,
    signing: Signing,
    {
      obstacle,
      identified,
    }: {
      readonly obstacle: () => RejectionReason | undefined;
      readonly identified: (data: { readonly authorisationId: string; readonly psuId: string }) => Event;
    },
  ): Decision<Event> => {
    const use = this.openFor(state, signing);
    if ('decided' in use) return use.decided;
    const { authorisationId, psuId } = signing;
    if (use.authorisation.psuId === psuId) return happened();
    const reason = obstacle();
    return reason === undefined
      ? happened(identified({ authorisationId, psuId }))
      : this.rejected({ authorisationId, reason, psuId });
  };

  /**
   * An identified PSU signs once. `signed` returns the events of the signature. Rejects an expired resource. Fails as
   * {@link identify} does, and with statusForbidsAuthorisation if the PSU is not identified.
   */
  readonly sign = (
    state: State,
    signing: Signing,
    signed: (isLast: boolean) => Decision<Event>,
  ): Decision<Event> => {
    const use = this.openInTime(state, signing);
    if ('decided' in use) return use.decided;
    return use.authorisation.psuId === signing.psuId && !listSigners(state).includes(signing.psuId)
      ? signed(isLast(state))
      : refuse('statusForbidsAuthorisation');
  };

  /** Identifies the PSU and signs in one step, for resources that record nothing before the signature. */
  readonly identifyAndSign = (
    state: State,
    signing: Signing,
    signed: (isLast: boolean) => Decision<Event>,
  ): Decision<Event> => {
    const use = this.openFor(state, signing);
    return 'decided' in use ? use.decided : signed(isLast(state));
  };

  /**
   * The PSU refuses or cancels, or SCA fails: one refusal rejects the resource for all signers. Fails with
   * resourceUnknown or resourceBlocked. Fails with statusForbidsAuthorisation in three cases: this authorisation or the
   * resource has been decided; another PSU uses the authorisation; or the PSU did not sign in, although some PSU has
   * already been identified.
   */
  readonly reject = (
    state: State,
    { authorisationId, reason, psuId }: Rejection & { readonly authorisationId: string },
  ): Decision<Event> => {
    const use = this.open(state, authorisationId);
    if ('decided' in use) return use.decided;
    const isOthers = psuId === undefined ? isTaken(state) : isTakenByAnother(state, use.authorisation, psuId);
    return isOthers
      ? refuse('statusForbidsAuthorisation')
      : this.rejected({ authorisationId, reason, psuId });
  };

  /**
   * Rejects a resource that was not fully signed in time; otherwise changes nothing. A resource in a basket expires
   * with the basket. Never fails.
   */
  readonly expire = (state: State, { now }: { readonly now: string }): Decision<Event> => {
    const { awaitsSignature, isGrouped } = this.binding;
    return awaitsSignature(state) && !isGrouped(state) && hasPassed(state.expiresAt, now)
      ? this.rejected({ authorisationId: onlyOpenAuthorisation(state), reason: 'not-authorised-in-time' })
      : happened();
  };

  private rejected(rejection: Rejection): Decision<Event> {
    return happened(this.binding.rejected(rejection));
  }

  private open(state: State, authorisationId: string): Use<Event> {
    const authorisation = authorisationIn(state, authorisationId);
    if (authorisation === undefined) return { decided: refuse('resourceUnknown') };
    if (this.binding.isGrouped(state)) return { decided: refuse('resourceBlocked') };
    return this.binding.awaitsSignature(state) && isOpenAuthorisation(authorisation)
      ? { authorisation }
      : { decided: refuse('statusForbidsAuthorisation') };
  }

  private openInTime(state: State, { authorisationId, psuId, now }: Signing): Use<Event> {
    const use = this.open(state, authorisationId);
    return 'authorisation' in use && hasPassed(state.expiresAt, now)
      ? { decided: this.rejected({ authorisationId, reason: 'not-authorised-in-time', psuId }) }
      : use;
  }

  /** Returns the authorisation if this PSU may use it. */
  private openFor(state: State, signing: Signing): Use<Event> {
    const { authorisationId, psuId } = signing;
    const use = this.openInTime(state, signing);
    if ('decided' in use) return use;
    const { authorisation } = use;
    if (isTakenByAnother(state, authorisation, psuId))
      return { decided: refuse('statusForbidsAuthorisation') };
    if (authorisation.psuId === psuId) return use;
    if (authorisation.namedPsuId !== undefined && authorisation.namedPsuId !== psuId)
      return { decided: this.rejected({ authorisationId, reason: 'not-the-named-psu', psuId }) };
    return listSigners(state).includes(psuId) ? { decided: refuse('statusForbidsAuthorisation') } : use;
  }
}

const isLast = (state: Signable): boolean => signaturesMissing(state) <= 1;
