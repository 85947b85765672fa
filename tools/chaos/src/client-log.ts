/** What one payment's client was told. */
export interface PaymentRecord {
  readonly key: string;
  readonly debtorIban: string;
  /** Minor units. */
  readonly amount: number;
  readonly creditorIban: string;
  readonly psuId: string;
  paymentId: string;
  authorisationId: string;
  signed: boolean;
  /** `acknowledged`: the cancellation was answered with 204; `refused`: it came too late. */
  cancellation: 'none' | 'acknowledged' | 'refused';
  /** Statuses in the order of the answers, `ACCP-` for one without funds. */
  readonly seen: string[];
}

export interface ConsentRecord {
  readonly key: string;
  readonly consentId: string;
  valid: boolean;
  /** Answered with 200 although no PSU was there; endpoint and account name the counter. */
  readonly unattended: Map<string, number>;
}

/** What one client had to wait for something, in one try or in many. */
export interface LongestWait {
  readonly seconds: number;
  readonly what: string;
  readonly tries: number;
  readonly longestTrySeconds: number;
  /** Why the tries before the last failed, counted. */
  readonly failed: Readonly<Record<string, number>>;
}

/** The clients' own memory of what was acknowledged: what the service must not forget, nor do twice. */
export class ClientLog {
  readonly payments: PaymentRecord[] = [];
  readonly consents: ConsentRecord[] = [];
  /** Answers that the contract does not allow. */
  readonly surprises: string[] = [];
  tokens = 0;
  statusReads = 0;
  /** Requests whose outcome was unknown and that were sent again. */
  retries = 0;
  repeats = 0;
  /** The wait of a client that had to try until it was answered, the longest of all. */
  longest: LongestWait = { seconds: 0, what: '', tries: 0, longestTrySeconds: 0, failed: {} };

  /** Operations that the service acknowledged, by kind. */
  acknowledged(): Readonly<Record<string, number>> {
    const { payments, consents } = this;
    const unattended = consents.flatMap((consent) => [...consent.unattended.values()]);
    return {
      'payments initiated': payments.length,
      'payments signed': payments.filter(({ signed }) => signed).length,
      'payments cancelled': payments.filter(({ cancellation }) => cancellation === 'acknowledged').length,
      'same key, same answer': this.repeats,
      'status reads': this.statusReads,
      'consents created': consents.length,
      'consents authorised': consents.filter(({ valid }) => valid).length,
      'unattended reads': unattended.reduce((sum, count) => sum + count, 0),
      'tokens issued': this.tokens,
    };
  }
}
