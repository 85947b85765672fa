import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { Failure, FailureName } from '@xs2a/domain/failure/failures';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { Logger } from '@xs2a/observability/logger';
import type { ServiceParts } from '@xs2a/runtime/service-parts';
import { CONFIG, LOGGER, PROFILE } from '@xs2a/runtime/tokens';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerNoRoute, isAuthPath } from '../oauth-proxy/auth-answers.js';
import { refuse } from './edge-adapter.js';
import { keyHeader } from './edge-request.js';
import { toFailures, isAborted, isFrameworkRefusal, noRouteFor } from './framework-errors.js';

const ofKey: Partial<Record<FailureName, (header: string) => string>> = {
  idempotencyKeyReused: (header) =>
    `${header} was used for an earlier request with a different body. Send a new value with a new request.`,
  firstAttemptUnderWay: (header) =>
    `The first request with this ${header} is still in progress. Send it again after the delay in Retry-After.`,
};

/** If a reused key caused the failure, its text names the header that carried the key (contract 2). */
const namingKeyHeader = (failure: Failure, request: FastifyRequest): Failure => {
  const text = ofKey[failure.failure];
  return text === undefined ? failure : { ...failure, text: text(keyHeader(request)) };
};

/** Converts every error, from this code or the framework, to the standard format of contract 3. */
@Catch()
export class FailuresFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(PROFILE) private readonly profile: Profile,
    @Inject(CONFIG) private readonly config: ServiceParts['config'],
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (isAborted(request)) reply.hijack();
    // Not an endpoint of `endpoint-rules.ts`: the path or the method is wrong, whatever error the framework
    // hit first.
    else if (request.edge === undefined && isFrameworkRefusal(error)) this.refuseRoute(request, reply);
    else
      refuse(
        reply,
        toFailures(error, this.logger).map((failure) => namingKeyHeader(failure, request)),
      );
  }

  private refuseRoute(request: FastifyRequest, reply: FastifyReply): void {
    if (isAuthPath(request.url)) return answerNoRoute(request, reply);
    const { failure, allow } = noRouteFor(request, {
      sandbox: this.config.SANDBOX,
      offered: this.profile.products,
    });
    if (allow !== undefined) reply.header('allow', allow);
    if (failure === undefined) reply.code(204).send();
    else refuse(reply, [failure]);
  }
}
