import { type Permissions, callPermissions, streamPermissions, systemPermissions } from './permissions.js';
import {
  bankUser,
  type CallUser,
  callUsers,
  natsRights,
  type NatsUser,
  operatorUser,
  toStreamName,
  streamUsers,
  systemUser,
} from './rights.js';

const list = (subjects: readonly string[], indent: string): string =>
  subjects.length === 0
    ? '[]'
    : `[\n${subjects.map((subject) => `${indent}  ${JSON.stringify(subject)}`).join('\n')}\n${indent}]`;

/** To nats-server an empty list means everything, unless the user may respond. */
const published = (subjects: readonly string[], mayRespond: boolean): string =>
  subjects.length === 0 && !mayRespond ? '{ deny: ">" }' : list(subjects, '          ');

const userBlock = (name: string, password: string, rights: Permissions | undefined, more = ''): string => {
  if (rights === undefined) return `      { user: ${name}, password: ${password} }`;
  return `      {
        user: ${name}, password: ${password}
        permissions: {
          publish: ${published(rights.publish, more !== '')}
          subscribe: ${list(rights.subscribe, '          ')}${more}
        }
      }`;
};

/**
 * True for users that reply to calls: services that handle calls, and the core bank. The gateway and the operator
 * only make calls.
 */
const answers = (user: CallUser): boolean =>
  user === bankUser || (user !== operatorUser && 'handles' in natsRights[user]);
const answering = '\n          allow_responses: { max: 1, expires: "30s" }';

/**
 * Returns the `accounts { … }` block of nats-server's configuration. `passwordFor` must return a quoted string or
 * a `$VARIABLE`. There is deliberately no `authorization { users }` block: with one, nats-server up to 2.9.22,
 * 2.10.0 and 2.10.1 accepted clients without credentials (CVE-2023-47090).
 */
export const natsConfiguration = (passwordFor: (user: NatsUser) => string): string =>
  [
    'accounts {',
    '  CALLS {',
    '    users: [',
    ...callUsers.map((user) =>
      userBlock(user, passwordFor(user), callPermissions(user), answers(user) ? answering : ''),
    ),
    '    ]',
    '  }',
    '  STREAMS {',
    '    jetstream: enabled',
    '    users: [',
    ...streamUsers.map((user) => userBlock(toStreamName(user), passwordFor(user), streamPermissions(user))),
    '    ]',
    '  }',
    '  $SYS {',
    '    users: [',
    userBlock(systemUser, passwordFor(operatorUser), systemPermissions),
    '    ]',
    '  }',
    '}',
  ].join('\n');

/**
 * Makes nats-server drop a silent client six to eight seconds after its last message, instead of after four to six
 * minutes. Until it is dropped, a frozen or disconnected instance still receives calls. A process whose event loop
 * is blocked for less than six seconds, as on a busy machine with two cores, keeps its connection.
 */
export const deadClients = `ping_interval: "2s"
ping_max: 3`;

/** Returns the name of the environment variable that contains a user's password, for a deployment's nats-server. */
export const natsPasswordVariable = (user: NatsUser): string =>
  `NATS_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`;

/** The content of deploy/nats/nats-server.conf; the passwords come from the environment. */
export const deploymentConfiguration =
  (): string => `# Made from libs/nats/src/permissions/rights.ts; a test compares the two.
# Outside a sandbox: nats-server 2.10.27 or newer, better 2.12.7 or 2.14 (CVE-2025-30215 and later ones), and a block
# tls { cert_file, key_file }: services do not start without encryption (docs/how-to/deploy-nats.md). Passwords: NATS_PASSWORD_<USER>
# in the server's environment.
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

/**
 * Returns the content of k8s/components/nats/accounts.conf: only the accounts block, which the configuration of
 * the NATS Helm chart includes.
 */
export const deploymentAccounts = (): string =>
  [
    '# Made from libs/nats/src/permissions/rights.ts; a test compares the two. Passwords: NATS_PASSWORD_<USER> in the environment.',
    natsConfiguration((user) => `$${natsPasswordVariable(user)}`),
    '',
  ].join('\n');
