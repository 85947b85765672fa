import {
  type ConfigSpec,
  coreBankConfig,
  databaseConfig,
  httpConfig,
  migrationConfig,
  natsMigrationConfig,
  receiverConfig,
  relayConfig,
  retentionConfig,
  type Setting,
  serviceConfig,
} from '@xs2a/runtime/config';
import { join } from 'node:path';
import { isDeployed, projects, root } from '../sources.js';
import { declaredGroups } from './comments.js';

const shared: Readonly<Record<string, ConfigSpec>> = {
  serviceConfig,
  databaseConfig,
  relayConfig,
  coreBankConfig,
  httpConfig,
  receiverConfig,
  retentionConfig,
  migrationConfig,
  natsMigrationConfig,
};
const sharedFile = 'libs/runtime/src/config.ts';

interface Row {
  readonly name: string;
  readonly setting: Setting<unknown>;
  readonly comment: string;
}

const fallbackOf = ({ fallback, optional }: Setting<unknown>): string => {
  if (fallback !== undefined) return `\`${String(fallback)}\``;
  return optional ? 'absent' : '**must be given**';
};

const formOf = ({ form, outsideSandbox }: Setting<unknown>): string =>
  outsideSandbox === undefined ? form : `${form}; outside the sandbox ${outsideSandbox.form}`;

const escape = (cell: string): string => cell.replaceAll('|', '\\|');

const table = (rows: readonly Row[]): string =>
  [
    '| setting | value | default | meaning |',
    '| --- | --- | --- | --- |',
    ...rows.map(
      ({ name, setting, comment }) =>
        `| \`${name}\` | ${escape(formOf(setting))} | ${escape(fallbackOf(setting))} | ${escape(comment)} |`,
    ),
  ].join('\n');

/** The settings of a spec, in the order of the file that declares them. Throws when the file has none of that name. */
const rowsOf = (file: string, group: string, spec: ConfigSpec): Row[] => {
  const declared = declaredGroups(file).find(({ name }) => name === group);
  if (declared === undefined) throw new Error(`${file} declares no ${group}`);
  return declared.settings.map(({ name, comment }) => {
    const setting = spec[name];
    if (setting === undefined) throw new Error(`${group} of ${file} has no ${name}`);
    return { name, setting, comment };
  });
};

/** The settings of each deployed app, by the app's name, as its `src/config.ts` declares them. */
export const appConfigs = async (): Promise<ReadonlyMap<string, ConfigSpec>> => {
  const apps = projects().filter(isDeployed);
  return new Map(
    await Promise.all(
      apps.map(async ({ name, folder }): Promise<[string, ConfigSpec]> => {
        const { config } = (await import(join(root, folder, 'src/config.ts'))) as { config: ConfigSpec };
        return [name, config];
      }),
    ),
  );
};

const titles: Readonly<Record<string, string>> = {
  serviceConfig: 'Every service',
  databaseConfig: 'Services with tables',
  relayConfig: 'Services that store and publish events',
  coreBankConfig: 'Services that ask the core bank',
  httpConfig: 'Services that answer HTTP',
  retentionConfig: 'The operator’s command',
  migrationConfig: 'Migrations of tables',
  natsMigrationConfig: 'The migration of NATS',
};

/** Programs that read a group of settings but are not services. */
const programs: Readonly<Record<string, string>> = {
  retentionConfig: '`xs2a`',
  migrationConfig: 'the jobs `migrate.js` of the services with tables, and by `rebuild-projection.js`',
  natsMigrationConfig: 'the job `migrate-nats.js`',
};

const readers = (spec: ConfigSpec, apps: ReadonlyMap<string, ConfigSpec>): string[] =>
  [...apps].filter(([, config]) => Object.keys(spec).every((name) => name in config)).map(([app]) => app);

/** docs/settings.md: every setting of every service, from the services' declarations. */
export const settingsReference = async (): Promise<string> => {
  const apps = await appConfigs();
  const sharedSections = Object.entries(shared).map(([group, spec]) => {
    const names = programs[group] ?? readers(spec, apps).join(', ');
    const who = group === 'serviceConfig' ? [] : [`Read by ${names}.`, ''];
    return [`## ${titles[group]}`, '', ...who, table(rowsOf(sharedFile, group, spec))].join('\n');
  });
  const ownSections = [...apps].flatMap(([app, config]) => {
    const rows = rowsOf(join('apps', app, 'src/config.ts'), 'config', config);
    return rows.length === 0 ? [] : [[`## Only ${app}`, '', table(rows)].join('\n')];
  });
  return `${[
    '# Settings',
    '',
    'Written by `npm run settings:reference` from what the programs declare (`libs/runtime/src/config.ts`, `apps/<app>/src/config.ts`): not edited by',
    'hand. A service reads its settings from the environment when it starts, and ends with one message that names every wrong one. `NAME_FILE`',
    'names a file that holds the value of NAME, for secrets. How each is set where it is deployed: [deploy](how-to/deploy.md).',
    '',
    [...sharedSections, ...ownSections].join('\n\n'),
  ].join('\n')}\n`;
};
