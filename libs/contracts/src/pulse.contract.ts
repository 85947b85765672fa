import type { ServiceName } from './services.js';

/** Milliseconds of real time between two pulses of a process. */
export const pulseEveryMs = 2000;

/**
 * What processes count for the last five minutes. `sca-passed`, `sca-failed`: sign-ins and codes that were right or wrong;
 * `sca-locks`: locks of PSUs after five failures in a row.
 */
export type RecentName = 'sca-passed' | 'sca-failed' | 'sca-locks';

/** How a process shut down: by a signal that it obeyed. */
export interface ProcessEnd {
  readonly signal: string;
}

/** For a callee that left calls unanswered: milliseconds before the pulse at which a reply was last missing, and last received. */
export interface LastReplies {
  readonly missingMs: number;
  /** Absent if none has been received since the first one was missing. */
  readonly receivedMs?: number | undefined;
}

/**
 * The state of one process, published on core NATS every two seconds of real time. It contains no personal data.
 */
export interface Pulse {
  readonly service: ServiceName;
  /** The id of the process, new at each start. @format uuid */
  readonly instance: string;
  readonly host: string;
  readonly pid: number;
  /** The version of the release. */
  readonly version: string;
  /** @format date-time */
  readonly startedAt: string;
  /** When this pulse was sent. @format date-time */
  readonly at: string;
  readonly isReady: boolean;
  /** The name of the profile that holds in the process; absent in pulses of an earlier release. */
  readonly profile?: string;
  /** The result of each readiness check: `ok`, or what is wrong. */
  readonly checks: Readonly<Record<string, string>>;
  /** Warnings: the process works, but is behind. */
  readonly degraded: readonly string[];
  /** Resident memory in bytes. */
  readonly memoryBytes: number;
  /** The 99th percentile of the event loop's delay since the previous pulse, in milliseconds. */
  readonly eventLoopP99Ms: number;
  /** The connections of the database pool and the statements that wait for one; absent without a database. */
  readonly pool?: { readonly open: number; readonly waiting: number };
  /** The calls of the last minute that received no reply, for each callee that has any. */
  readonly unanswered: Readonly<Record<string, number>>;
  /** For the same callees, whether they answer again; absent in pulses of an earlier release. */
  readonly lastReplies?: Readonly<Record<string, LastReplies>>;
  /** What happened in the last five minutes of real time, by name; absent in pulses of an earlier release. */
  readonly recent?: Readonly<Partial<Record<RecentName, number>>>;
  /** Present only in the last pulse of a process that ends in an orderly way. */
  readonly ended?: ProcessEnd;
}

/** The subject of the pulses of one process. */
export const pulseSubject = ({ service, instance }: Pick<Pulse, 'service' | 'instance'>): string =>
  `pulse.${service}.${instance}`;
/** The pulses of all processes. */
export const allPulses = 'pulse.>';
