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
import {
  allowedAfter,
  toFailures,
  isAborted,
  isFrameworkRefusal,
  noRouteFor,
  type Offer,
} from './framework-errors.js';

const ofKey: Partial<Record<FailureName, (header: string) => string>> = {
  idempotencyKeyReused: (header) =>
    `${header} was used for an earlier request with a different body. Send a new value with a new request.`,
  firstAttemptUnderWay: (header) =>
    `The first request with this ${header} is still in progress. Send it again after the delay in Retry-After.`,
};

/** If the failure is a reused key, adds the name of the header that contained the key to the text (contract 2). */
const namingKeyHeader = (failure: Failure, request: FastifyRequest): Failure => {
  const text = ofKey[failure.failure];
  return text === undefined ? failure : { ...failure, text: text(keyHeader(request)) };
};

/** Converts every error, from this code or from the framework, to the standard format of contract 3. */
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
    // The request is not for an endpoint of `endpoint-rules.ts`: its path or method is wrong, whichever error
    // the framework found first.
    else if (request.edge === undefined && isFrameworkRefusal(error)) this.refuseRoute(request, reply);
    else this.refuseCall(error, request, reply);
  }

  private refuseCall(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const failures = toFailures(error, this.logger);
    const allow = allowedAfter(failures, request, this.offer);
    if (allow !== undefined) reply.header('allow', allow);
    refuse(
      reply,
      failures.map((failure) => namingKeyHeader(failure, request)),
    );
  }

  private get offer(): Offer {
    return { sandbox: this.config.SANDBOX, profile: this.profile };
  }

  private refuseRoute(request: FastifyRequest, reply: FastifyReply): void {
    if (isAuthPath(request.url)) return answerNoRoute(request, reply);
    const { failure, allow } = noRouteFor(request, this.offer);
    if (allow !== undefined) reply.header('allow', allow);
    if (failure === undefined) reply.code(204).send();
    else refuse(reply, [failure]);
  }
}
