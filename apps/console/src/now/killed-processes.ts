import type { ServiceName } from '@xs2a/contracts/services';
import { momentIn } from '../pages/times.js';
import type { Finding } from './finding.js';

/** A process that ended without saying so, and that another one has replaced. */
export interface KilledProcess {
  /** Its id in pulses. */
  readonly instance: string;
  readonly service: ServiceName;
  readonly host: string;
  readonly pid: number;
  readonly lastPulseAt: Date;
}

/** Selects those of the last five minutes. One that is heard is not among them, even if another one has just started. */
export const selectKilled = `
  SELECT id AS instance, service, host, pid, last_pulse_at AS "lastPulseAt" FROM instance
  WHERE ended IS NULL AND last_pulse_at > now() - interval '5 minutes' AND NOT id = ANY($1) AND EXISTS
    (SELECT FROM instance newer WHERE newer.service = instance.service AND newer.started_at > instance.last_pulse_at)
  ORDER BY last_pulse_at DESC`;

/** Processes that were killed or crashed and have been replaced: nothing fails any more, but somebody should know why. */
export const findKilled = (killed: readonly KilledProcess[]): readonly Finding[] => {
  const [first] = killed;
  if (first === undefined) return [];
  const services = [...new Set(killed.map(({ service }) => service))];
  return [
    {
      level: 'attention',
      sentence: `${services.join(', ')} ${services.length === 1 ? 'was' : 'were'} started again: the process before was killed or crashed`,
      details: killed.map(
        ({ service, host, pid, lastPulseAt }) =>
          `${service}: ${host}, pid ${pid}, last heard ${momentIn(lastPulseAt)}`,
      ),
      place: '/services',
      evidence: { to: '/services', text: 'Show the services' },
      runbook: 'service-does-not-answer',
    },
  ];
};
