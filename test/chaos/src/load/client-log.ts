/** The time between two points, both measured with `performance.now`. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** The times at which the request was sent and its response arrived. */
export type Asked = Period;

/** A status in a response. `ACCP-` is ACCP with fundsAvailable=false, which is final. */
export interface SeenStatus {
  readonly status: string;
  readonly asked: Asked;
}

/** The responses that a client received about one payment. */
export interface PaymentRecord {
  readonly key: string;
  /** Its payment service and product. If absent, it is a single domestic payment. */
  readonly path?: string;
  readonly debtorIban: string;
  /** Minor units. */
  readonly amount: number;
  readonly creditorIban: string;
  readonly psuId: string;
  /** False if its changes are not pushed. */
  readonly isPushed?: boolean;
  paymentId: string;
  authorisationId: string;
  /** The times at which its creation was requested and acknowledged. */
  created: Asked;
  signed?: Asked;
  /** The times of its DELETE that was answered with 204. Absent if the DELETE was not sent or came too late. */
  cancelled?: Asked;
  /** The statuses in the order of the responses. */
  seen: SeenStatus[];
}

/** The responses that a client received about one signing basket. */
export interface BasketRecord extends Pick<
  PaymentRecord,
  'key' | 'psuId' | 'authorisationId' | 'created' | 'seen'
> {
  readonly basketId: string;
  readonly payments: readonly PaymentRecord[];
  readonly consents: readonly ConsentRecord[];
  signed?: Asked;
  /** The times of its DELETE that was answered with 204. Absent if the DELETE was not sent or came too late. */
  cancelled?: Asked;
}

export interface ConsentRecord {
  readonly key: string;
  readonly consentId: string;
  readonly created: Asked;
  authorised?: Asked;
  /** Calls without a PSU that were answered with 200, by the endpoint and account for which they are counted. */
  readonly unattended: Map<string, Asked[]>;
}

/** The longest time that a client waited for a response, over one or more attempts. */
export interface MaxWait {
  readonly seconds: number;
  readonly what: string;
  readonly tries: number;
  readonly maxTrySeconds: number;
  /** The reasons why earlier attempts failed, with the number of times that each occurred. */
  readonly failed: Readonly<Record<string, number>>;
}

const overlap = (one: Period, other: Period): boolean => one.from <= other.to && one.to >= other.from;

/** The acknowledgements that clients received. The service must neither lose nor repeat what it acknowledged. */
export class ClientLog {
  readonly payments: PaymentRecord[] = [];
  /** Periodic orders and bulk payments. */
  readonly ordersAndBulks: PaymentRecord[] = [];
  /** Instant payments and bulk payments of them. */
  readonly instants: PaymentRecord[] = [];
  readonly consents: ConsentRecord[] = [];
  readonly baskets: BasketRecord[] = [];
  /** Refused POSTs of baskets, each described in a sentence with its payments. */
  readonly refusedBaskets: string[] = [];
  /** Sentences about responses that the contract does not allow. */
  readonly surprises: string[] = [];
  tokens = 0;
  statusReads = 0;
  /** The number of requests that were retried because their outcome was unknown. */
  retries = 0;
  repeats = 0;
  /** The number of requests about a single basket item that were refused with RESOURCE_BLOCKED. */
  blocked = 0;
  /** The longest wait of any client, over all attempts of a request. */
  maxWait: MaxWait = { seconds: 0, what: '', tries: 0, maxTrySeconds: 0, failed: {} };
  private readonly undone: Period[] = [];

  /**
   * Records that a database was restored to an earlier state and may lack everything acknowledged in the given
   * period.
   */
  wentBack(period: Period): void {
    this.undone.push(period);
  }

  /** True if a database restored to an earlier state may have lost what the response acknowledged. */
  mayBeUndone(asked: Asked): boolean {
    return this.undone.some((period) => overlap(asked, period));
  }

  /** True if the request was acknowledged and no restored database can have lost it. */
  isCertain(asked: Asked | undefined): boolean {
    return asked !== undefined && !this.mayBeUndone(asked);
  }

  /** True if the service must know the resource, because at least one acknowledgement of it cannot have been lost. */
  mustBeKnown(record: PaymentRecord | BasketRecord | ConsentRecord): boolean {
    const answers =
      'seen' in record
        ? [record.signed, record.cancelled, ...record.seen.map(({ asked }) => asked)]
        : [record.authorised, ...[...record.unattended.values()].flat()];
    return [record.created, ...answers].some((asked) => this.isCertain(asked));
  }

  /**
   * Returns, for each database in turn, the facts that it should contain: first for the original database, then
   * for its replacement, which lacks the lost facts, and so on.
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

  /** Returns the number of acknowledged operations by kind. */
  acknowledged(): Readonly<Record<string, number>> {
    return {
      ...this.operations(() => true),
      'items of baskets refused alone': this.blocked,
      'same key, same answer': this.repeats,
      'status reads': this.statusReads,
      'tokens issued': this.tokens,
    };
  }

  /** Returns the number of acknowledged operations that a restored database may have lost, by kind. */
  uncertain(): Readonly<Record<string, number>> {
    return this.operations((asked) => this.mayBeUndone(asked));
  }

  get timesGoneBack(): number {
    return this.undone.length;
  }

  private operations(counts: (asked: Asked) => boolean): Readonly<Record<string, number>> {
    const { payments, ordersAndBulks, instants, consents, baskets } = this;
    const count = (all: readonly (Asked | undefined)[]): number =>
      all.filter((asked) => asked !== undefined && counts(asked)).length;
    return {
      'payments initiated': count(payments.map(({ created }) => created)),
      'payments signed': count(payments.map(({ signed }) => signed)),
      'payments cancelled': count(payments.map(({ cancelled }) => cancelled)),
      'orders and bulk payments initiated': count(ordersAndBulks.map(({ created }) => created)),
      'orders and bulk payments signed': count(ordersAndBulks.map(({ signed }) => signed)),
      'orders and bulk payments cancelled': count(ordersAndBulks.map(({ cancelled }) => cancelled)),
      'instant payments initiated': count(instants.map(({ created }) => created)),
      'instant payments signed': count(instants.map(({ signed }) => signed)),
      'baskets created': count(baskets.map(({ created }) => created)),
      'baskets signed': count(baskets.map(({ signed }) => signed)),
      'baskets dissolved': count(baskets.map(({ cancelled }) => cancelled)),
      'consents created': count(consents.map(({ created }) => created)),
      'consents authorised': count(consents.map(({ authorised }) => authorised)),
      'unattended reads': count(consents.flatMap(({ unattended }) => [...unattended.values()].flat())),
    };
  }
}
