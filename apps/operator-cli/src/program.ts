import type { Command } from 'commander';
import { paymentReveals } from '@xs2a/domain/payment/payment-reveal';
import { actions } from './actions/commands.js';
import { archive } from './archive/commands.js';
import { backup } from './backup/backup-command.js';
import { calls } from './calls/commands.js';
import { everywhere, group } from './command-line/define-command.js';
import { consents } from './consents/commands.js';
import { check } from './core-bank/adapter-command.js';
import { discardLetter, listLetters, replayLetters, showLetter } from './dead-letters/dead-letter-office.js';
import { demo } from './demo/demo-command.js';
import { doctor } from './doctor/doctor-command.js';
import { euro } from './euro/switch-command.js';
import { consumers } from './events/consumer-status.js';
import { listStreams } from './events/jetstream-list.js';
import { makeStreams } from './events/jetstream-command.js';
import { searchEvents } from './events/list.js';
import { listLost, releaseLost, showLost } from './events/lost-event-commands.js';
import { listProjectionsCommand, rebuildCommand } from './events/read-models.js';
import { republish } from './events/republish.js';
import { tail } from './events/tail.js';
import { showTimeline } from './events/timeline.js';
import { verify } from './events/verification.js';
import { jobs } from './jobs/commands.js';
import { keys } from './keys.js';
import { migrate } from './migrate/migrate-command.js';
import { notifications } from './notifications/commands.js';
import { bundle } from './payments/bundle.js';
import { find } from './payments/find.js';
import { late } from './payments/late-instants.js';
import { handOver, tryNow } from './payments/settlement-actions.js';
import { showQueue } from './payments/settlement-queue.js';
import { showPaymentOrBasket } from './payments/show-command.js';
import { volume } from './payments/volume.js';
import { due } from './privacy/due.js';
import { exportCommand } from './privacy/export.js';
import { erase } from './privacy/erase.js';
import { log } from './privacy/log.js';
import { rotate } from './privacy/rotate.js';
import { psu } from './psus/commands.js';
import { revealCommand } from './reveal-command.js';
import { version } from '@xs2a/runtime/release';
import { report } from './tpps/report-command.js';
import { tpp } from './tpps/commands.js';

const lost = group('lost', 'events that the database lost when it returned to an earlier state', [
  listLost,
  showLost,
  releaseLost,
]);

/** The `xs2a` command. Throws CommanderError on wrong usage and after printing help. */
export const program = (): Command =>
  everywhere(
    group(
      'xs2a',
      'Command line for operators: monitors and repairs the running system. docs/how-to/operate.md',
      [
        group('events', 'stored and published events of payments, consents and signing baskets', [
          tail,
          showTimeline,
          searchEvents,
          republish,
          lost,
          verify,
        ]),
        archive,
        group('payments', 'payments and their outcome', [
          volume,
          showPaymentOrBasket,
          find,
          bundle,
          revealCommand('payment', paymentReveals),
        ]),
        group('projections', 'read models that follow the payments’ log', [
          listProjectionsCommand,
          rebuildCommand,
        ]),
        group('jetstream', 'event streams and key-value buckets in NATS', [listStreams, makeStreams]),
        group('dead-letters', 'events that a consumer could not handle', [
          listLetters,
          showLetter,
          replayLetters,
          discardLetter,
        ]),
        group('settlement', 'payments to be settled, booked or released', [
          showQueue,
          late,
          tryNow,
          handOver,
        ]),
        calls,
        actions,
        notifications,
        jobs,
        consents,
        tpp,
        psu,
        group('adapter', 'a core bank connected over NATS', [check]),
        report,
        migrate,
        backup,
        group('privacy', 'personal data and its encryption keys', [erase, exportCommand, due, log, rotate]),
        keys,
        euro,
        demo,
        consumers,
        doctor,
      ],
    )
      .option('--json', 'results as JSON, one value per line; progress on stderr')
      .version(
        process.argv.includes('--json') ? JSON.stringify({ version }) : version,
        '--version',
        'shows the version',
      ),
  );
