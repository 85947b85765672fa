/** The context of every request to a bank. The bank may ignore all of it except the deadline. */
export interface BankCall {
  /** The TPP's X-Request-ID, or a generated one. It also appears in the bank's log. */
  readonly requestId: string;
  /** W3C trace context. */
  readonly traceparent?: string;
  /** The language of texts for the PSU (BCP 47). If absent, the bank's default language is used. */
  readonly language?: string;
  /**
   * The time of the request by this service's clock, which may be ahead of real time in the sandbox. @format
   * date-time
   */
  readonly at: string;
  /** The time after which the caller no longer waits for the response, in milliseconds of `performance.now()`. */
  readonly deadline: number;
}
