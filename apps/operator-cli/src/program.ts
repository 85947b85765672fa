import { Command, Option } from 'commander';
import type { EventResource } from '@xs2a/contracts/published-event';
import { version } from './root.js';
import { archiveCommand } from './archive/commands.js';
import { backupCommand } from './backup/backup-command.js';
import { CommandGroup } from './command-line/command-group.js';
import { alone, within } from './command-line/command-run.js';
import { consumerStatuses, consumersText } from './events/consumer-status.js';
import * as office from './dead-letters/dead-letter-office.js';
import { listCommand } from './events/list-command.js';
import { demoCommand } from './demo/demo-command.js';
import { jetStreamCommand } from './events/jetstream-command.js';
import { republishCommand } from './events/republish.js';
import { resourceNames, tailEvents } from './events/tail.js';
import { readTimeline, timelineText } from './events/timeline.js';
import { readAnchor, type TrustedAnchor, verifyEvents } from './events/verification.js';
import { notificationsCommand } from './notifications/commands.js';
import { migrateCommand } from './migrate/migrate-command.js';
import { lostCommand } from './events/lost-event-commands.js';
import { wholeNumber } from './command-line/option-values.js';
import { paymentsCommand } from './payments/volume-command.js';
import { privacyCommand } from './privacy/commands.js';
import { projectionStatuses, projectionsText, rebuild } from './events/read-models.js';
import { Refusal } from './command-line/refusal.js';
import { reportCommand } from './tpps/report-command.js';
import { tppCommand } from './tpps/commands.js';
import { queueStates, type QueueState, queueText, settlementQueue } from './payments/settlement-queue.js';
import { xs2a } from './command-line/own-name.js';

const resourceOption = (): Option =>
  new Option('--resource <name>', 'only these events (default: both)').choices(resourceNames);
const chosen = (resource: EventResource | undefined): readonly EventResource[] =>
  resource === undefined ? resourceNames : [resource];

const eventsCommand = (): Command => {
  const events = new CommandGroup('events').description(
    'stored and published events of payments, consents and signing baskets',
  );
  events
    .command('tail')
    .description('published events, and then those that come; Ctrl-C ends it')
    .addOption(resourceOption())
    .option('--type <type>', 'only events of this type, e.g. signed')
    .option('--from <position>', 'begin at this position (with --resource)', wholeNumber)
    .option('--last <count>', 'begin so many positions before the end', wholeNumber, 10)
    .option('--no-follow', 'end with the last event there is')
    .action(
      within<{ resource?: EventResource; type?: string; from?: number; last: number; follow: boolean }, []>(
        async ({ connections, output, options, interrupted }) => {
          if (options.from !== undefined && options.resource === undefined) {
            throw new Refusal('Each resource has its own positions: --from needs --resource.', 2);
          }
          const resources = chosen(options.resource);
          await tailEvents(connections, output, {
            ...options,
            resources,
            signal: interrupted(),
          });
        },
      ),
    );
  events
    .command('show')
    .argument('<id>', 'of a payment, a consent or a signing basket')
    .description('the timeline: every event, the time between them, the status after each, what is due next')
    .action(
      within<object, [string]>(async ({ connections, output }, id) => {
        const timeline = await readTimeline(connections, id);
        output.show(timeline, timelineText(timeline));
      }),
    );
  events.addCommand(listCommand());
  events.addCommand(republishCommand());
  events.addCommand(lostCommand());
  events
    .command('verify')
    .description('looks for changed, deleted, swapped, inserted or cut-off events, and names them')
    .addOption(resourceOption())
    .option(
      '--trust <anchor>',
      'an anchor that an earlier run printed and you kept elsewhere; may be repeated',
      (text: string, before: readonly TrustedAnchor[]) => [...before, readAnchor(text)],
      [],
    )
    .action(
      within<{ resource?: EventResource; trust: TrustedAnchor[] }, []>(
        async ({ connections, output, options, interrupted }) => {
          const found = await verifyEvents(
            connections,
            output,
            chosen(options.resource),
            options.trust,
            interrupted(),
          );
          return found === 0 ? 0 : 1;
        },
      ),
    );
  return events;
};

const projectionsCommand = (): Command => {
  const projections = new CommandGroup('projections').description(
    'read models that follow the payments’ log',
  );
  projections
    .command('list')
    .description('all of them, and how far each is')
    .action(
      within<object, []>(async ({ connections, output }) => {
        const statuses = await projectionStatuses(connections);
        output.show(statuses, projectionsText(statuses));
      }),
    );
  projections
    .command('rebuild')
    .argument('<name>', 'as `list` names it, or the name of a status view')
    .description(
      'rebuilds it from the first event while readers use the old one, then switches; may be interrupted',
    )
    .action(
      within<object, [string]>(async ({ connections, output, interrupted }, name) => {
        await rebuild(connections, output, name, interrupted());
      }),
    );
  return projections;
};

const deadLettersCommand = (): Command => {
  const letters = new CommandGroup('dead-letters').description('events that a consumer could not handle');
  letters
    .command('list')
    .description('all of them, the oldest first')
    .action(
      within<object, []>(async ({ connections, output }) => {
        const all = await office.allLetters(connections);
        output.show(all, office.lettersText(all));
      }),
    );
  letters
    .command('show')
    .argument('<letter>', 'as `list` names it, e.g. settlement:1234')
    .description('one of them with its event')
    .action(
      within<object, [string]>(async ({ connections, output }, text) => {
        const letter = await office.oneLetter(connections, office.readLetterId(text));
        output.show(letter, office.letterText(letter));
      }),
    );
  letters
    .command('replay')
    .argument('[letters...]', 'as `list` names them, e.g. settlement:1234')
    .option('--all', 'all that there are')
    .option('--wait <seconds>', 'for what becomes of each', wholeNumber, 10)
    .description('has the consumer handle them again; the effect happens once, however often it is asked for')
    .action(
      within<{ all?: boolean; wait: number }, string[]>(
        async ({ connections, output, options }, ...texts) => {
          if ((texts.length === 0) !== (options.all === true)) {
            throw new Refusal('Name the letters to replay, or say --all.', 2);
          }
          const ids =
            texts.length > 0 ? texts.map(office.readLetterId) : await office.allLetters(connections);
          if (ids.length === 0 && !output.json) output.show(undefined, 'No dead letters.');
          let undone = 0;
          for (const id of ids) {
            const result = await office.replay(connections, id, options.wait);
            if (result.outcome !== 'done') undone += 1;
            output.show(result, office.replayText(result));
          }
          return undone === 0 ? 0 : 1;
        },
      ),
    );
  letters
    .command('discard')
    .argument('<letter>', 'as `list` names it, e.g. settlement:1234')
    .option('--yes', 'what the event asked for will never be done: that is meant')
    .description('forgets one for good')
    .action(
      within<{ yes?: boolean }, [string]>(async ({ connections, output, options }, text) => {
        const id = office.readLetterId(text);
        if (options.yes !== true) {
          const { subject } = await office.oneLetter(connections, id);
          throw new Refusal(
            `What ${subject} asks for would never be done. If that is meant: ${xs2a(`dead-letters discard ${text} --yes`)}`,
          );
        }
        const letter = await office.discard(connections, id);
        output.show({ discarded: letter }, `✓ ${letter.id} is forgotten`);
      }),
    );
  return letters;
};

const settlementCommand = (): Command => {
  const settlement = new CommandGroup('settlement').description('payments on their way through the ledger');
  settlement
    .command('queue')
    .description('what is due, overdue, failing (with the reason) and due later')
    .addOption(new Option('--state <state>', 'only these').choices(queueStates))
    .option('--limit <count>', 'at most so many payments', wholeNumber, 50)
    .action(
      within<{ state?: QueueState; limit: number }, []>(async ({ connections, output, options }) => {
        const only = options.state === undefined ? queueStates : [options.state];
        const queue = await settlementQueue(connections, options.limit, only);
        output.show(queue, queueText(queue));
      }),
    );
  return settlement;
};

const adapterCommand = (): Command => {
  const adapter = new CommandGroup('adapter').description('a core bank that answers over NATS');
  adapter
    .command('check')
    .description(
      'runs the conformance tests of the core-banking port; books small amounts, so use a test system',
    )
    .requiredOption('--nats-url <url>', 'nats://user:password@host:port, where the bank answers')
    .requiredOption('--sample <file>', 'JSON: a person and accounts that the checks may use')
    .action(
      alone<{ natsUrl: string; sample: string }>(async (options, output) => {
        // Loaded on demand: its compiler of JSON Schemas takes a quarter of the time that a command needs to start.
        const { checkAdapter } = await import('./core-bank/adapter-check.js');
        return (await checkAdapter(options, output)) === 0 ? 0 : 1;
      }),
    );
  return adapter;
};

/** Turns Commander's message about wrong usage into a sentence that names the command's help. */
const usageSentence = (said: string, path: string): string => {
  const text = said
    .replace(/^error: /, '')
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}. Run: ${xs2a(`${path} --help`.trim())}`;
};

/** Adds the options and the help that every command has, here and in all commands below. */
const everywhere = (command: Command, path = ''): Command => {
  command
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      outputError: (said, write) => {
        const error = usageSentence(said, path);
        write(`${process.argv.includes('--json') ? JSON.stringify({ error }) : error}\n`);
      },
    });
  for (const one of command.commands) everywhere(one, `${path} ${one.name()}`.trim());
  return command;
};

/** The command `xs2a`. Throws CommanderError when it is asked for wrongly, and after help. */
export const program = (): Command =>
  everywhere(
    new CommandGroup('xs2a')
      .description('The operator’s command: watches and repairs the running system. docs/how-to/operate.md')
      .option('--json', 'results as JSON, one value a line; progress on stderr')
      .version(
        process.argv.includes('--json') ? JSON.stringify({ version }) : version,
        '--version',
        'which version this is',
      )
      .addCommand(eventsCommand())
      .addCommand(archiveCommand())
      .addCommand(paymentsCommand())
      .addCommand(projectionsCommand())
      .addCommand(jetStreamCommand())
      .addCommand(deadLettersCommand())
      .addCommand(settlementCommand())
      .addCommand(notificationsCommand())
      .addCommand(tppCommand())
      .addCommand(adapterCommand())
      .addCommand(reportCommand())
      .addCommand(migrateCommand())
      .addCommand(backupCommand())
      .addCommand(privacyCommand())
      .addCommand(demoCommand())
      .addCommand(
        new Command('consumers').description('how far each consumer is: lag, redelivered, ack floor').action(
          within<object, []>(async ({ connections, output }) => {
            const statuses = await consumerStatuses(connections);
            output.show(statuses, consumersText(statuses));
          }),
        ),
      )
      .addCommand(
        new Command('doctor')
          .description(
            'checks servers, migrations, clocks, streams and workers; shows the command that repairs what is wrong',
          )
          .option('--deep', 'checks the invariants too: reads every event and the whole ledger')
          .action(
            within<{ deep?: boolean }, []>(async ({ connections, output, options }) => {
              // Loaded on demand: it loads the migrations of every service.
              const { examine } = await import('./doctor/doctor.js');
              return (await examine(connections, output, options.deep === true)) === 0 ? 0 : 1;
            }),
          ),
      ),
  );
