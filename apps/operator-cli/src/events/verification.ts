import type { EventResource } from '@xs2a/contracts/published-event';
import type { Anchor } from '@xs2a/event-store/verification/log-anchor';
import { type Finding, type Verification, verifyStreams } from '@xs2a/event-store/verification/verify-events';
import type { Connections } from '../connections.js';
import { resourceNames } from './tail.js';
import { describeLost, type LostEvents, lostEvents } from './lost-events.js';
import { counted, type Output } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';

/** An anchor that an operator kept elsewhere. */
export interface TrustedAnchor extends Anchor {
  readonly resource: EventResource;
}

/** Reads `payments:1234:<64 hex digits>`; throws {@link Refusal}. */
export const readAnchor = (text: string): TrustedAnchor => {
  const [, name, pos, hash] = /^([a-z]+):(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  const resource = resourceNames.find((one) => one === name);
  if (resource === undefined || pos === undefined || hash === undefined) {
    throw new Refusal('An anchor looks like payments:1234:<64 hex digits>, as `events verify` prints it.', 2);
  }
  return { resource, pos: Number(pos), hash };
};

/** Verifies the events of each resource, says what is found, and answers how much that is. */
export const verifyEvents = async (
  connections: Connections,
  output: Output,
  chosen: readonly EventResource[],
  trusted: readonly TrustedAnchor[],
  signal: AbortSignal,
): Promise<number> => {
  const nats = await connections.nats();
  let found = 0;
  for (const resource of chosen) {
    const begun = performance.now();
    const verification = await verifyStreams(connections.pool(resource), {
      resource,
      nats,
      trusted: trusted.filter((anchor) => anchor.resource === resource),
      signal,
      onProgress: ({ events: done, total }) => {
        const perSecond = (done * 1000) / (performance.now() - begun);
        output.progress({ done, total, perSecond, secondsLeft: (total - done) / perSecond });
      },
    });
    output.progressEnds();
    found += verification.findingsInAll;
    const lost = await lostEvents(connections.pool(resource), { nats, resource });
    output.show({ resource, ...verification, lost }, renderText(resource, verification, lost));
  }
  return found;
};

const renderText = (
  resource: EventResource,
  verification: Verification,
  lost: readonly LostEvents[],
): string => {
  const { events, streams, copies, missing = 0, findings, findingsInAll, anchor } = verification;
  const compared =
    copies === undefined
      ? ''
      : `, published: ${copies}${copies < events ? ', the latest' : ''}${missing > 0 ? `, ${missing} missing in between` : ''}`;
  return [
    `${findingsInAll === 0 ? '✓' : '✗'} ${resource}: ${counted(events, 'event')} in ${counted(streams, 'stream')}${compared}: ${
      findingsInAll === 0 ? 'as they were appended' : counted(findingsInAll, 'finding')
    }`,
    ...findings.map((finding) => `  ${findingText(finding)}`),
    ...(findingsInAll > findings.length ? [`  … and ${findingsInAll - findings.length} more`] : []),
    ...lost.map((gap) => `  note: ${describeLost(gap)}`),
    `  anchor: ${resource}:${anchor.pos}:${anchor.hash}`,
  ].join('\n');
};

const findingText = ({ kind, streamId, version, pos, text }: Finding): string =>
  [
    kind.padEnd(9),
    ...(streamId === undefined ? [] : [`stream ${streamId}`]),
    ...(version === undefined ? [] : [`version ${version}`]),
    ...(pos === undefined ? [] : [`position ${pos}`]),
    text,
  ].join('  ');
