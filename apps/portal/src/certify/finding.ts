import type { Call } from './own-log.js';

/** What the log says about a situation. */
export interface Finding {
  /** `open`: the situation has not occurred. */
  readonly result: 'shown' | 'failed' | 'open';
  /** The X-Request-IDs of the calls, and the ids of the notifications, that show it. */
  readonly requestIds: readonly string[];
  readonly notificationIds: readonly string[];
  /** For a failure: what the application did. */
  readonly seen?: string;
}

export const open: Finding = { result: 'open', requestIds: [], notificationIds: [] };

const idsOf = (calls: readonly Call[]): readonly string[] => [
  ...new Set(calls.map(({ requestId }) => requestId)),
];
export const shownBy = (...calls: readonly Call[]): Finding => ({
  ...open,
  result: 'shown',
  requestIds: idsOf(calls),
});
export const failedBy = (seen: string, ...calls: readonly Call[]): Finding => ({
  ...open,
  result: 'failed',
  seen,
  requestIds: idsOf(calls),
});

/** The newest finding that is not open: what was repeated counts. The findings are those of one situation, oldest first. */
export const newestOf = (findings: readonly Finding[]): Finding =>
  findings.findLast(({ result }) => result !== 'open') ?? open;

/** How long an application has for its next step, in milliseconds. */
export const patienceMs = 60_000;
