import { type EventConsumer, eventConsumers } from '@xs2a/contracts/event-consumers';

/**
 * The rights of a service over NATS; the same table makes the sandbox's and the deployment's configuration
 * (docs/adr/0027). There are two NATS accounts, and nothing crosses between them: CALLS, where services call each other and
 * there is no JetStream, and STREAMS, with the event streams and key-value buckets. A service has a user in each, with one
 * password: `payments` and `payments-streams`.
 */
export interface NatsRights {
  /** `svc.<handles>.>` is answered by this service. */
  readonly handles?: string;
  /** Subjects of the calls it makes. */
  readonly calls: readonly string[];
  /** Key-value buckets it follows. All follow the sandbox clock. */
  readonly reads?: readonly string[];
  /** Key-value buckets it writes. */
  readonly writes?: readonly string[];
  /** The resource whose events it publishes, and the stream they are kept in. */
  readonly publishes?: { readonly resource: string; readonly stream: string };
  /** The durable consumer that it reads. */
  readonly consumes?: EventConsumer;
}

export const natsRights = {
  gateway: {
    calls: [
      'svc.payments.initiate',
      'svc.payments.read',
      'svc.payments.read-status',
      'svc.payments.read-authorisations',
      'svc.payments.start-authorisation',
      'svc.payments.cancel',
      'svc.payments.baskets.*',
      'svc.payments.clear',
      'svc.payments.expire-due',
      'svc.consents.create',
      'svc.consents.list',
      'svc.consents.read',
      'svc.consents.read-status',
      'svc.consents.read-authorisations',
      'svc.consents.start-authorisation',
      'svc.consents.terminate',
      'svc.consents.access.*',
      'svc.consents.expire-due',
      'svc.consents.record-calls',
      'svc.accounts.list',
      'svc.accounts.read',
      'svc.accounts.read-balances',
      'svc.accounts.transactions',
      'svc.accounts.transaction',
      'svc.accounts.sandbox.*',
      'svc.auth.sandbox.*',
      'svc.auth.introspect-token',
      'svc.auth.present',
      'svc.funds-confirmation.confirm',
      'svc.settlement.drain',
    ],
    reads: ['TPPS', 'REVOCATIONS'],
    writes: ['DPOP_PROOFS'],
  },
  auth: {
    handles: 'auth',
    calls: [
      'svc.accounts.authenticate-psu',
      'svc.consents.authorisation.*',
      'svc.consents.list-of-psu',
      'svc.consents.revoke',
      'svc.payments.authorisation.*',
      'svc.payments.basket-authorisation.*',
      'svc.payments.list-signed',
      'svc.bank.deliver-otp',
    ],
    writes: ['TPPS', 'REVOCATIONS'],
  },
  payments: {
    handles: 'payments',
    calls: ['svc.accounts.facts', 'svc.accounts.corporate', 'svc.consents.baskets.*'],
    publishes: { resource: 'payments', stream: 'PAYMENTS' },
  },
  consents: {
    handles: 'consents',
    calls: ['svc.accounts.of-psu', 'svc.accounts.corporate', 'svc.accounts.facts'],
    publishes: { resource: 'consents', stream: 'CONSENTS' },
  },
  accounts: {
    handles: 'accounts',
    calls: [
      'svc.consents.access.*',
      'svc.bank.accounts.*',
      'svc.bank.funds.covers',
      'svc.bank.holds.*',
      'svc.bank.psus.*',
    ],
    writes: ['CLOCK'],
  },
  'funds-confirmation': {
    handles: 'funds-confirmation',
    calls: ['svc.accounts.check-funds'],
  },
  'settlement-worker': {
    handles: 'settlement',
    calls: ['svc.accounts.holds.*', 'svc.payments.settlement.*'],
    consumes: eventConsumers.settlement,
  },
  notifications: {
    calls: [
      'svc.payments.notifications.read',
      'svc.consents.notifications.read',
      'svc.auth.sign-notifications',
    ],
  },
} as const satisfies Readonly<Record<string, NatsRights>>;

/**
 * The bank's operator: registers TPPs in CALLS, and may do everything in STREAMS, which is to watch events and to manage
 * JetStream. May not hear or make the calls of services, which carry passwords and codes.
 */
export const operatorUser = 'operator';
const operatorCalls = ['svc.auth.operator.*'];
/** The migration job: makes streams, their durable consumers and buckets, reads and writes nothing in them. In STREAMS alone. */
export const migrationUser = 'migration';
/** A core bank outside our services (`CORE_BANK=nats`): answers what it is asked, and does nothing else. In CALLS alone. */
export const bankUser = 'bank';
/** The operator's name in nats-server's own account $SYS: asks the servers how full JetStream is, and sees no message. */
export const systemUser = 'system';

export type NatsService = keyof typeof natsRights;
/** The names that have a password of their own. */
export type NatsUser = NatsService | typeof bankUser | typeof migrationUser | typeof operatorUser;
const services = Object.keys(natsRights) as NatsService[];
export const natsUsers: readonly NatsUser[] = [...services, bankUser, migrationUser, operatorUser];
export const callUsers = [...services, bankUser, operatorUser] as const;
export const streamUsers = [...services, migrationUser, operatorUser] as const;
export type CallUser = (typeof callUsers)[number];
export type StreamUser = (typeof streamUsers)[number];

/** The name of a user in the account STREAMS. */
export const streamNameOf = (user: StreamUser): string => `${user}-streams`;

/** Subjects, as patterns: what is not here is refused. */
export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/**
 * To send a call that nobody works on to another instance (docs/adr/0042): who may make a call may ask the instances of its
 * service about it, and may make it at one of them. The core bank is no service of ours and is not asked.
 */
const tryingAgain = (calls: readonly string[]): string[] => {
  const ofServices = calls.filter((subject) => !subject.startsWith('svc.bank.'));
  return [
    ...new Set(ofServices.map((subject) => `inquiry.${subject.split('.')[1] ?? ''}`)),
    ...ofServices.map((subject) => `instance.*.${subject}`),
  ];
};
const beingTried = (handles: string): string[] => [`inquiry.${handles}`, `instance.*.svc.${handles}.>`];

/**
 * The rights of a user in CALLS. Answers go to the asker's own inbox, which no other user may subscribe to; answering needs
 * no right of its own (`allow_responses`). That a long call is worked on is said beside that inbox.
 */
export const callPermissions = (user: CallUser): Permissions => {
  const inboxes = [`_INBOX.${user}.>`, `sign._INBOX.${user}.>`];
  if (user === bankUser) return { publish: [], subscribe: ['svc.bank.>'] };
  if (user === operatorUser)
    return { publish: [...operatorCalls, ...tryingAgain(operatorCalls)], subscribe: inboxes };
  const { calls, handles }: NatsRights = natsRights[user];
  const publish = [...calls, ...tryingAgain(calls)];
  return handles === undefined
    ? { publish, subscribe: inboxes }
    : {
        publish: [...publish, 'sign._INBOX.>'],
        subscribe: [`svc.${handles}.>`, ...beingTried(handles), ...inboxes],
      };
};

const everybodyReads = ['CLOCK'];
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
];
const consumingEvents = ({ stream, durable }: EventConsumer): string[] => [
  `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
  `$JS.ACK.${stream}.${durable}.>`,
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

/** The rights of a user in STREAMS; undefined: everything. No service may manage JetStream. */
export const streamPermissions = (user: StreamUser): Permissions | undefined => {
  if (user === operatorUser) return undefined;
  const inbox = `_INBOX.${streamNameOf(user)}.>`;
  if (user === migrationUser) return { publish: makingAssets, subscribe: [inbox] };
  const { reads = [], writes = [], publishes, consumes }: NatsRights = natsRights[user];
  const follows = [...everybodyReads, ...reads];
  const buckets = [...new Set([...follows, ...writes])];
  return {
    publish: [
      '$JS.API.INFO',
      ...buckets.flatMap(readingBucket),
      ...writes.map(keysOfBucket),
      ...(publishes ? publishingEvents(publishes) : []),
      ...(consumes ? consumingEvents(consumes) : []),
    ],
    subscribe: [
      inbox,
      ...(publishes ? [`appended.${publishes.resource}`] : []),
      ...follows.map(keysOfBucket),
    ],
  };
};

const list = (subjects: readonly string[], indent: string): string =>
  subjects.length === 0
    ? '[]'
    : `[\n${subjects.map((subject) => `${indent}  ${JSON.stringify(subject)}`).join('\n')}\n${indent}]`;

const userBlock = (name: string, password: string, rights: Permissions | undefined, more = ''): string => {
  if (rights === undefined) return `      { user: ${name}, password: ${password} }`;
  return `      {
        user: ${name}, password: ${password}
        permissions: {
          publish: ${list(rights.publish, '          ')}
          subscribe: ${list(rights.subscribe, '          ')}${more}
        }
      }`;
};

/** Services that handle calls and the core bank answer; the gateway and the operator only ask. */
const answers = (user: CallUser): boolean =>
  user === bankUser || (user !== operatorUser && 'handles' in natsRights[user]);
const answering = '\n          allow_responses: { max: 1, expires: "30s" }';

/**
 * The `accounts { … }` block of nats-server's configuration; `passwordOf` answers a quoted text or a `$VARIABLE`. There is
 * no `authorization { users }` block beside it: with one, nats-server up to 2.9.22, 2.10.0 and 2.10.1 let anybody in
 * without credentials (CVE-2023-47090).
 */
export const natsConfiguration = (passwordOf: (user: NatsUser) => string): string =>
  [
    'accounts {',
    '  CALLS {',
    '    users: [',
    ...callUsers.map((user) =>
      userBlock(user, passwordOf(user), callPermissions(user), answers(user) ? answering : ''),
    ),
    '    ]',
    '  }',
    '  STREAMS {',
    '    jetstream: enabled',
    '    users: [',
    ...streamUsers.map((user) => userBlock(streamNameOf(user), passwordOf(user), streamPermissions(user))),
    '    ]',
    '  }',
    `  $SYS { users: [{ user: ${systemUser}, password: ${passwordOf(operatorUser)} }] }`,
    '}',
  ].join('\n');

/**
 * When nats-server gives up a client that says nothing: between six and eight seconds after its last word, instead of four to
 * six minutes. Until then calls are still delivered to an instance that is frozen or cut off. A process whose event loop
 * stands still for less than six seconds, as it may on a busy machine of two cores, keeps its connection.
 */
export const deadClients = `ping_interval: "2s"
ping_max: 3`;

/** The variable of a deployment's nats-server that holds a user's password. */
export const natsPasswordVariable = (user: NatsUser): string =>
  `NATS_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`;

/** deploy/nats/nats-server.conf: passwords come from the environment. */
export const deploymentConfiguration =
  (): string => `# Made from libs/local-servers/src/nats-permissions.ts; a test compares the two.
# Outside a sandbox: nats-server 2.9.23, 2.10.2 or newer (CVE-2023-47090), and a block tls { cert_file, key_file }: services
# do not start without encryption (docs/how-to/deploy-nats.md). Passwords: NATS_PASSWORD_<USER> in the server's environment.
server_name: xs2a
port: 4222
http_port: 8222
max_payload: 2MB
max_connections: 2000
write_deadline: "10s"
${deadClients}
jetstream {
  store_dir: "/data"
  max_memory_store: 512MB
  max_file_store: 100GB
}
${natsConfiguration((user) => `$${natsPasswordVariable(user)}`)}
`;
