import { type Failure, fail } from '../failure/failures.js';
import type { NotificationRegistration } from '../notification/notification-content.js';
import type { RedirectUris } from '../payment/payment-events.js';
import type { FieldTable } from '@xs2a/events/field-tables';

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

/** Which members of an authorisation are personal data. */
export const authorisationFields: FieldTable<Authorisation> = {
  authorisationId: 'plain',
  scaStatus: 'plain',
  namedPsuId: 'personal',
  psuId: 'personal',
  signedAt: 'plain',
  redirectUris: 'personal',
};

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

/**
 * Returns the open authorisation with which this PSU can sign: the PSU signed in with the authorisation, or the TPP
 * named the PSU for the authorisation or for the resource. Undefined if the PSU has already signed, or if no sign-in
 * and no name shows that the resource waits for this PSU.
 */
export const awaitedOf = (signable: Signable, psuId: string): Authorisation | undefined => {
  if (listSigners(signable).includes(psuId)) return undefined;
  const open = signable.authorisations.filter(isOpenAuthorisation);
  return (
    open.find((one) => one.psuId === psuId) ??
    open.find((one) => one.psuId === undefined && (one.namedPsuId ?? signable.namedPsuId) === psuId)
  );
};

/**
 * Returns the PSUs whose signature a resource awaits, as {@link awaitedOf} decides; undefined if no such PSU is known.
 */
export const listAwaited = (signable: Signable): readonly string[] | undefined => {
  const { namedPsuId, authorisations } = signable;
  const known = [namedPsuId, ...authorisations.flatMap((one) => [one.namedPsuId, one.psuId])];
  const awaited = [...new Set(known)].filter(
    (psuId) => psuId !== undefined && awaitedOf(signable, psuId) !== undefined,
  );
  return awaited.length === 0 ? undefined : (awaited as string[]);
};

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

type Authorisations = readonly Authorisation[];

const change = (
  list: Authorisations,
  authorisationId: string | undefined,
  members: Partial<Authorisation>,
): Authorisations =>
  list.map((one) => (one.authorisationId === authorisationId ? { ...one, ...members } : one));

/** Ends the authorisations that can no longer be completed. Signed ones are kept. */
const endOthers = (list: Authorisations, scaStatus: 'failed' | 'exempted'): Authorisations =>
  list.map((one) => (isOpenAuthorisation(one) ? { ...one, scaStatus } : one));

/** The data of a signature event. */
export interface Signature {
  readonly authorisationId: string;
  readonly psuId: string;
  /** ISO instant. */
  readonly signedAt?: string;
}

const sign = (list: Authorisations, { authorisationId, psuId, signedAt }: Signature): Authorisations =>
  change(list, authorisationId, { scaStatus: 'finalised', psuId, signedAt });

/** The authorisations of a payment, consent or basket after each act on it. */
export const authorisationsAfter = {
  started: (
    list: Authorisations,
    { authorisationId, psuId, redirectUris }: NewAuthorisation,
  ): Authorisations => [...list, { authorisationId, scaStatus: 'received', namedPsuId: psuId, redirectUris }],
  identified: (
    list: Authorisations,
    { authorisationId, psuId }: Pick<Signature, 'authorisationId' | 'psuId'>,
  ): Authorisations => change(list, authorisationId, { scaStatus: 'psuIdentified', psuId }),
  partlySigned: sign,
  /** After the last signature, no other signer is needed. */
  signed: (list: Authorisations, signature: Signature): Authorisations =>
    endOthers(sign(list, signature), 'exempted'),
  rejected: (
    list: Authorisations,
    { authorisationId, psuId }: { readonly authorisationId?: string; readonly psuId?: string },
  ): Authorisations =>
    endOthers(psuId === undefined ? list : change(list, authorisationId, { psuId }), 'failed'),
  cancelled: (list: Authorisations): Authorisations => endOthers(list, 'failed'),
};

/** The authorisations of a new resource: one for a single signer, none for several signers. */
export const firstAuthorisations = (
  authorisationId: string | undefined,
  psuId: string | undefined,
): Authorisations =>
  authorisationId === undefined ? [] : authorisationsAfter.started([], { authorisationId, psuId });

/** The acts on a resource that awaits signatures. */
export type SigningAct = 'started' | 'identified' | 'partlySigned' | 'signed' | 'rejected';
/** The stages in which a resource awaits signatures, and the stages that follow. */
export type SigningStage = 'received' | 'partlySigned' | 'signed' | 'rejected';

/** The lifecycle of every resource until it is signed (contract 10): the next stage for each stage and act. */
const untilSigned: Readonly<Record<'received' | 'partlySigned', Readonly<Record<SigningAct, SigningStage>>>> =
  {
    received: {
      started: 'received',
      identified: 'received',
      partlySigned: 'partlySigned',
      signed: 'signed',
      rejected: 'rejected',
    },
    partlySigned: {
      started: 'partlySigned',
      identified: 'partlySigned',
      partlySigned: 'partlySigned',
      signed: 'signed',
      rejected: 'rejected',
    },
  };

/** The rows of {@link untilSigned} with a resource's own events and stages. An act without an event cannot happen. */
export const signingRows = <Event extends string, Stage extends string>(
  events: Readonly<Partial<Record<SigningAct, Event>>>,
  stages: Readonly<Record<SigningStage, Stage>>,
): Readonly<Record<'received' | 'partlySigned', Readonly<Partial<Record<Event, Stage>>>>> => {
  const row = (acts: Readonly<Record<SigningAct, SigningStage>>) =>
    Object.fromEntries(
      (Object.keys(acts) as SigningAct[]).flatMap((act) =>
        events[act] === undefined ? [] : [[events[act], stages[acts[act]]]],
      ),
    ) as Partial<Record<Event, Stage>>;
  return { received: row(untilSigned.received), partlySigned: row(untilSigned.partlySigned) };
};
