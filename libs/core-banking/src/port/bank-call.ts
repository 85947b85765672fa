/** What comes with every question to a bank. The bank may ignore any of it but the deadline. */
export interface BankCall {
  /** The TPP's X-Request-ID, or the one made for it: the bank's log names it too. */
  readonly requestId: string;
  /** W3C trace context. */
  readonly traceparent?: string;
  /** BCP 47, of texts meant for the PSU; absent: the bank's own. */
  readonly language?: string;
  /** When it is asked by this service's clock, which runs ahead in the sandbox. @format date-time */
  readonly at: string;
  /** Milliseconds of `performance.now()`: afterwards nobody waits for the answer. */
  readonly deadline: number;
}
