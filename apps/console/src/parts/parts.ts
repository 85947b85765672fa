import { Inject, Injectable } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import type { Call } from '@xs2a/contracts/call';
import { calleeOf } from '@xs2a/contracts/services';
import { CallFailed } from '@xs2a/domain/failure/failed';
import type { Logger } from '@xs2a/observability/logger';
import { LOGGER } from '@xs2a/runtime/tokens';

/** What a service answered, or the name of the part that did not answer or answered with an error. */
export type Part<Answer> =
  | { readonly answer: Answer; readonly missing?: undefined }
  | { readonly answer?: undefined; readonly missing: string };

/** Asks other services for the parts of a page, which is shown without those that do not answer. */
@Injectable()
export class Parts {
  constructor(
    private readonly calls: CallClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async ask<Request, Answer>(call: Call<Request, Answer>, request: Request): Promise<Part<Answer>> {
    try {
      return { answer: await this.calls.call(call, request) };
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      const missing = error.failures.find(isDown)?.dependency ?? calleeOf(call.subject);
      this.logger.warn({ error, dependency: missing }, 'a part of a page is missing');
      return { missing };
    }
  }
}

const isDown = ({ failure }: CallFailed['failures'][number]): boolean => failure === 'dependencyDown';
