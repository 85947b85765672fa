import type { InstantAnswer } from '@xs2a/domain/payment/instant/instant-answer';

/** What a payee's bank does with an instant order. */
export interface PayeeBehaviour {
  readonly answer: InstantAnswer;
  /** Milliseconds until it answers; absent if the order ends without an answer at its deadline. */
  readonly afterMs?: number;
}

const rejects = (reasonCode: string): PayeeBehaviour => ({
  answer: { outcome: 'rejected', reasonCode },
  afterMs: 0,
});
export const settlesAtOnce: PayeeBehaviour = { answer: { outcome: 'settled' }, afterMs: 0 };
const settlesSlowly: PayeeBehaviour = { answer: { outcome: 'settled' }, afterMs: 8000 };
const isSilent: PayeeBehaviour = { answer: { outcome: 'rejected', reasonCode: 'AB05' } };

/** The payees of the sandbox whose bank does not simply accept (euro contract, E8.2). */
export const payeeBanks: ReadonlyMap<string, PayeeBehaviour> = new Map([
  ['BG30XSBV92001000000201', rejects('AB08')],
  ['BG03XSBV92001000000202', isSilent],
  ['BG73XSBV92001000000203', rejects('AC04')],
  ['BG46XSBV92001000000204', settlesSlowly],
  ['BG19XSBV92001000000205', rejects('MS03')],
]);

/** The outcomes of instant payments that a TPP can simulate for a PSU (contract E8.4). */
export const simulatedBehaviours = {
  'instant-offline': rejects('AB08'),
  'instant-timeout': isSilent,
  'instant-closed': rejects('AC04'),
  'instant-rejected': rejects('MS03'),
  'instant-slow': settlesSlowly,
} as const satisfies Readonly<Record<string, PayeeBehaviour>>;
