import { join, relative } from 'node:path';
import { readFixtures } from './fixtures.js';
import type { Sandbox } from './sandbox.js';

type Row = readonly [name: string, value: string];

const pad = (text: string, to: number): string => text + ' '.repeat(to - [...text].length);

/** Formats rows as a framed table whose columns fit their content. */
export const table = (rows: readonly Row[]): string => {
  const width = (column: 0 | 1): number => Math.max(...rows.map((row) => [...row[column]].length));
  const [left, right] = [width(0), width(1)];
  const edge = (a: string, b: string, c: string): string =>
    a + '─'.repeat(left + 2) + b + '─'.repeat(right + 2) + c;
  return [
    edge('┌', '┬', '┐'),
    ...rows.map(([name, value]) => `│ ${pad(name, left)} │ ${pad(value, right)} │`),
    edge('└', '┴', '┘'),
  ].join('\n');
};

/** Returns a command for another terminal, with XS2A_DATA_DIR unless the sandbox uses the default data folder. */
const commandIn = (folder: string | undefined, command: string): string =>
  folder === undefined ? command : `XS2A_DATA_DIR=${folder} ${command}`;

/** Who can sign in: the customers of the sandbox bank, or those of a bank's own core. */
const customerRows = (
  { coreBankHost, profile }: Pick<Sandbox, 'coreBankHost' | 'profile'>,
  run: (command: string) => string,
): readonly Row[] => {
  if (coreBankHost !== undefined)
    return [
      ['core bank', `your own, at ${coreBankHost}: its customers, its one-time codes`],
      ['demo with one', `${run('npm run demo -- --customer FILE')}   (JSON with psuId, password and iban)`],
    ];
  const { psus, euro } = readFixtures();
  const further = profile.startsWith('bg-euro') ? euro.accounts : [];
  const users = psus.map(({ psuId, password, accounts = [], corporateIds }): Row => {
    const count = accounts.length + further.filter((account) => account.psuId === psuId).length;
    const what = corporateIds
      ? `signs for ${corporateIds.join(', ')}`
      : `${count} account${count === 1 ? '' : 's'}, e.g. ${accounts[0] ?? '–'}`;
    return [`PSU ${psuId}`, `password ${password}; ${what}`];
  });
  return [...users, ['one-time code', '123456']];
};

/** Returns a table of a started sandbox's addresses, names and commands. `folder`: the value of XS2A_DATA_DIR. */
export const summarise = (
  sandbox: Pick<
    Sandbox,
    | 'baseUrl'
    | 'dataDir'
    | 'profile'
    | 'demoTppUrl'
    | 'prometheusUrl'
    | 'consoleUrl'
    | 'coreBankHost'
    | 'healthUrls'
  >,
  folder = process.env['XS2A_DATA_DIR'],
): string => {
  const run = (command: string): string => commandIn(folder, command);
  const { tpps } = readFixtures();
  const dataDir = relative(process.cwd(), sandbox.dataDir) || '.';
  const customers = customerRows(sandbox, run);
  return table([
    ['base URL', sandbox.baseUrl],
    ['profile', sandbox.profile],
    ...(sandbox.demoTppUrl === undefined
      ? []
      : [['demo TPP', `${sandbox.demoTppUrl}   (a shop and a money app of a third party)`] satisfies Row]),
    ...(sandbox.consoleUrl === undefined
      ? []
      : [
          [
            "operators' console",
            `${sandbox.consoleUrl}   (what is wrong; choose one of the staff)`,
          ] satisfies Row,
        ]),
    ['developer portal', `${sandbox.baseUrl}/   (a first payment, API reference, workspace)`],
    ['for programs', `${sandbox.baseUrl}/openapi.json`],
    ...tpps.map(({ clientId, clientSecret }): Row => [
      'TPP',
      `client id ${clientId}, secret ${clientSecret}`,
    ]),
    ...customers,
    ...(sandbox.coreBankHost === undefined
      ? [['try it', `${run('npm run demo')}   (in another terminal)`] satisfies Row]
      : []),
    ['watch the events', run('npm run xs2a -- events tail')],
    ['is all well?', run('npm run xs2a -- doctor')],
    ...(sandbox.prometheusUrl === undefined
      ? []
      : [
          [
            'Prometheus',
            `${sandbox.prometheusUrl}/consoles/index.html   (all metrics, and the alerts of k8s)`,
          ] satisfies Row,
        ]),
    ...Object.entries(sandbox.healthUrls).map(([service, url], index): Row => [
      index === 0 ? 'metrics' : '',
      `${url}/metrics   (${service})`,
    ]),
    [
      'data and logs',
      `${dataDir} (logs in ${join(dataDir, 'logs')}); start over: ${run('npm start -- --reset')}`,
    ],
    ['stop', 'Ctrl-C'],
  ]);
};
