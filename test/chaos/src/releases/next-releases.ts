import { root } from '@xs2a/sandbox/layout';
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

/** The module that a changed file of the domain imports. */
const eventTypes = `'@xs2a/events/event-types'`;

const run = promisify(execFile);

/**
 * The two releases after this one, built as described in docs/how-to/change-an-event.md. `expand` has one more
 * migration in payments and can read version 2 of `signed`, but does not write it. `use` writes version 2.
 */
export type NextRelease = 'expand' | 'use';

/** The services whose code depends on payment events. All other services are the same in every release. */
const rebuilt = ['payments', 'settlement-worker'] as const;

interface Patch {
  readonly file: string;
  /** The declaration to rename in the file, and its name in the rest of the file. */
  readonly renamed: readonly [from: string, to: string];
  readonly appended: string;
}

const patchesOf = (release: NextRelease): readonly Patch[] => [
  {
    file: 'apps/payments/src/migrations/index.ts',
    renamed: ['export const migrations = ', 'const earlierMigrations = '],
    appended: `
      class SignedChannel1900000000000 {
        async up(runner) { await runner.query('ALTER TABLE payments.payment_view ADD COLUMN channel text'); }
        async down(runner) { await runner.query('ALTER TABLE payments.payment_view DROP COLUMN channel'); }
      }
      export const migrations = [...earlierMigrations, SignedChannel1900000000000];`,
  },
  {
    file: 'libs/domain/src/payment/payment-event-types.ts',
    renamed: ['export const paymentEventTypes', 'const earlierTypes'],
    appended: `
      import { eventType, notYetWritten } from ${eventTypes};
      const { meaning, fields } = earlierTypes.signed;
      const signed = {
        ...eventType(meaning, (data) => ({ ...data, channel: 'unknown' })),
        fields: { ...fields, channel: 'plain' },
      };
      export const paymentEventTypes = { ...earlierTypes, signed: ${release === 'expand' ? 'notYetWritten(signed)' : 'signed'} };`,
  },
  {
    file: 'libs/domain/src/payment/evolve-payment.ts',
    renamed: ['export const paymentStateVersion = 2;', ''],
    appended: `export const paymentStateVersion = ${release === 'expand' ? 3 : 4};`,
  },
  {
    file: 'libs/domain/src/payment/evolve-payment.ts',
    renamed: ['export function evolvePayment(', 'function evolveAsBefore('],
    appended: `
      export function evolvePayment(state, event, at) {
        const next = evolveAsBefore(state, event, at);
        if (event.type !== 'signed') return next;
        const { channel${release === 'expand' ? " = 'unknown'" : ''} } = event.data;
        if (channel === undefined) throw new Error('an event of version 1 was not upcast');
        return { ...next, channel };
      }`,
  },
  ...(release === 'expand'
    ? []
    : [
        {
          file: 'libs/domain/src/payment/authorise-payment.ts',
          renamed: ['export function signedEvents(', 'function signedEventsAsBefore('] as const,
          appended: `
            export function signedEvents(...decided) {
              return signedEventsAsBefore(...decided).map((event) =>
                event.type === 'signed' ? { ...event, data: { ...event.data, channel: 'redirect' } } : event);
            }`,
        },
      ]),
];

/**
 * Applies a patch. Throws unless the file contains the declaration exactly once, so that the patch is updated when
 * the code changes.
 */
const applyPatch = (checkout: string, { file, renamed: [from, to], appended }: Patch): void => {
  const path = join(checkout, file);
  const parts = readFileSync(path, 'utf8').split(from);
  if (parts.length !== 2) throw new Error(`${file} has "${from}" ${parts.length - 1} times, not once`);
  writeFileSync(path, `${parts.join(to)}\n${appended}\n`);
};

const linkPackages = (checkout: string): void => {
  const installed = join(root, 'node_modules');
  const packages = join(checkout, 'node_modules');
  mkdirSync(join(packages, '@xs2a'), { recursive: true });
  for (const name of readdirSync(installed))
    if (name !== '@xs2a') symlinkSync(join(installed, name), join(packages, name));
  for (const name of readdirSync(join(checkout, 'libs')))
    symlinkSync(join(checkout, 'libs', name), join(packages, '@xs2a', name));
};

const isSource = (path: string): boolean => !['dist', 'node_modules'].includes(basename(path));

/**
 * Creates a checkout of a next release in the folder, from this release's sources, and builds it. Returns the
 * folder.
 */
export const makeNextRelease = async (release: NextRelease, folder: string): Promise<string> => {
  for (const part of ['libs', ...rebuilt.map((service) => `apps/${service}`)])
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: isSource });
  for (const part of ['deploy', 'package.json']) symlinkSync(join(root, part), join(folder, part));
  linkPackages(folder);
  for (const patch of patchesOf(release)) applyPatch(folder, patch);
  for (const service of rebuilt)
    await run(process.execPath, [join(root, 'tools/workspace/build.mjs')], {
      cwd: join(folder, 'apps', service),
    });
  return folder;
};

/**
 * Returns the checkout if a process such as `payments-2` can be started from it, or undefined if it does not
 * contain that service.
 */
export const checkoutWith = (checkout: string, processName: string): string | undefined =>
  existsSync(join(checkout, 'apps', processName.replace(/-2$/, ''), 'dist/main.js')) ? checkout : undefined;

/** Runs the payments migrations built in a checkout, as the checkout's migration job does. */
export const migratePayments = async (checkout: string, ownerUrl: string): Promise<void> => {
  await run(process.execPath, [join(checkout, 'apps/payments/dist/migrate.js')], {
    env: { SANDBOX: 'true', MIGRATION_DATABASE_URL: ownerUrl },
  });
};
