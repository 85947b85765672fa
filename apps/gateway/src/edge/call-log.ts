import type { Logger } from '@xs2a/observability/logger';

/** The log contains this of a request, and nothing else: paths, queries, headers and bodies may hold personal data. */
export interface LoggedCall {
  readonly requestId: string;
  /** The TPP that the access token names, also when the call was refused. */
  readonly tppId?: string;
  readonly method: string;
  /** The route's pattern, without the ids of a path, or an OAuth path; `unknown`: no route has this path. */
  readonly endpoint: string;
  readonly status: number;
  /** The code of a refusal in the error form of the API (contract 3). */
  readonly code?: string;
  readonly ms: number;
}

/** Writes one line for each request, answered or refused. */
export class CallLog {
  private readonly logger: Logger;

  constructor(logger: Logger) {
    // No member here can hold a secret, and searching each line for them costs half of its time.
    this.logger = logger.child({}, { redact: [] });
  }

  write({ requestId, tppId, method, endpoint, status, code, ms }: LoggedCall): void {
    const tenthsOfMs = Math.round(ms * 10);
    this.logger.info({ requestId, tpp: tppId, method, endpoint, status, code, ms: tenthsOfMs / 10 }, 'call');
  }
}
