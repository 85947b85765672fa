import type { FastifyRequest } from 'fastify';
import type { Role } from './roles.js';

/** A member of the bank's staff who has signed in. */
export interface Staff {
  /** The `sub` claim: the identity provider's id of the person. */
  readonly subject: string;
  /** The name that pages and recorded actions show. */
  readonly name: string;
  readonly roles: readonly Role[];
}

declare module 'fastify' {
  interface PassportUser extends Staff {}
  interface Session {
    /** The path to which a person returns after signing in. */
    returnTo?: string;
    /** The token that every form of the session contains. */
    csrf?: string;
  }
}

/** Returns the person who sends a request; undefined if nobody is signed in. */
export const staffOf = (request: FastifyRequest): Staff | undefined => request.user ?? undefined;
