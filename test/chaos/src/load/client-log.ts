/** From one moment to another, of `performance.now`. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** When the answered request was sent, and when the answer arrived. */
export type Asked = Period;

/** A status in one answer; `ACCP-` means ACCP with fundsAvailable=false, which is final. */
export interface SeenStatus {
  readonly status: string;
  readonly asked: Asked;
}

/** The answers that a client got about one payment. */
export interface PaymentRecord {
  readonly key: string;
  /** Its payment service and product; absent: a single domestic payment. */
  readonly path?: string;
  readonly debtorIban: string;
  /** Minor units. */
  readonly amount: number;
  readonly creditorIban: string;
  readonly psuId: string;
  /** False: its changes are not pushed. */
  readonly isPushed?: boolean;
  paymentId: string;
  authorisationId: string;
  /** When its creation was acknowledged. */
  created: Asked;
  signed?: Asked;
  /** Answered with 204; absent: not requested, or too late. */
  cancelled?: Asked;
  /** The statuses in the order of the answers. */
  seen: SeenStatus[];
}

/** The answers that a client got about one signing basket. */
export interface BasketRecord extends Pick<
  PaymentRecord,
  'key' | 'psuId' | 'authorisationId' | 'created' | 'seen'
> {
  readonly basketId: string;
  readonly payments: readonly PaymentRecord[];
  readonly consents: readonly ConsentRecord[];
  signed?: Asked;
  /** Answered with 204; absent: not requested, or too late. */
  cancelled?: Asked;
}

export interface ConsentRecord {
  readonly key: string;
  readonly consentId: string;
  readonly created: Asked;
  authorised?: Asked;
  /** Answered with 200 without a PSU; endpoint and account name the counter. */
  readonly unattended: Map<string, Asked[]>;
}

/** The time for which a client waited for an answer, over one or more tries. */
export interface MaxWait {
  readonly seconds: number;
  readonly what: string;
  readonly tries: number;
  readonly maxTrySeconds: number;
  /** Why the tries before the last failed, counted. */
  readonly failed: Readonly<Record<string, number>>;
}

const overlap = (one: Period, other: Period): boolean => one.from <= other.to && one.to >= other.from;

/** The clients' record of acknowledgements: what the service must neither lose nor do twice. */
export class ClientLog {
  readonly payments: PaymentRecord[] = [];
  /** Periodic orders and bulk payments. */
  readonly ordersAndBulks: PaymentRecord[] = [];
  readonly consents: ConsentRecord[] = [];
  readonly baskets: BasketRecord[] = [];
  /** Refused POSTs of baskets, each as a sentence with its payments. */
  readonly refusedBaskets: string[] = [];
  /** Answers that the contract does not allow. */
  readonly surprises: string[] = [];
  tokens = 0;
  statusReads = 0;
  /** Requests whose outcome was unknown and that were sent again. */
  retries = 0;
  repeats = 0;
  /** Requests about a single item of a basket that were refused with RESOURCE_BLOCKED. */
  blocked = 0;
  /** The longest wait of a client, over all its tries. */
  maxWait: MaxWait = { seconds: 0, what: '', tries: 0, maxTrySeconds: 0, failed: {} };
  private readonly undone: Period[] = [];

  /** Records that a database went back: it may not have what was acknowledged in that period. */
  wentBack(period: Period): void {
    this.undone.push(period);
  }

  /** True if a database that went back may have lost what was acknowledged then. */
  mayBeUndone(asked: Asked): boolean {
    return this.undone.some((period) => overlap(asked, period));
  }

  /** True if it was acknowledged, and no database that went back can have lost it. */
  isCertain(asked: Asked | undefined): boolean {
    return asked !== undefined && !this.mayBeUndone(asked);
  }

  /** True if the service must have it: at least one acknowledgement of it cannot have been lost. */
  mustBeKnown(record: PaymentRecord | BasketRecord | ConsentRecord): boolean {
    const answers =
      'seen' in record
        ? [record.signed, record.cancelled, ...record.seen.map(({ asked }) => asked)]
        : [record.authorised, ...[...record.unattended.values()].flat()];
    return [record.created, ...answers].some((asked) => this.isCertain(asked));
  }

  /**
   * The answers that each database in turn should have: the one before the first time that a database went back, then its
   * replacement, which lacks the lost answers, and so on.
   */
  histories<Fact>(facts: readonly Fact[], asked: (fact: Fact) => Asked): Fact[][] {
    const ends = [...this.undone.map(({ to }) => to), Number.POSITIVE_INFINITY];
    return ends.map((end, index) => {
      const earlier = this.undone.slice(0, index);
      return facts.filter(
        (fact) => asked(fact).to <= end && !earlier.some((period) => overlap(asked(fact), period)),
      );
    });
  }

  /** Acknowledged operations by kind. */
  acknowledged(): Readonly<Record<string, number>> {
    return {
      ...this.operations(() => true),
      'items of baskets refused alone': this.blocked,
      'same key, same answer': this.repeats,
      'status reads': this.statusReads,
      'tokens issued': this.tokens,
    };
  }

  /** Acknowledged operations that a database that went back may have lost, by kind. */
  uncertain(): Readonly<Record<string, number>> {
    return this.operations((asked) => this.mayBeUndone(asked));
  }

  get timesGoneBack(): number {
    return this.undone.length;
  }

  private operations(counts: (asked: Asked) => boolean): Readonly<Record<string, number>> {
    const { payments, ordersAndBulks, consents, baskets } = this;
    const count = (all: readonly (Asked | undefined)[]): number =>
      all.filter((asked) => asked !== undefined && counts(asked)).length;
    return {
      'payments initiated': count(payments.map(({ created }) => created)),
      'payments signed': count(payments.map(({ signed }) => signed)),
      'payments cancelled': count(payments.map(({ cancelled }) => cancelled)),
      'orders and bulk payments initiated': count(ordersAndBulks.map(({ created }) => created)),
      'orders and bulk payments signed': count(ordersAndBulks.map(({ signed }) => signed)),
      'orders and bulk payments cancelled': count(ordersAndBulks.map(({ cancelled }) => cancelled)),
      'baskets created': count(baskets.map(({ created }) => created)),
      'baskets signed': count(baskets.map(({ signed }) => signed)),
      'baskets dissolved': count(baskets.map(({ cancelled }) => cancelled)),
      'consents created': count(consents.map(({ created }) => created)),
      'consents authorised': count(consents.map(({ authorised }) => authorised)),
      'unattended reads': count(consents.flatMap(({ unattended }) => [...unattended.values()].flat())),
    };
  }
}
