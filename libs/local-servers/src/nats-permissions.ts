/** Who may say and hear what over NATS; the same table makes the sandbox's and the deployment's configuration. */
export interface NatsRights {
  /** `svc.<handles>.>` is answered by this account. */
  readonly handles?: string;
  /** Subjects of the calls it makes. */
  readonly calls: readonly string[];
  /** Key-value buckets it follows. Everybody follows the sandbox clock. */
  readonly reads?: readonly string[];
  /** Key-value buckets it writes. */
  readonly writes?: readonly string[];
  /** The resource whose events it publishes, and the stream they are kept in. */
  readonly publishes?: { readonly resource: string; readonly stream: string };
  /** The stream whose events it works off with a durable consumer. */
  readonly consumes?: { readonly resource: string; readonly stream: string };
}

export const natsAccounts = {
  gateway: {
    calls: [
      'svc.payments.initiate',
      'svc.payments.read',
      'svc.payments.read-status',
      'svc.payments.read-authorisations',
      'svc.payments.start-authorisation',
      'svc.payments.cancel',
      'svc.payments.clear',
      'svc.payments.expire-due',
      'svc.payments.published',
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
      'svc.accounts.kept-pages',
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
      'svc.payments.list-signed',
      'svc.bank.deliver-otp',
    ],
    writes: ['TPPS', 'REVOCATIONS'],
  },
  payments: {
    handles: 'payments',
    calls: ['svc.accounts.facts', 'svc.accounts.corporate'],
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
    calls: ['svc.accounts.holds.*', 'svc.payments.settlement.*', 'svc.payments.logged-events'],
    consumes: { resource: 'payments', stream: 'PAYMENTS' },
  },
} as const satisfies Readonly<Record<string, NatsRights>>;

/** The bank's operator: sees and does everything (`nats sub 'xs2a.>'`). */
export const operatorAccount = 'operator';
/** A core bank outside our services (`CORE_BANK=nats`): answers what it is asked, and does nothing else. */
export const bankAccount = 'bank';
export type NatsAccount = keyof typeof natsAccounts | typeof bankAccount | typeof operatorAccount;
export const natsAccountNames = [...Object.keys(natsAccounts), bankAccount, operatorAccount] as NatsAccount[];

interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

const everybodyReads = ['CLOCK'];

const readingBucket = (bucket: string): string[] => [
  `$JS.API.STREAM.INFO.KV_${bucket}`,
  // Whoever comes first makes the bucket; making one that is there changes nothing.
  `$JS.API.STREAM.CREATE.KV_${bucket}`,
  `$JS.API.STREAM.MSG.GET.KV_${bucket}`,
];
const keysOfBucket = (bucket: string): string => `$KV.${bucket}.>`;
const writingBucket = (bucket: string): string[] => [
  keysOfBucket(bucket),
  `$JS.API.STREAM.PURGE.KV_${bucket}`,
];
const publishingEvents = ({ resource, stream }: { resource: string; stream: string }): string[] => [
  `xs2a.${resource}.>`,
  `doorbell.${resource}`,
  `$JS.API.STREAM.*.${stream}`,
  `$JS.API.STREAM.MSG.GET.${stream}`,
  `$JS.API.DIRECT.GET.${stream}`,
  `$JS.API.DIRECT.GET.${stream}.>`,
];
const consumingEvents = ({ stream }: { stream: string }): string[] => [
  `$JS.API.STREAM.INFO.${stream}`,
  `$JS.API.STREAM.MSG.GET.${stream}`,
  `$JS.API.CONSUMER.*.${stream}`,
  `$JS.API.CONSUMER.*.${stream}.>`,
  `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.>`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.>`,
  `$JS.ACK.${stream}.>`,
];

/**
 * What an account may publish and subscribe to. Answers go to the asker's own inbox, which no other account may
 * subscribe to; answering needs no right of its own (`allow_responses`). That a long call is worked on is said beside that inbox.
 */
export const permissionsOf = (account: Exclude<NatsAccount, typeof operatorAccount>): Permissions => {
  if (account === bankAccount) return { publish: [], subscribe: ['svc.bank.>'] };
  const rights: NatsRights = natsAccounts[account];
  const writes = rights.writes ?? [];
  const follows = [...everybodyReads, ...(rights.reads ?? [])];
  const buckets = [...new Set([...follows, ...writes])];
  return {
    publish: [
      ...rights.calls,
      ...(rights.handles ? ['sign._INBOX.>'] : []),
      '$JS.API.INFO',
      ...buckets.flatMap(readingBucket),
      ...writes.flatMap(writingBucket),
      ...(rights.publishes ? publishingEvents(rights.publishes) : []),
      ...(rights.consumes ? consumingEvents(rights.consumes) : []),
    ],
    subscribe: [
      ...(rights.handles ? [`svc.${rights.handles}.>`] : []),
      `_INBOX.${account}.>`,
      `sign._INBOX.${account}.>`,
      ...[rights.publishes, rights.consumes].flatMap((events) =>
        events ? [`doorbell.${events.resource}`] : [],
      ),
      ...follows.map(keysOfBucket),
    ],
  };
};

const list = (subjects: readonly string[], indent: string): string =>
  `[\n${subjects.map((subject) => `${indent}  ${JSON.stringify(subject)}`).join('\n')}\n${indent}]`;

const userBlock = (account: Exclude<NatsAccount, typeof operatorAccount>, password: string): string => {
  const { publish, subscribe } = permissionsOf(account);
  return `    {
      user: ${account}, password: ${password}
      permissions: {
        publish: ${list(publish, '        ')}
        subscribe: ${list(subscribe, '        ')}
        allow_responses: { max: 1, expires: "30s" }
      }
    }`;
};

/**
 * The operator's other name, with the same password, in nats-server's own account: asks the servers themselves (how full
 * is JetStream?), and sees nothing that services say.
 */
export const systemUser = 'system';

/** Who may come in, as nats-server's configuration says it; `passwordOf` answers a quoted text or a `$VARIABLE`. */
export const natsAuthorization = (passwordOf: (account: NatsAccount) => string): string =>
  [
    'authorization {',
    '  users: [',
    `    { user: ${operatorAccount}, password: ${passwordOf(operatorAccount)} }`,
    ...natsAccountNames
      .filter((account) => account !== operatorAccount)
      .map((account) => userBlock(account, passwordOf(account))),
    '  ]',
    '}',
    'accounts {',
    `  $SYS { users: [{ user: ${systemUser}, password: ${passwordOf(operatorAccount)} }] }`,
    '}',
  ].join('\n');

/** The variable of a deployment's nats-server that holds an account's password. */
export const natsPasswordVariable = (account: NatsAccount): string =>
  `NATS_PASSWORD_${account.toUpperCase().replaceAll('-', '_')}`;

/** deploy/nats/nats-server.conf: passwords come from the environment. */
export const deploymentConfiguration =
  (): string => `# Made from libs/local-servers/src/nats-permissions.ts; a test compares the two.
# Works with nats-server 2.9.10 and newer. Passwords: NATS_PASSWORD_<ACCOUNT> in the server's environment.
server_name: xs2a
port: 4222
http_port: 8222
max_payload: 2MB
max_connections: 2000
write_deadline: "10s"
jetstream {
  store_dir: "/data"
  max_memory_store: 256MB
  max_file_store: 100GB
}
${natsAuthorization((account) => `$${natsPasswordVariable(account)}`)}
`;
