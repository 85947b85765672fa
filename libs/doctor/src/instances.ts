import { type Pulse, pulseEveryMs } from '@xs2a/contracts/pulse.contract';
import { type ServiceName, serviceNames } from '@xs2a/contracts/services';

/** An instance that the console has seen, and that has not ended in an orderly way. */
export type KnownInstance = Pick<Pulse, 'service' | 'instance' | 'host' | 'pid'> & {
  /** The time of its last pulse. @format date-time */
  readonly lastPulseAt: string;
};

/** Milliseconds after which an instance from which no pulse came is silent: two pulses and a margin. */
export const silentAfterMs = 2 * pulseEveryMs + 500;

/** One instance, or a service of which no instance is known. */
export type InstanceState = { readonly service: ServiceName } & (
  | {
      readonly kind: 'running';
      readonly pulse: Pulse;
      /** The readiness checks that failed, such as `postgres: down`; empty if it is ready. */
      readonly failedChecks: readonly string[];
    }
  | { readonly kind: 'silent'; readonly instance: KnownInstance; readonly silentMs: number }
  | { readonly kind: 'missing' }
);

/**
 * Compares the instances that were heard with those that are known: first the silent and then the running ones of each
 * service. An instance that is silent no longer counts once a newer instance of its service has replaced it.
 */
export const listInstances = (
  heard: readonly Pulse[],
  known: readonly KnownInstance[],
  nowMs: number,
): readonly InstanceState[] =>
  serviceNames.flatMap((service): readonly InstanceState[] => {
    const running = heard.filter((pulse) => pulse.service === service);
    const silent = known.filter(
      (one) =>
        one.service === service &&
        !running.some(({ instance, startedAt }) => instance === one.instance || startedAt > one.lastPulseAt),
    );
    const states: readonly InstanceState[] = [
      ...silent.map((instance): InstanceState => {
        const silentMs = nowMs - Date.parse(instance.lastPulseAt);
        return { service, kind: 'silent', instance, silentMs };
      }),
      ...running.map((pulse): InstanceState => ({
        service,
        kind: 'running',
        pulse,
        failedChecks: failedChecks(pulse),
      })),
    ];
    return states.length > 0 ? states : [{ service, kind: 'missing' }];
  });

const failedChecks = ({ isReady, checks }: Pulse): readonly string[] => {
  if (isReady) return [];
  const failed = Object.entries(checks).flatMap(([name, result]) =>
    result === 'ok' ? [] : [`${name}: ${result}`],
  );
  return failed.length > 0 ? failed : ['starting'];
};

/**
 * The statement that selects the known instances from the console's table `instance`: seen in the last day, not ended in an
 * orderly way, and not replaced by a newer instance of their service.
 */
export const selectKnownInstances = `
  SELECT id AS instance, service, host, pid, last_pulse_at AS "lastPulseAt" FROM instance
  WHERE ended IS NULL AND last_pulse_at > now() - interval '1 day' AND NOT EXISTS
    (SELECT FROM instance newer
      WHERE newer.service = instance.service AND newer.started_at > instance.last_pulse_at)`;

/** Converts a row of {@link selectKnownInstances}. */
export const toKnownInstance = (
  row: Omit<KnownInstance, 'lastPulseAt'> & { readonly lastPulseAt: Date },
): KnownInstance => ({ ...row, lastPulseAt: row.lastPulseAt.toISOString() });
