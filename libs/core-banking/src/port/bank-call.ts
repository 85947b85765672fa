/** The context of every request to a bank. The bank may ignore everything but the deadline. */
export interface BankCall {
  /** The TPP's X-Request-ID, or one generated for it; the bank's log contains it too. */
  readonly requestId: string;
  /** W3C trace context. */
  readonly traceparent?: string;
  /** The language of texts for the PSU (BCP 47). Absent: the bank's default language. */
  readonly language?: string;
  /** The time of the request by this service's clock, which runs ahead in the sandbox. @format date-time */
  readonly at: string;
  /** The time after which nobody waits for the response, in milliseconds of `performance.now()`. */
  readonly deadline: number;
}
