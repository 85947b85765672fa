import { InvalidArgumentError } from 'commander';
import { rotateSecret, tppRoles, type TppRecord } from '@xs2a/contracts/auth.contract';
import { type PspRole, pspRoleNames } from '@xs2a/qwac/psp-roles';
import { recorded } from '../actions/recorded.js';
import { askAuth } from '../ask-service.js';
import { defineCommand, group } from '../command-line/define-command.js';
import { argument, countUpTo, option, repeated } from '../command-line/options.js';
import { table } from '../command-line/output.js';
import { recordOptions } from '../privacy/person-options.js';
import { writeMutualTlsFiles } from './mutual-tls-files.js';
import { allTpps, makeCertificate, registerTpp, setStatus, tppWithGrants } from './tpps.js';

const rolesIn = (text: string): readonly PspRole[] => {
  const roles = text.split(',');
  const known = pspRoleNames.filter((role) => roles.includes(role));
  if (known.length !== roles.length)
    throw new InvalidArgumentError(`It must be a list of ${pspRoleNames.join(',')}.`);
  return known;
};

const clientId = argument('as shown by `tpp list`');

const list = defineCommand({
  name: 'list',
  help: 'all TPPs, oldest first',
  run: async ({ connections }) => allTpps(connections),
  text: (tpps) =>
    table(tpps, {
      'client id': (tpp) => tpp.clientId,
      status: ({ status }) => status,
      roles: ({ roles }) => roles.join(' '),
      organizationIdentifier: ({ organizationIdentifier }) => organizationIdentifier,
      'authenticates by': ({ authMethod }) => authMethod,
      registered: ({ registeredAt }) => registeredAt,
      name: ({ name }) => name,
    }),
});

const show = defineCommand({
  name: 'show',
  help: 'one TPP',
  options: { clientId },
  run: async ({ connections, options }) => tppWithGrants(connections, options.clientId),
  text: (tpp) =>
    [
      `client id               ${tpp.clientId}`,
      `name                    ${tpp.name}`,
      `status                  ${tpp.status}`,
      `roles                   ${tpp.roles.join(' ')}`,
      `organizationIdentifier  ${tpp.organizationIdentifier ?? 'none: no certificate is accepted as its own'}`,
      `authenticates by        ${tpp.authMethod}${tpp.keys === 0 ? '' : ` (${tpp.keys} public keys)`}`,
      `redirect URIs           ${tpp.redirectUris.join('\n                        ')}`,
      `registered              ${tpp.registeredAt}`,
      `valid tokens            ${tpp.tokensFrom === undefined ? 'all that have not expired' : `only those issued from ${new Date(tpp.tokensFrom * 1000).toISOString()} on`}`,
      `grants of PSUs          ${tpp.grants.PSP_AI} for account information (PSP_AI), ${tpp.grants.PSP_IC} for funds confirmation (PSP_IC)`,
    ].join('\n'),
});

const add = defineCommand({
  name: 'add',
  help: 'registers a TPP and shows its client id and, only once, its secret',
  options: {
    name: option('<name>', 'name that PSUs see').required(),
    redirectUri: repeated('<uri>', 'https; may be repeated').required(),
    role: repeated('<role>', `${tppRoles.join(', ')}; may be repeated`).required(),
    organizationIdentifier: option('<id>', 'identifier in its QWAC, such as PSDBG-BNB-12345'),
    certificate: option('<file>', 'its QWAC (PEM): validated; the identifier is read from it'),
    jwks: option('<file>', 'its public keys, for private_key_jwt'),
    authMethod: option('<method>', 'authentication method at the token endpoint').or('client_secret_basic'),
  },
  run: async ({ connections, options }) => registerTpp(connections, options),
  text: ({ clientId: id, clientSecret }) =>
    `client id  ${id}${clientSecret === undefined ? '' : `\nsecret     ${clientSecret}`}`,
});

const statusCommand = (name: 'block' | 'unblock', status: TppRecord['status'], help: string) =>
  defineCommand({
    name,
    help,
    options: { clientId, ...recordOptions },
    run: async ({ connections, options: { clientId: target, reason, operator } }) =>
      recorded(connections, { act: `${name}-tpp`, target, reason, operator }, async () => {
        const result = await setStatus(connections, target, status);
        return { result, outcome: `${result.name} is ${result.status}.` };
      }),
    text: (tpp) => `✓ ${tpp.clientId} (${tpp.name}) is ${tpp.status}`,
  });

const rotate = defineCommand({
  name: 'rotate-secret',
  help: 'gives a TPP a new client secret and shows it only once; the old one ends at once',
  options: { clientId, ...recordOptions },
  run: async ({ connections, options: { clientId: target, reason, operator } }) =>
    recorded(connections, { act: 'rotate-secret', target, reason, operator }, async () => {
      const { clientSecret } = await askAuth(connections, rotateSecret, { clientId: target });
      return { result: { clientId: target, clientSecret }, outcome: 'The TPP has a new secret.' };
    }),
  text: ({ clientSecret }) => `secret     ${clientSecret}`,
});

const certificate = defineCommand({
  name: 'certificate',
  help: 'sandbox: creates a key and a QWAC issued by the test authority',
  options: {
    name: argument('name of the TPP and of the files'),
    roles: option('<list>', `of ${pspRoleNames.join(',')}`, rolesIn).or(tppRoles),
    organizationIdentifier: option('<id>', 'identifier in the certificate').or('PSDBG-BNB-12345'),
    days: option('<count>', 'days of validity', countUpTo(9999)).or(90),
  },
  run: async ({ connections, options: { name, ...options } }) => makeCertificate(connections, name, options),
  text: (files) =>
    [
      `certificate  ${files.certificate}`,
      `private key  ${files.privateKey}`,
      `authority    ${files.authority}`,
    ].join('\n'),
});

const mutualTls = defineCommand({
  name: 'mutual-tls',
  help: 'sandbox: creates the missing files that a TLS proxy and a TPP need to try mutual TLS',
  options: {
    folder: option('<folder>', 'folder for the files').required(),
    host: repeated('<name>', 'host name of the proxy; may be repeated (default: 127.0.0.1, localhost)'),
  },
  isLocal: true,
  run: async ({ options: { folder, host } }) =>
    writeMutualTlsFiles(folder, host ?? ['127.0.0.1', 'localhost']),
  text: (files) => files.join('\n'),
});

/** The commands for the registry of TPPs. */
export const tpp = group('tpp', 'the TPPs that the bank knows: docs/how-to/register-a-tpp.md', [
  list,
  show,
  add,
  statusCommand(
    'block',
    'blocked',
    'rejects all calls of a TPP within a second and permanently revokes its tokens and grants',
  ),
  statusCommand('unblock', 'active', 'unblocks a TPP; it then needs new tokens'),
  rotate,
  certificate,
  mutualTls,
]);
