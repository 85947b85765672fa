import { resources } from '@xs2a/resources/resources';
import type { EventResource } from '@xs2a/contracts/event-streams';
import type { Anchor } from '@xs2a/event-store/verification/log-anchor';
import { recordCopyVerification } from '@xs2a/event-store/verification/copy-verification';
import { type Finding, type Verification, verifyStreams } from '@xs2a/event-store/verification/verify-events';
import { defineCommand } from '../command-line/define-command.js';
import { repeated } from '../command-line/options.js';
import { chosenResources, resourceNames } from './resource-option.js';
import { describeLost, type LostEvents, lostEvents } from './lost-events.js';
import { counted } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';

/** An anchor that an operator has stored outside the system. */
interface TrustedAnchor extends Anchor {
  readonly resource: EventResource;
}

/** Parses `payments:1234:<64 hex digits>`. Throws {@link Refusal} if the text has another format. */
const readAnchor = (text: string): TrustedAnchor => {
  const [, name, pos, hash] = /^([a-z]+):(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  const resource = resourceNames.find((one) => one === name);
  if (resource === undefined || pos === undefined || hash === undefined)
    throw new Refusal('An anchor looks like payments:1234:<64 hex digits>, as `events verify` prints it.', 2);
  return { resource, pos: Number(pos), hash };
};

interface Verified extends Verification {
  readonly resource: EventResource;
  readonly lost: readonly LostEvents[];
}

const renderText = (verified: Verified): string => {
  const { resource, lost, events, streams, copies, missing = 0, findings, findingsInAll, anchor } = verified;
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

/** The `--trust` option: anchors that an operator has stored outside the system. */
export const trustOption = (help: string) =>
  repeated<TrustedAnchor>('<anchor>', `${help}; may be repeated`, readAnchor).or([]);

export const verify = defineCommand({
  name: 'verify',
  help: 'finds events that were changed, deleted, swapped, inserted or cut off',
  options: {
    resource: chosenResources('only events of this resource (default: both)'),
    trust: trustOption('an anchor that an earlier run printed and you kept elsewhere'),
  },
  run: async function* ({ connections, output, options, interrupted }) {
    const signal = interrupted();
    const nats = await connections.nats();
    for (const resource of options.resource) {
      const pool = connections.pool(resource);
      const showProgress = output.measure();
      const verification = await verifyStreams(pool, {
        resource: resources[resource],
        nats,
        trusted: options.trust.filter((anchor) => anchor.resource === resource),
        signal,
        onProgress: ({ events, total }) => showProgress(events, total),
      });
      yield { resource, ...verification, lost: await lostEvents(pool, { nats, resource }) };
      try {
        await recordCopyVerification(pool, verification);
      } catch (error) {
        output.warn(
          `The result for ${resource} was not stored, so the console does not show it: ${error instanceof Error ? error.message : error}`,
        );
      }
    }
  },
  text: renderText,
  failed: ({ findingsInAll }) => findingsInAll > 0,
});
