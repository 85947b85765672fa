/** The context of every question to a bank. The bank may ignore all of it but the deadline. */
export interface BankCall {
  /** The TPP's X-Request-ID, or the one made for it: the bank's log names it too. */
  readonly requestId: string;
  /** W3C trace context. */
  readonly traceparent?: string;
  /** The language of texts for the PSU (BCP 47); the bank's own when it is absent. */
  readonly language?: string;
  /** The moment of the question by this service's clock, which runs ahead in the sandbox. @format date-time */
  readonly at: string;
  /** The moment after which nobody waits for the answer, in milliseconds of `performance.now()`. */
  readonly deadline: number;
}
