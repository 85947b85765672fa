export const languages = ['bg', 'en'] as const;
export type Language = (typeof languages)[number];

/** The event that is shown above the next page, once. */
export type Notice =
  | 'connected'
  | 'connect-again'
  | 'disconnected'
  | 'not-connected'
  | 'refused'
  | 'not-ours'
  | 'funds-allowed'
  | 'out-of-date'
  | 'amount-wrong'
  | 'away';

/** Where a payment stands, as a person understands it. */
export type PaymentPlace =
  | 'unsigned'
  | 'accepted'
  | 'unfunded'
  | 'executing'
  | 'done'
  | 'rejected'
  | 'cancelled'
  | 'unknown';

export interface Catalogue {
  readonly languageName: string;
  readonly languages: string;
  readonly places: string;
  readonly notice: Readonly<Record<Notice, string>>;
  readonly home: {
    readonly title: string;
    readonly lead: string;
    readonly connectTitle: string;
    readonly connectText: string;
    readonly psuId: string;
    readonly connect: string;
    readonly connectedText: string;
    readonly disconnect: string;
  };
  readonly accounts: {
    readonly title: string;
    readonly balance: string;
    readonly movements: string;
    readonly movementsOf: string;
    readonly none: string;
    readonly waiting: string;
    readonly back: string;
    readonly connectFirst: string;
  };
  readonly funds: {
    readonly title: string;
    readonly lead: string;
    readonly allowText: string;
    readonly allow: string;
    readonly amount: string;
    readonly ask: string;
    readonly yes: (amount: string) => string;
    readonly no: (amount: string) => string;
    readonly notTaken: string;
  };
  readonly pay: {
    readonly title: string;
    readonly lead: string;
    readonly from: string;
    readonly payee: string;
    readonly payeeAccount: string;
    readonly amount: string;
    readonly reason: string;
    readonly submit: string;
    readonly refused: string;
  };
  readonly payment: {
    readonly title: string;
    readonly notSigned: string;
    readonly state: string;
    readonly to: string;
    readonly amount: string;
    readonly again: string;
    readonly another: string;
    readonly place: Readonly<Record<PaymentPlace, string>>;
  };
  readonly notFound: { readonly title: string; readonly text: string };
}
