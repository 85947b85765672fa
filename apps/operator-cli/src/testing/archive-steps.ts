import { expect } from '@jest/globals';
import type { World } from '@xs2a/test-support/world';
import type { makeOperator, Ran } from './command-process.js';

type Operator = ReturnType<typeof makeOperator>;

/**
 * The month of the partition that contains a payment or consent: the month (UTC) in which its id, a UUIDv7, was
 * generated, in real time.
 */
export const monthOf = (id: string): string =>
  new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString().slice(0, 7);

/**
 * Moves the sandbox clock until weekly orders with three payments are settled and booked, and then several months
 * further.
 */
export const passMonths = async (world: World): Promise<void> => {
  for (const duration of ['PT10M', 'P8D', 'P8D', 'P8D', 'P95D']) await world.advance(duration);
};

/** Archives the ended streams of a month, up to the second-to-last position. */
export const runArchiveMonth = async (
  operator: Operator,
  {
    month,
    resource,
    folder,
  }: { readonly month: string; readonly resource: 'payments' | 'consents'; readonly folder: string },
): Promise<Ran> =>
  operator.xs2a('archive', 'month', month, '--resource', resource, '--to', folder, '--newest', '1');

/** Expects the events to pass verification, and no check of `doctor --deep` to fail or be skipped. */
export const mustVerify = async (operator: Operator): Promise<void> => {
  expect(await operator.xs2a('events', 'verify')).toMatchObject({ code: 0 });
  const { stdout, code } = await operator.xs2a('doctor', '--deep');
  expect([stdout.match(/^[✗–].*$/gm), code]).toEqual([null, 0]);
};
