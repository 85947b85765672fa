import type { CallClient } from '@xs2a/calls/client';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { ReceiverRules } from '@xs2a/runtime/receivers/notification-receivers';
import type { Clock } from '@xs2a/runtime/clock';
import type { FastifyRequest } from 'fastify';
import type { PlannedFaults } from '../planned-faults/planned-faults.js';
import type { EdgeFindings } from '../edge/edge-request.js';
import type { TokenRule } from '../endpoint-rules.js';
import type { CertificateCheck } from './certificate/certificate-check.js';
import type { Caller, Callers } from './token/callers.js';

/** The gateway components that checks use. */
export interface CheckSources {
  readonly profile: Pick<Profile, 'products' | 'offers' | 'standard' | 'payeeVerification'>;
  readonly sandbox: boolean;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** True if nobody may move the sandbox's clock. */
  readonly clockIsFixed: boolean;
  /** The rules for the addresses to which notifications may be sent. */
  readonly receivers: ReceiverRules;
  readonly certificates: Pick<CertificateCheck, 'failure'>;
  readonly revocations: { readonly isLoaded: boolean; isRevoked(grantId: string): boolean };
  readonly callClient: Pick<CallClient, 'call'>;
  readonly callers: Pick<Callers, 'identify' | 'firstIssued'>;
  /**
   * Returns the number of seconds until this address may register another TPP; undefined if a registration may proceed.
   */
  readonly secondsToWaitForRegistration: (request: FastifyRequest) => number | undefined;
  /** Only in a sandbox. */
  readonly faults?: Pick<PlannedFaults, 'take'>;
}

/** A request to an endpoint of `endpoint-rules.ts`, as passed to each check. */
export interface CheckedCall {
  readonly request: FastifyRequest;
  /** The results of the previous checks. */
  readonly edge: EdgeFindings;
  readonly sources: CheckSources;
}

/** A single check. It throws or rejects with a CallFailed, which is returned to the client. */
export type Check = (call: CheckedCall) => void | Promise<void>;

/** A check of the caller against the endpoint's rule for tokens. */
export type CallerCheck = (caller: Caller, rule: TokenRule, call: CheckedCall) => void | Promise<void>;
