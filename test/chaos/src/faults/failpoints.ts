import type { ServiceName } from '@xs2a/sandbox/services/service-table';
import { writeFileSync, existsSync, rmSync } from 'node:fs';

/** A line of code at which a process can be crashed as if by a power cut (`failpoint` in libs/runtime). */
export interface Failpoint {
  readonly name: string;
  /** The services that run this line; two of them run the event relay. */
  readonly services: readonly ServiceName[];
}

const worker: readonly ServiceName[] = ['settlement-worker'];
export const failpoints: readonly Failpoint[] = [
  { name: 'payments.before-append', services: ['payments'] },
  { name: 'payments.after-append', services: ['payments'] },
  { name: 'payments.after-record', services: ['payments'] },
  { name: 'payments.basket-opened', services: ['payments'] },
  { name: 'payments.basket-items-taken', services: ['payments'] },
  { name: 'payments.basket-decided', services: ['payments'] },
  { name: 'payments.basket-items-updated', services: ['payments'] },
  { name: 'relay.before-publish', services: ['payments', 'consents'] },
  { name: 'relay.after-publish', services: ['payments', 'consents'] },
  { name: 'consumer.after-effect', services: worker },
  { name: 'settlement.after-begin', services: worker },
  { name: 'settlement.after-hold', services: worker },
  { name: 'settlement.after-started', services: worker },
  { name: 'settlement.after-post', services: worker },
  { name: 'settlement.after-settled', services: worker },
  { name: 'settlement.before-finish', services: worker },
  { name: 'accounts.after-hold-commit', services: ['accounts'] },
  { name: 'accounts.before-post', services: ['accounts'] },
  { name: 'accounts.after-post-commit', services: ['accounts'] },
  { name: 'accounts.after-void-commit', services: ['accounts'] },
  { name: 'consents.after-append', services: ['consents'] },
  { name: 'consents.after-claim', services: ['consents'] },
  { name: 'notifications.after-send', services: ['notifications'] },
  { name: 'auth.after-consume', services: ['auth'] },
  { name: 'auth.after-token-commit', services: ['auth'] },
];

const ofInstant: readonly Failpoint[] = [
  ...['after-hold', 'before-send', 'after-send', 'before-post', 'after-post'].map((step) => ({
    name: `instant.${step}`,
    services: worker,
  })),
  ...['follow-up-voided', 'follow-up-recorded'].map((step) => ({
    name: `instant.${step}`,
    services: worker,
  })),
  ...['held', 'answered', 'posted', 'released'].map((step) => ({
    name: `payments.instant-${step}`,
    services: ['payments'] as const,
  })),
];
/** Also those of instant payments, which only a bank in euro has. */
export const failpointsInEuro: readonly Failpoint[] = [...failpoints, ...ofInstant];

/** Arms failpoints in a sandbox's processes. The first process to reach the line crashes there, once. */
export class FailpointOrders {
  /** `file`: the path in the services' FAILPOINT_FILE setting. */
  constructor(private readonly file: string) {}

  order(name: string): void {
    writeFileSync(this.file, name);
  }

  /** True while no process has reached the line since {@link order}. */
  get isOpen(): boolean {
    return existsSync(this.file);
  }

  withdraw(): void {
    rmSync(this.file, { force: true });
  }
}
