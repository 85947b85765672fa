import { type Failure, fail } from '../failure/failures.js';
import type { NotificationRegistration } from '../notification/notification-content.js';
import type { RedirectUris } from '../payment/payment-events.js';
import type { PersonalMembers } from '../personal-data.js';

/** Berlin Group scaStatus values used here. `exempted`: enough others signed, this signature is no longer needed. */
export const scaStatuses = [
  'received',
  'psuIdentified',
  'psuAuthenticated',
  'finalised',
  'failed',
  'exempted',
] as const;
export type ScaStatus = (typeof scaStatuses)[number];

/** One person's authorisation of a payment or a consent; there are several where several have to sign (contract 10). */
export interface Authorisation {
  readonly authorisationId: string;
  readonly scaStatus: ScaStatus;
  /** The PSU that the TPP named for it: nobody else may sign. */
  readonly namedPsuId?: string;
  /** The PSU who signed in for it. */
  readonly psuId?: string;
  /** ISO instant. */
  readonly signedAt?: string;
  /** The addresses to which this PSU's browser goes; absent: those of the resource. */
  readonly redirectUris?: RedirectUris;
}

/** The personal data of an authorisation. */
export const personalOfAuthorisation: PersonalMembers = { namedPsuId: true, psuId: true, redirectUris: true };

/** The part of a payment or a consent that tells who has to authorise it and who has. */
export interface Signable {
  /** The number of different persons who have to sign. */
  readonly signaturesRequired: number;
  /** The PSU that the TPP named for the whole. */
  readonly namedPsuId?: string;
  readonly authorisations: readonly Authorisation[];
}

/** Most authorisations of one payment or consent: a TPP may start one again for a PSU who lost the link. */
export const maxAuthorisations = 20;

const final: ReadonlySet<ScaStatus> = new Set(['finalised', 'failed', 'exempted']);

export const isOpenAuthorisation = ({ scaStatus }: Pick<Authorisation, 'scaStatus'>): boolean =>
  !final.has(scaStatus);

export const authorisationIn = (
  { authorisations }: Pick<Signable, 'authorisations'>,
  authorisationId: string,
): Authorisation | undefined =>
  authorisations.find((authorisation) => authorisation.authorisationId === authorisationId);

/** The PSUs who have signed, each once, in the order of their authorisations. */
export const listSigners = ({ authorisations }: Pick<Signable, 'authorisations'>): readonly string[] =>
  authorisations.flatMap(({ scaStatus, psuId }) =>
    scaStatus === 'finalised' && psuId !== undefined ? [psuId] : [],
  );

/** Number of persons who still have to sign. */
export const signaturesMissing = (signable: Signable): number =>
  Math.max(0, signable.signaturesRequired - listSigners(signable).length);

/**
 * Another person than the one who was accepted. The link alone gives no right over an authorisation that somebody else
 * has taken up, nor over a resource that one person signs and somebody else has.
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

/** The request for a further authorisation (contract 10: POST …/authorisations). */
export interface NewAuthorisation {
  readonly authorisationId: string;
  readonly psuId?: string;
  readonly redirectUris?: RedirectUris;
  /** The address to which changes of the resource are pushed from now on. */
  readonly notification?: NotificationRegistration;
}

/**
 * Why a further authorisation cannot be started while the resource awaits signatures: headerMalformed (no PSU-ID where
 * several sign, or another than the one named before), statusForbidsAuthorisation (that PSU has signed, or too many).
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
      'Several persons have to sign this. Name the one who signs now.',
    );
  if (signaturesRequired === 1 && psuId !== undefined && psuId !== (namedPsuId ?? psuId))
    return fail('headerMalformed', 'PSU-ID', 'Another PSU was named before. Name the same, or none.');
  if (psuId !== undefined && listSigners(signable).includes(psuId))
    return fail(
      'statusForbidsAuthorisation',
      undefined,
      'This PSU has signed already. Name another person who may sign.',
    );
  return authorisations.length < maxAuthorisations
    ? undefined
    : fail(
        'statusForbidsAuthorisation',
        undefined,
        'Too many authorisations were started. Use one of them, or create a new resource.',
      );
}

/** The list with one authorisation changed. */
export const withAuthorisation = (
  list: readonly Authorisation[],
  authorisationId: string | undefined,
  change: Partial<Authorisation>,
): readonly Authorisation[] =>
  list.map((one) => (one.authorisationId === authorisationId ? { ...one, ...change } : one));

/** The list with a new authorisation at its end. */
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

/** Ends what nobody can complete any more: signatures stay, the others become `scaStatus`. */
export const withOthersEnded = (
  list: readonly Authorisation[],
  scaStatus: 'failed' | 'exempted',
): readonly Authorisation[] => list.map((one) => (isOpenAuthorisation(one) ? { ...one, scaStatus } : one));
