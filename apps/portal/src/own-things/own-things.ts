/** The parts of the answers about a TPP's own things that the pages show (contract 13). */
export interface OwnTpp {
  readonly clientId: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly redirectUris: readonly string[];
  readonly tokenEndpointAuthMethod: string;
  readonly status: string;
  /** Its public keys (RFC 7517). */
  readonly jwks?: { readonly keys: readonly PublicKey[] };
}
export interface PublicKey {
  readonly kid?: string;
  readonly kty?: string;
  readonly crv?: string;
  readonly alg?: string;
  readonly use?: string;
}
export interface OwnPsu {
  readonly psuId: string;
  readonly name: string;
  readonly corporateId?: string;
  readonly accounts: readonly {
    readonly iban: string;
    readonly currency: string;
    readonly status: string;
    readonly balance: string;
  }[];
}
export interface OwnPayment {
  readonly paymentId: string;
  readonly paymentService: string;
  readonly paymentProduct: string;
  readonly transactionStatus: string;
  readonly amount: { readonly amount: string; readonly currency: string };
  readonly createdAt: string;
  readonly dueAt?: string;
  /** False for a payment in ACCP that ended because the account did not cover it. */
  readonly fundsAvailable?: boolean;
  readonly _links: { readonly self: { readonly href: string } };
}
export interface TimelineEvent {
  readonly time: string;
  readonly type: string;
  readonly status?: string;
  readonly number?: number;
  readonly executionDate?: string;
  readonly dueAt?: string;
  readonly reason?: string;
  readonly reasonCode?: string;
}
export interface OwnConsent {
  readonly consentId: string;
  readonly consentStatus: string;
  readonly validUntil: string;
  readonly recurringIndicator: boolean;
  readonly accounts: number;
}

/** A page of a list of the API. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  /** The cursor of the next page. */
  readonly next?: string;
}
