export interface ActDescription {
  /** In a few words. */
  readonly does: string;
  /** True if money may move because of it. */
  readonly movesMoney?: true;
}

/** The actions of the staff, by the name under which they are recorded. */
export const acts = {
  'lift-sca-lock': { does: 'lift the SCA lock of a PSU' },
  'block-tpp': { does: 'block a TPP' },
  'unblock-tpp': { does: 'unblock a TPP' },
  'rotate-secret': { does: 'give a TPP a new secret' },
  'replay-notifications': { does: 'send dead letters again' },
  'reveal-field': { does: 'reveal a field' },
  'find-approvals': { does: 'find what waits for the approval of a PSU' },
  'search-encrypted': { does: 'search in encrypted data' },
  'replay-dead-letter': { does: 'let an event be handled again' },
  'discard-dead-letter': { does: 'discard an event that was not handled' },
  'pause-job': { does: 'pause a job' },
  'continue-job': { does: 'let a paused job continue' },
  'export-bundle': { does: 'export the dispute bundle of a payment' },
  'end-consent': { does: 'end a consent' },
  'try-settlement-now': { does: 'try the settlement of a payment now', movesMoney: true },
  'close-late-instant': { does: 'close an instant payment that was confirmed after its rejection' },
  'hand-to-settlement': { does: 'hand a payment to settlement again', movesMoney: true },
} as const satisfies Readonly<Record<string, ActDescription>>;
export type Act = keyof typeof acts;

export const isAct = (text: string): text is Act => Object.hasOwn(acts, text);

/** Action ids are UUIDs in lower case. */
export const isActionId = (text: unknown): text is string =>
  typeof text === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
