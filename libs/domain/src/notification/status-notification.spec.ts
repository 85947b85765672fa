import { describe, expect, it } from '@jest/globals';
import type { ScaStatus } from '../sca/authorisations.js';
import { everyChange, type NotificationKind } from './notification-content.js';
import { type Notifiable, listNotifications } from './status-notification.js';

const payment = (status: string, ...scaStatuses: ScaStatus[]): Notifiable => ({
  status,
  isFinal: ['ACSC', 'RJCT', 'CANC'].includes(status),
  authorisations: scaStatuses.map((scaStatus, index) => ({ authorisationId: `a${index + 1}`, scaStatus })),
});
const unfunded: Notifiable = { ...payment('ACCP', 'finalised'), fundsAvailable: false, isFinal: true };
/** The states of a single payment from its POST to its final status. */
const life: readonly Notifiable[] = [
  payment('RCVD', 'received'),
  payment('ACCP', 'psuIdentified'),
  payment('ACCP', 'finalised'),
  { ...payment('ACSP', 'finalised'), fundsAvailable: true },
  { ...payment('ACSC', 'finalised'), fundsAvailable: true },
];
const notifyAll = (states: readonly Notifiable[], wanted: readonly NotificationKind[]) =>
  states.flatMap((after, index) => listNotifications(states[index - 1], after, wanted));
const listStatuses = (states: readonly Notifiable[], wanted: readonly NotificationKind[]) =>
  notifyAll(states, wanted).map(({ status }) => status);

describe('pushed changes (contract 11)', () => {
  it('without a preference, include every change except those in RCVD', () => {
    expect(notifyAll(life, [])).toEqual([
      { status: 'ACCP', authorisationId: 'a1', scaStatus: 'psuIdentified' },
      { status: 'ACCP', authorisationId: 'a1', scaStatus: 'finalised' },
      { status: 'ACSP', fundsAvailable: true },
      { status: 'ACSC', fundsAvailable: true },
    ]);
  });

  it('include a change of scaStatus while the status is RCVD only if SCA is preferred', () => {
    const [before, after] = [payment('RCVD', 'received'), payment('RCVD', 'psuIdentified')];
    expect(listNotifications(before, after, [])).toEqual([]);
    expect(listNotifications(before, after, ['SCA'])).toHaveLength(1);
  });

  it('with PROCESS, include each status once and no authorisations', () => {
    expect(notifyAll(life, ['PROCESS'])).toEqual([
      { status: 'ACCP' },
      { status: 'ACSP', fundsAvailable: true },
      { status: 'ACSC', fundsAvailable: true },
    ]);
  });

  it('with SCA, include each scaStatus together with the status of the resource', () => {
    expect(notifyAll(life, ['SCA']).map(({ scaStatus }) => scaStatus)).toEqual([
      'psuIdentified',
      'finalised',
    ]);
  });

  it('with LAST, include only the final status', () => {
    expect(listStatuses(life, ['LAST'])).toEqual(['ACSC']);
    expect(listStatuses([payment('RCVD', 'received'), payment('CANC', 'failed')], ['LAST'])).toEqual([
      'CANC',
    ]);
  });

  it('with LAST, include the final status of an unfunded payment', () => {
    const states = [payment('RCVD', 'received'), payment('ACCP', 'finalised'), unfunded];
    expect(notifyAll(states, ['LAST'])).toEqual([{ status: 'ACCP', fundsAvailable: false }]);
    expect(notifyAll(states, ['PROCESS']).at(-1)).toEqual({ status: 'ACCP', fundsAvailable: false });
  });

  it('combine the preferences SCA and LAST', () => {
    expect(listStatuses(life, ['SCA', 'LAST'])).toEqual(['ACCP', 'ACCP', 'ACSC']);
  });

  it('do not repeat a status that was already sent together with an authorisation', () => {
    const rejected = notifyAll(
      [payment('RCVD', 'received', 'received'), payment('RJCT', 'failed', 'failed')],
      ['SCA', 'PROCESS', 'LAST'],
    );
    expect(rejected).toEqual([
      { status: 'RJCT', authorisationId: 'a1', scaStatus: 'failed' },
      { status: 'RJCT', authorisationId: 'a2', scaStatus: 'failed' },
    ]);
  });

  it('do not repeat what the response to a POST contained, such as the creation or the start of an authorisation', () => {
    expect(listNotifications(undefined, payment('RCVD', 'received'), everyChange)).toEqual([]);
    expect(
      listNotifications(payment('RCVD', 'received'), payment('RCVD', 'received', 'received'), everyChange),
    ).toEqual([]);
  });

  it('do not include an event that changed no status, such as a booked entry', () => {
    const settled = life.at(-1) ?? payment('ACSC');
    expect(listNotifications(settled, settled, ['SCA', 'PROCESS', 'LAST'])).toEqual([]);
  });

  it('include the statuses of a consent, of which valid is not final', () => {
    const consent = (status: string, isFinal = false): Notifiable => ({
      status,
      isFinal,
      authorisations: [],
    });
    const states = [consent('received'), consent('valid'), consent('revokedByPsu', true)];
    expect(listStatuses(states, everyChange)).toEqual(['valid', 'revokedByPsu']);
    expect(listStatuses(states, ['LAST'])).toEqual(['revokedByPsu']);
  });

  it('include an occurrence of an order with its transactionId and fundsAvailable', () => {
    const order = payment('ACSP');
    const skipped = { transactionId: 't2', fundsAvailable: false };
    expect(listNotifications(order, order, ['PROCESS'], skipped)).toEqual([{ status: 'ACSP', ...skipped }]);
    expect(listNotifications(order, order, ['SCA', 'LAST'], skipped)).toEqual([]);
    const first = { transactionId: 't1', fundsAvailable: true };
    expect(listNotifications(payment('ACCP'), order, everyChange, first)).toEqual([
      { status: 'ACSP', ...first },
    ]);
  });
});
