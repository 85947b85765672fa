import { Command, Option } from 'commander';
import {
  callStatistics,
  type Dimension,
  dimensionNames,
  type Period,
  statisticsCsv,
  statisticsText,
} from './call-statistics.js';
import { CommandGroup } from '../command-line/command-group.js';
import { within } from '../command-line/command-run.js';
import { isoDate } from '../command-line/option-values.js';
import { addressesText, psuAddresses } from './psu-addresses.js';

const ofPeriod = (command: Command): Command =>
  command
    .option('--from <date>', 'the first day, in the bank’s time zone (default: the first there is)', isoDate)
    .option('--to <date>', 'the last day (default: the last there is)', isoDate);

/** `xs2a report`: what a bank reports to its supervisor. */
export const reportCommand = (): Command => {
  const report = new CommandGroup('report').description('reports for the bank’s supervisor');
  ofPeriod(report.command('statistics'))
    .description('calls, mean time to the last byte and error rate by day, for AIS, PIS and CoF')
    .addOption(new Option('--by <what>', 'a line for each endpoint or TPP').choices(dimensionNames))
    .option('--csv', 'comma-separated')
    .action(
      within<Period & { by?: Dimension; csv?: boolean }, []>(async ({ connections, output, options }) => {
        const { by, csv } = options;
        const rows = await callStatistics(connections, options, by);
        output.show(rows, csv === true ? statisticsCsv(rows, by) : statisticsText(rows, by));
      }),
    );
  ofPeriod(report.command('psu-ip'))
    .description('consents whose PSU-IP-Address is private, the TPP’s own, or another one at every call')
    .option('--all', 'those without suspicion too')
    .action(
      within<Period & { all?: boolean }, []>(async ({ connections, output, options }) => {
        const consents = await psuAddresses(connections, options);
        const shown = consents.filter(({ suspicions }) => options.all === true || suspicions.length > 0);
        output.show(shown, addressesText(shown));
      }),
    );
  return report;
};
