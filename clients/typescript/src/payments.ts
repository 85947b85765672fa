import type { Api } from './api.js';
import type { Connection } from './connection.js';
import { unwrap } from './error.js';
import type { components as Euro, paths } from './generated/euro.js';
import type { components as Leva } from './generated/leva.js';

type Member<Schemas, Name> = Name extends keyof Schemas ? Schemas[Name] : never;
type EuroSchemas = Euro['schemas'];
type LevaSchemas = Leva['schemas'];
type ProductOf<Names> = Names extends `Payment.${infer Product}` ? Product : never;

/** A payment product of a bank in euro or, with `-BGN`, of one in leva. */
export type Product = ProductOf<keyof EuroSchemas | keyof LevaSchemas>;
type ByProduct<Kind extends string, P extends Product> =
  | Member<EuroSchemas, `${Kind}.${P}`>
  | Member<LevaSchemas, `${Kind}.${P}`>;

/** The payment services, with the type of what a TPP sends to create one. */
interface Bodies<P extends Product> {
  readonly payments: ByProduct<'Payment', P>;
  readonly 'periodic-payments': EuroSchemas['PeriodicPayment'] | LevaSchemas['PeriodicPayment'];
  readonly 'bulk-payments': ByProduct<'BulkPayment', P>;
}
interface Details {
  readonly payments: EuroSchemas['PaymentDetails'] | LevaSchemas['PaymentDetails'];
  readonly 'periodic-payments': EuroSchemas['PeriodicPaymentDetails'] | LevaSchemas['PeriodicPaymentDetails'];
  readonly 'bulk-payments': EuroSchemas['BulkPaymentDetails'] | LevaSchemas['BulkPaymentDetails'];
}
export type Service = keyof Details;
export type PaymentStatus = EuroSchemas['PaymentStatus'] | EuroSchemas['BulkPaymentStatus'];

/** Identifies a payment at the bank. */
export interface PaymentRef {
  readonly product: Product;
  readonly paymentId: string;
}
export type CreatedPayment = PaymentRef & EuroSchemas['PaymentInitiated'];

export interface CreateOptions {
  /** Names this payment for 24 hours, so that a repeat after a crash returns the same one; random by default. */
  readonly idempotencyKey?: string;
  /** The PSU's own address, if the PSU is present. */
  readonly psuIpAddress?: string;
  /** The PSU who will sign in; no other PSU can. */
  readonly psuId?: string;
  /** The company that owns the accounts. */
  readonly psuCorporateId?: string;
  /** Where the bank's pages send the PSU afterwards; the bank shows its own last page by default. */
  readonly redirectUri?: string;
  readonly nokRedirectUri?: string;
  /** Where the bank reports changes; verify each report with `verifyPush`. */
  readonly notificationUri?: string;
}

/** The headers of the options that were given. */
export const creationHeaders = (options: CreateOptions): Record<string, string> => {
  const { idempotencyKey = crypto.randomUUID(), psuIpAddress, psuId, psuCorporateId } = options;
  const given = {
    'Idempotency-Key': idempotencyKey,
    'PSU-IP-Address': psuIpAddress,
    'PSU-ID': psuId && encodeURI(psuId),
    'PSU-Corporate-ID': psuCorporateId && encodeURI(psuCorporateId),
    'TPP-Redirect-URI': options.redirectUri,
    'TPP-Nok-Redirect-URI': options.nokRedirectUri,
    'TPP-Notification-URI': options.notificationUri,
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
};

/** The statuses on the way to a settled payment, in order. */
const way = ['RCVD', 'PATC', 'ACCP', 'ACSP', 'ACSC'] as const;
type Wanted = (typeof way)[number];
const isWanted = (status: string, wanted: Wanted): boolean =>
  way.indexOf(status as Wanted) >= way.indexOf(wanted);

/** A payment that ended in another way than the one that was waited for. */
export class PaymentEnded extends Error {
  override readonly name = 'PaymentEnded';
  constructor(readonly status: PaymentStatus) {
    super(`the payment is ${status.transactionStatus}`);
  }
}

export interface WaitOptions {
  /** Ends the waiting: `AbortSignal.timeout(60_000)`. */
  readonly signal?: AbortSignal;
}

/** Waits, and rejects with the reason of the signal as soon as it aborts. */
const unlessAborted = async (pause: Promise<void>, signal: AbortSignal | undefined): Promise<void> => {
  if (signal === undefined) return pause;
  const over = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { signal: over.signal });
  });
  try {
    await Promise.race([pause, aborted]);
  } finally {
    over.abort();
  }
};

type AnyPath = '/v1/payments/{payment-product}';
const one = '/v1/payments/{payment-product}/{paymentId}';
type OnePath = typeof one;

/** The payments of one service: single ones, standing orders (`periodic-payments`) or bulks. */
export class Payments<S extends Service> {
  constructor(
    private readonly connection: Connection,
    private readonly api: Api,
    private readonly service: S,
  ) {}

  /**
   * Creates a payment. Send the PSU's browser to `_links.scaRedirect.href` to have it signed. A repeat after 503 or a
   * lost answer has the same idempotency key, so that one payment is made. Throws an `Xs2aError`.
   */
  async create<P extends Product>(
    product: P,
    body: Bodies<P>[S],
    options: CreateOptions = {},
  ): Promise<CreatedPayment> {
    type Post = paths[AnyPath]['post'];
    const path = `/v1/${this.service}/{payment-product}` as AnyPath;
    const created = unwrap(
      await this.api.POST(path, {
        params: { path: { 'payment-product': product as Post['parameters']['path']['payment-product'] } },
        headers: creationHeaders(options),
        body: body as Post['requestBody']['content']['application/json'],
      }),
    );
    return { ...created, product };
  }

  /** The payment as submitted, and its current state. */
  async get(payment: PaymentRef): Promise<Details[S]> {
    const answer = await this.api.GET(this.path(), { params: place(payment) });
    return unwrap(answer) as unknown as Details[S];
  }

  async status(payment: PaymentRef): Promise<PaymentStatus> {
    return unwrap(await this.api.GET(this.path('/status'), { params: place(payment) }));
  }

  /** Cancels the payment, once also if the answer is lost. Throws an `Xs2aError` if it is too late. */
  async cancel(payment: PaymentRef): Promise<void> {
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    unwrap(await this.api.DELETE(this.path(), { params: place(payment), headers }));
  }

  /**
   * Waits until the payment has this status, or a later one on the way to ACSC. Asks after a second, then less often,
   * at least every ten seconds. Throws `PaymentEnded` once it can no longer get there.
   */
  async wait(
    payment: PaymentRef,
    wanted: Wanted = 'ACSC',
    { signal }: WaitOptions = {},
  ): Promise<PaymentStatus> {
    for (let pauseMs = 1000; ; pauseMs = Math.min(pauseMs * 2, 10_000)) {
      signal?.throwIfAborted();
      const status = await this.status(payment);
      if (isWanted(status.transactionStatus, wanted)) return status;
      if (this.hasEnded(status)) throw new PaymentEnded(status);
      await unlessAborted(this.connection.wait(pauseMs), signal);
    }
  }

  /** True if the status is final. A single payment without funds stays ACCP. */
  private hasEnded({ transactionStatus, fundsAvailable }: PaymentStatus): boolean {
    const isUnfunded =
      this.service === 'payments' && transactionStatus === 'ACCP' && fundsAvailable === false;
    return isUnfunded || !way.includes(transactionStatus as Wanted);
  }

  private path<Below extends '' | '/status' = ''>(below?: Below): `${OnePath}${Below}` {
    return one.replace('/payments/', `/${this.service}/`).concat(below ?? '') as `${OnePath}${Below}`;
  }
}

const place = ({ product, paymentId }: PaymentRef) => ({
  path: {
    'payment-product': product as paths[OnePath]['get']['parameters']['path']['payment-product'],
    paymentId,
  },
});
