import { callStatistics, dimensionNames, statisticsCsv, statisticsText } from './call-statistics.js';
import { defineCommand, group } from '../command-line/define-command.js';
import { flag, isoDate, option } from '../command-line/options.js';
import { addressesText, psuAddresses } from './psu-addresses.js';

const period = {
  from: option('<date>', 'the first day, in the bank’s time zone (default: the first recorded day)', isoDate),
  to: option('<date>', 'the last day (default: the last recorded day)', isoDate),
};

const statistics = defineCommand({
  name: 'statistics',
  help: 'calls, mean time to the last byte and error rate by day, for AIS, PIS and CoF',
  options: {
    ...period,
    by: option('<what>', 'a line for each endpoint or TPP', dimensionNames),
    csv: flag('comma-separated'),
  },
  run: async ({ connections, options }) => callStatistics(connections, options, options.by),
  text: (rows, { csv, by }) => (csv ? statisticsCsv(rows, by) : statisticsText(rows, by)),
});

const psuIp = defineCommand({
  name: 'psu-ip',
  help: 'consents whose PSU-IP-Address is private, the TPP’s own, or different on every call',
  options: { ...period, all: flag('also those that are not suspicious') },
  run: async ({ connections, options }) =>
    (await psuAddresses(connections, options)).filter(
      ({ suspicions }) => options.all || suspicions.length > 0,
    ),
  text: addressesText,
});

/** The reports that a bank makes to its supervisor. */
export const report = group('report', 'reports for the bank’s supervisor', [statistics, psuIp]);
