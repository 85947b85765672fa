import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Staff } from '../staff/staff.js';
import { staffOf } from '../staff/staff.js';
import { SignInNeeded } from '../staff/sign-in-needed.js';

/** A request of a person who is signed in. */
export interface Visit {
  readonly staff: Staff;
  readonly csrf: string;
  readonly path: string;
  /** The path with its query. */
  readonly address: string;
}

const readVisit = (request: FastifyRequest): Visit => {
  const staff = staffOf(request);
  if (staff === undefined) throw new SignInNeeded();
  const { url: address } = request;
  return { staff, csrf: request.session.csrf ?? '', path: address.split('?', 1)[0] ?? '/', address };
};

/** Injects the {@link Visit} into a handler of a page. */
export const ThisVisit = createParamDecorator((_: unknown, context: ExecutionContext) =>
  readVisit(context.switchToHttp().getRequest<FastifyRequest>()),
);
