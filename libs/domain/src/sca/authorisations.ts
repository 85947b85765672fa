import { type Failure, fail } from '../failure/failures.js';
import type { NotificationRegistration } from '../notification/notification-content.js';
import type { RedirectUris } from '../payment/payment-events.js';
import type { PersonalMembers } from '../personal-data.js';

/**
 * The Berlin Group scaStatus values used here. `exempted`: enough other signers have signed, so this signature is
 * no longer needed.
 */
export const scaStatuses = [
  'received',
  'psuIdentified',
  'psuAuthenticated',
  'finalised',
  'failed',
  'exempted',
] as const;
export type ScaStatus = (typeof scaStatuses)[number];

/**
 * One signer's authorisation of a payment or consent. With several signers there are several authorisations
 * (contract 10).
 */
export interface Authorisation {
  readonly authorisationId: string;
  readonly scaStatus: ScaStatus;
  /** The PSU that the TPP named for this authorisation; no other PSU may sign. */
  readonly namedPsuId?: string;
  /** The PSU who signed in with this authorisation. */
  readonly psuId?: string;
  /** ISO instant. */
  readonly signedAt?: string;
  /** The redirect addresses for this PSU's browser. If absent, those of the resource apply. */
  readonly redirectUris?: RedirectUris;
}

/** The personal data in an authorisation. */
export const personalOfAuthorisation: PersonalMembers = { namedPsuId: true, psuId: true, redirectUris: true };

/** The part of a payment or consent that records who has to authorise it and who has done so. */
export interface Signable {
  /** The number of signatures required. */
  readonly signaturesRequired: number;
  /** The PSU that the TPP named for the resource. */
  readonly namedPsuId?: string;
  readonly authorisations: readonly Authorisation[];
}

/**
 * Maximum number of authorisations of a payment or consent. A TPP may restart an authorisation for a PSU who lost
 * the link.
 */
export const maxAuthorisations = 20;

const final: ReadonlySet<ScaStatus> = new Set(['finalised', 'failed', 'exempted']);

export const isOpenAuthorisation = ({ scaStatus }: Pick<Authorisation, 'scaStatus'>): boolean =>
  !final.has(scaStatus);

export const authorisationIn = (
  { authorisations }: Pick<Signable, 'authorisations'>,
  authorisationId: string,
): Authorisation | undefined =>
  authorisations.find((authorisation) => authorisation.authorisationId === authorisationId);

/** The distinct PSUs who have signed, in the order of their authorisations. */
export const listSigners = ({ authorisations }: Pick<Signable, 'authorisations'>): readonly string[] =>
  authorisations.flatMap(({ scaStatus, psuId }) =>
    scaStatus === 'finalised' && psuId !== undefined ? [psuId] : [],
  );

/** The number of signatures that are still missing. */
export const signaturesMissing = (signable: Signable): number =>
  Math.max(0, signable.signaturesRequired - listSigners(signable).length);

/**
 * True if another PSU is already using the authorisation or, with a single signer, the resource. The link alone is
 * then not sufficient.
 */
export const isTakenByAnother = (
  { signaturesRequired, authorisations }: Signable,
  { authorisationId }: Authorisation,
  psuId: string,
): boolean =>
  authorisations.some(
    (one) =>
      one.psuId !== undefined &&
      one.psuId !== psuId &&
      (one.authorisationId === authorisationId || signaturesRequired === 1),
  );

/** The request to start another authorisation (contract 10: POST …/authorisations). */
export interface NewAuthorisation {
  readonly authorisationId: string;
  readonly psuId?: string;
  readonly redirectUris?: RedirectUris;
  /** The new address for pushed status changes of the resource. */
  readonly notification?: NotificationRegistration;
}

/**
 * Returns why another authorisation cannot be started while the resource awaits signatures: headerMalformed if
 * there are several signers and no PSU-ID, or if the PSU is not the one named before; statusForbidsAuthorisation
 * if that PSU has already signed or there are too many authorisations.
 */
export function startFailure(
  signable: Signable,
  { psuId }: Pick<NewAuthorisation, 'psuId'>,
): Failure | undefined {
  const { signaturesRequired, namedPsuId, authorisations } = signable;
  if (signaturesRequired > 1 && psuId === undefined)
    return fail(
      'headerMalformed',
      'PSU-ID',
      'Several signers are required. Send the PSU-ID of the one who signs now.',
    );
  if (signaturesRequired === 1 && psuId !== undefined && psuId !== (namedPsuId ?? psuId))
    return fail('headerMalformed', 'PSU-ID', 'A different PSU was named before. Name the same PSU, or none.');
  if (psuId !== undefined && listSigners(signable).includes(psuId))
    return fail('statusForbidsAuthorisation', undefined, 'This PSU has already signed. Name another signer.');
  return authorisations.length < maxAuthorisations
    ? undefined
    : fail(
        'statusForbidsAuthorisation',
        undefined,
        'Too many authorisations were started. Use one of them, or create a new resource.',
      );
}

/** The list, with one authorisation changed. */
export const withAuthorisation = (
  list: readonly Authorisation[],
  authorisationId: string | undefined,
  change: Partial<Authorisation>,
): readonly Authorisation[] =>
  list.map((one) => (one.authorisationId === authorisationId ? { ...one, ...change } : one));

/** The list, with a new authorisation appended. */
export const withStarted = (
  list: readonly Authorisation[],
  { authorisationId, psuId, redirectUris }: NewAuthorisation,
): readonly Authorisation[] => [
  ...list,
  {
    authorisationId,
    scaStatus: 'received',
    ...(psuId === undefined ? {} : { namedPsuId: psuId }),
    ...(redirectUris === undefined ? {} : { redirectUris }),
  },
];

/**
 * Ends the authorisations that can no longer be completed. Signed ones are kept, and the others change to
 * `scaStatus`.
 */
export const withOthersEnded = (
  list: readonly Authorisation[],
  scaStatus: 'failed' | 'exempted',
): readonly Authorisation[] => list.map((one) => (isOpenAuthorisation(one) ? { ...one, scaStatus } : one));
