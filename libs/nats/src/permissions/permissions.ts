import { type EventConsumer, eventConsumers } from '@xs2a/contracts/event-consumers';
import { allPulses, pulseSubject } from '@xs2a/contracts/pulse.contract';
import {
  bankCalls,
  bankUser,
  type CallUser,
  migrationUser,
  type NatsRights,
  natsRights,
  operatorCalls,
  operatorUser,
  storageQuestion,
  type StreamUser,
  systemUser,
  toStreamName,
} from './rights.js';

/** The subject patterns that are allowed; everything else is denied. */
export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/**
 * Subjects for the second attempt of a call (docs/adr/0024). A user that may make a call may also ask all
 * instances of the service about it and repeat it at one of them. An external core bank does not receive these
 * queries.
 */
const secondTries = (calls: readonly string[]): string[] => {
  const ofServices = calls.filter((subject) => !subject.startsWith('svc.bank.'));
  return [
    ...new Set(ofServices.map((subject) => `inquiry.${subject.split('.')[1] ?? ''}`)),
    ...ofServices.map((subject) => `instance.*.${subject}`),
  ];
};
/** The same subjects, for the service that handles them. */
const inquiriesAndSecondTries = (handles: string): string[] => [
  `inquiry.${handles}`,
  `instance.*.svc.${handles}.>`,
];

/**
 * Returns a user's permissions in CALLS. Replies go to the caller's inbox, which no other user may subscribe to;
 * replying needs no separate permission (`allow_responses`). The heartbeats of long calls use a subject next to
 * that inbox.
 */
export const callPermissions = (user: CallUser): Permissions => {
  const inboxes = [`_INBOX.${user}.>`, `heartbeat._INBOX.${user}.>`];
  if (user === bankUser) return { publish: bankCalls, subscribe: ['svc.bank.>', ...inboxes] };
  if (user === operatorUser)
    return {
      publish: [...operatorCalls, ...secondTries(operatorCalls)],
      subscribe: [...inboxes, allPulses],
    };
  const { calls, handles, hearsPulses }: NatsRights = natsRights[user];
  const publish = [...calls, ...secondTries(calls), pulseSubject({ service: user, instance: '*' })];
  const subscribe = hearsPulses === true ? [...inboxes, allPulses] : inboxes;
  return handles === undefined
    ? { publish, subscribe }
    : {
        publish: [...publish, 'heartbeat._INBOX.>'],
        subscribe: [`svc.${handles}.>`, ...inquiriesAndSecondTries(handles), ...subscribe],
      };
};

const everybodyReads = ['CLOCK', 'PROFILE'];
const readingBucket = (bucket: string): string[] => [
  `$JS.API.STREAM.INFO.KV_${bucket}`,
  `$JS.API.STREAM.MSG.GET.KV_${bucket}`,
];
const keysOfBucket = (bucket: string): string => `$KV.${bucket}.>`;
const publishingEvents = ({ resource, stream }: { resource: string; stream: string }): string[] => [
  `xs2a.${resource}.>`,
  `appended.${resource}`,
  `$JS.API.STREAM.INFO.${stream}`,
  `$JS.API.STREAM.MSG.GET.${stream}`,
  ...Object.values(eventConsumers)
    .filter((consumer) => consumer.stream === stream)
    .map(({ durable }) => `$JS.API.CONSUMER.INFO.${stream}.${durable}`),
];
const consumingEvents = ({ stream, durable }: EventConsumer): string[] => [
  `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
  `$JS.ACK.${stream}.${durable}.>`,
];
const keepingMessages = ({ subjects, stream }: { subjects: string; stream: string }): string[] => [
  subjects,
  `$JS.API.DIRECT.GET.${stream}`,
];
const makingAssets = [
  '$JS.API.INFO',
  ...['INFO', 'CREATE', 'UPDATE'].map((call) => `$JS.API.STREAM.${call}.*`),
  ...Object.values(eventConsumers).flatMap(({ stream, durable, filter }) => [
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}.${filter}`,
    `$JS.API.CONSUMER.DELETE.${stream}.${durable}`,
  ]),
];

/** Returns a user's permissions in STREAMS; undefined means unrestricted. No service may manage JetStream. */
export const streamPermissions = (user: StreamUser): Permissions | undefined => {
  if (user === operatorUser) return undefined;
  const inbox = `_INBOX.${toStreamName(user)}.>`;
  if (user === migrationUser) return { publish: makingAssets, subscribe: [inbox] };
  const { reads = [], writes = [], publishes, consumes, keeps }: NatsRights = natsRights[user];
  const follows = [...everybodyReads, ...reads];
  const buckets = [...new Set([...follows, ...writes])];
  return {
    publish: [
      '$JS.API.INFO',
      ...buckets.flatMap(readingBucket),
      ...writes.map(keysOfBucket),
      ...(publishes ? publishingEvents(publishes) : []),
      ...(consumes ? consumingEvents(consumes) : []),
      ...(keeps ? keepingMessages(keeps) : []),
    ],
    subscribe: [
      inbox,
      ...(publishes ? [`appended.${publishes.resource}`] : []),
      ...follows.map(keysOfBucket),
    ],
  };
};

/**
 * The permissions of the user in nats-server's account $SYS. Without restrictions, this user could erase the
 * streams of every account and shut down servers. With them, it can only query JetStream usage and receive the
 * replies.
 */
export const systemPermissions: Permissions = {
  publish: [storageQuestion],
  subscribe: [`_INBOX.${systemUser}.>`],
};
