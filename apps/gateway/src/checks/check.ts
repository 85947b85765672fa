import type { CallClient } from '@xs2a/calls/client';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { ReceiverRules } from '@xs2a/runtime/receivers/notification-receivers';
import type { FastifyRequest } from 'fastify';
import type { EdgeFindings } from '../edge/edge-request.js';
import type { TokenRule } from '../endpoint-rules.js';
import type { CertificateCheck } from './certificate/certificate-check.js';
import type { Caller } from './token/access-token.strategy.js';

/** The parts of the gateway that checks read. */
export interface CheckSources {
  readonly profile: Pick<Profile, 'products' | 'offers'>;
  readonly sandbox: boolean;
  /** Where notifications may be sent. */
  readonly receivers: ReceiverRules;
  readonly certificates: Pick<CertificateCheck, 'failure'>;
  readonly revocations: { readonly isLoaded: boolean; isRevoked(grantId: string): boolean };
  readonly callClient: Pick<CallClient, 'call'>;
  /** Finds the caller by the access token and sets `request.caller` ({@link AccessTokenStrategy}). Rejects with CallFailed. */
  readonly authenticate: (request: FastifyRequest) => Promise<void>;
}

/** A request to an endpoint of `endpoint-rules.ts`, as each check receives it. */
export interface CheckedCall {
  readonly request: FastifyRequest;
  /** The results of the checks before this one. */
  readonly edge: EdgeFindings;
  readonly sources: CheckSources;
}

/** A check of one thing. It throws or rejects with CallFailed, and that is the answer. */
export type Check = (call: CheckedCall) => void | Promise<void>;

/** A check of the caller against what the endpoint asks of access tokens. */
export type CallerCheck = (caller: Caller, rule: TokenRule, call: CheckedCall) => void | Promise<void>;
