import type { Logger } from '@xs2a/observability/logger';

/**
 * The only details of a request that are logged, because paths, queries, headers and bodies may contain personal
 * data.
 */
export interface LoggedCall {
  readonly requestId: string;
  readonly traceId?: string;
  /** The TPP named in the access token, even if the call was refused. */
  readonly tppId?: string;
  readonly method: string;
  /** The route pattern without the ids in the path, or an OAuth path; `unknown` if no route matches. */
  readonly endpoint: string;
  readonly status: number;
  /** The error code of a refusal in the API's error format (contract 3). */
  readonly code?: string;
  /** The part that did not answer ({@link Failure.dependency}). */
  readonly dependency?: string;
  readonly ms: number;
}

/** Writes one log line per request, whether it was served or refused. */
export class CallLog {
  private readonly logger: Logger;

  constructor(logger: Logger) {
    // No member here can contain a secret, and searching each line for secrets would take half of the time
    // spent on logging.
    this.logger = logger.child({}, { redact: [] });
  }

  /** A failure on the bank's side is a warning, so that a log can be searched for the part that did not answer. */
  write({ tppId: tpp, traceId: trace_id, ms, ...call }: LoggedCall): void {
    const line = { ...call, trace_id, tpp, ms: Math.round(ms * 10) / 10 };
    if (call.status >= 500) this.logger.warn(line, 'call');
    else this.logger.info(line, 'call');
  }
}
