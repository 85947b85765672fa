import { Command, InvalidArgumentError, Option } from 'commander';
import { tppRoles, type TppRecord } from '@xs2a/contracts/auth.contract';
import { type PspRole, pspRoleNames } from '@xs2a/qwac/psp-roles';
import { CommandGroup } from '../command-line/command-group.js';
import { alone, within } from '../command-line/command-run.js';
import { writeMutualTlsFiles } from './mutual-tls-files.js';
import {
  allTpps,
  type CertificateOptions,
  makeCertificate,
  oneTpp,
  registerTpp,
  setStatus,
  type TppOptions,
  tppsText,
  tppText,
} from './tpps.js';

const collect = (text: string, before: readonly string[] = []): string[] => [...before, text];

const days = (text: string): number => {
  const number = Number(text);
  if (!/^\d{1,4}$/.test(text) || number < 1)
    throw new InvalidArgumentError('It is not a whole number from 1 to 9999.');
  return number;
};
const rolesIn = (text: string): readonly PspRole[] => {
  const roles = text.split(',');
  const known = pspRoleNames.filter((role) => roles.includes(role));
  if (known.length !== roles.length)
    throw new InvalidArgumentError(`It is not a list of ${pspRoleNames.join(',')}.`);
  return known;
};

const addCommand = (): Command =>
  new Command('add')
    .description('registers a TPP and shows its client id and, this once, its secret')
    .requiredOption('--name <name>', 'that PSUs see')
    .requiredOption('--redirect-uri <uri>', 'https; may be repeated', collect)
    .addOption(
      new Option('--role <role>', `${tppRoles.join(', ')}; may be repeated`)
        .argParser(collect)
        .makeOptionMandatory(),
    )
    .option('--organization-identifier <id>', 'of its QWAC, such as PSDBG-BNB-12345')
    .option('--certificate <file>', 'its QWAC (PEM): checked, and read instead of the identifier')
    .option('--jwks <file>', 'its public keys, for private_key_jwt')
    .option('--auth-method <method>', 'at the token endpoint', 'client_secret_basic')
    .action(
      within<TppOptions, []>(async ({ connections, output, options }) => {
        const added = await registerTpp(connections, options);
        const secret = added.clientSecret === undefined ? [] : [`secret     ${added.clientSecret}`];
        output.show(added, [`client id  ${added.clientId}`, ...secret].join('\n'));
      }),
    );

const statusCommand = (name: string, status: TppRecord['status'], description: string): Command =>
  new Command(name)
    .argument('<client-id>', 'as `tpp list` shows it')
    .description(description)
    .action(
      within<object, [string]>(async ({ connections, output }, clientId) => {
        const tpp = await setStatus(connections, clientId, status);
        output.show(tpp, `✓ ${tpp.clientId} (${tpp.name}) is ${tpp.status}`);
      }),
    );

const certificateCommand = (): Command =>
  new Command('certificate')
    .argument('<name>', 'of the TPP, also of the files')
    .description('sandbox: makes a key and a QWAC of the test authority')
    .option('--roles <list>', `of ${pspRoleNames.join(',')}`, rolesIn, tppRoles)
    .option('--organization-identifier <id>', 'in the certificate', 'PSDBG-BNB-12345')
    .option('--days <count>', 'that it is valid', days, 90)
    .action(
      within<CertificateOptions, [string]>(async ({ connections, output, options }, name) => {
        const files = await makeCertificate(connections, name, options);
        output.show(
          files,
          [
            `certificate  ${files.certificate}`,
            `private key  ${files.privateKey}`,
            `authority    ${files.authority}`,
          ].join('\n'),
        );
      }),
    );

const mutualTlsCommand = (): Command =>
  new Command('mutual-tls')
    .description('sandbox: makes what a TLS proxy and a TPP need to try mutual TLS, where it is missing')
    .requiredOption('--folder <folder>', 'for the files')
    .option('--host <name>', 'of the proxy; may be repeated (default: 127.0.0.1, localhost)', collect)
    .action(
      alone<{ folder: string; host?: readonly string[] }>(async ({ folder, host }, output) => {
        const files = writeMutualTlsFiles(folder, host ?? ['127.0.0.1', 'localhost']);
        output.show(files, files.join('\n'));
        return 0;
      }),
    );

/** `xs2a tpp`: the registry of TPPs. */
export const tppCommand = (): Command =>
  new CommandGroup('tpp')
    .description('the TPPs that the bank knows: docs/how-to/register-a-tpp.md')
    .addCommand(
      new Command('list').description('all of them, the oldest first').action(
        within<object, []>(async ({ connections, output }) => {
          const tpps = await allTpps(connections);
          output.show(tpps, tppsText(tpps));
        }),
      ),
    )
    .addCommand(
      new Command('show')
        .argument('<client-id>', 'as `tpp list` shows it')
        .description('one of them')
        .action(
          within<object, [string]>(async ({ connections, output }, clientId) => {
            const tpp = await oneTpp(connections, clientId);
            output.show(tpp, tppText(tpp));
          }),
        ),
    )
    .addCommand(addCommand())
    .addCommand(
      statusCommand(
        'block',
        'blocked',
        'refuses all its calls within a second; its tokens and grants end for good',
      ),
    )
    .addCommand(statusCommand('unblock', 'active', 'lets it in again, with new tokens'))
    .addCommand(certificateCommand())
    .addCommand(mutualTlsCommand());
