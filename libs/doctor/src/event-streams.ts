import type {
  ConsumerReport,
  CopyVerification,
  EventStreamReport,
} from '@xs2a/contracts/console/event-stream.contract';
import { durationText } from './durations.js';

/** Milliseconds that an event may wait for a consumer before the consumer is reported as behind. */
const waitsMs = 10_000;

/** Returns the number of events that a consumer has not acknowledged, and the age of the oldest of these events. */
export const readLag = (
  { state }: ConsumerReport,
  nowMs: number,
): { readonly events: number; readonly ms: number } => ({
  events: (state?.pending ?? 0) + (state?.ackPending ?? 0),
  ms: state?.oldestAt === undefined ? 0 : Math.max(0, nowMs - Date.parse(state.oldestAt)),
});

/** Returns the state of a JetStream consumer, and a text for operators that explains a state other than `good`. */
export const describeConsumer = (
  report: ConsumerReport,
  nowMs: number,
): { readonly state: 'missing' | 'behind' | 'good'; readonly text: string } => {
  if (report.state === undefined) return { state: 'missing', text: 'JetStream has no such consumer' };
  const { ms } = readLag(report, nowMs);
  if (ms <= waitsMs) return { state: 'good', text: '' };
  const reader = report.state.isReading ? '' : '; no instance requests events';
  return { state: 'behind', text: `the oldest event has waited for ${durationText(ms)}${reader}` };
};

/**
 * Returns the state of a JetStream stream, and a text for operators that explains a state other than `good`, or how many events are
 * still to be published.
 */
export const describeStream = ({
  head,
  state,
}: Pick<EventStreamReport, 'head' | 'state'>): {
  readonly state: 'lost' | 'incomplete' | 'foreign' | 'good';
  readonly text: string;
} => {
  if (state === undefined) return { state: 'lost', text: 'JetStream has no such stream' };
  if (state.missing > 0) return { state: 'incomplete', text: `${state.missing} messages are missing` };
  if (state.messages > 0 && state.published === undefined)
    return { state: 'foreign', text: 'the last message is not an event, so nothing is published' };
  const left = head - (state.published ?? 0);
  if (left < 0)
    return { state: 'foreign', text: `it ends ${-left} positions after the log, so nothing is published` };
  return { state: 'good', text: left > 0 ? `${left} to be published` : '' };
};

/** Returns, as text for operators, the position up to which a stream was compared with its log, the time and the number of findings. */
export const verifiedText = (verified: CopyVerification | undefined): string => {
  if (verified === undefined) return 'not verified';
  const { upTo, verifiedAt, missing, findings } = verified;
  const problems = [
    ...(findings === 0 ? [] : [`${findings} ${findings === 1 ? 'finding' : 'findings'}`]),
    ...(missing === 0 ? [] : [`${missing} missing`]),
  ];
  const at = `${verifiedAt.slice(0, 19).replace('T', ' ')} UTC`;
  return `${upTo}, ${at}${problems.length === 0 ? '' : `: ${problems.join(', ')}`}`;
};
