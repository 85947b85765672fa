import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@xs2a/runtime/tokens';
import type { ConsoleConfig } from '../config.js';
import type { Act, ActDescription } from './acts.js';

/** Injection token of the table of actions. */
export const ACTS = Symbol('ACTS');
export type Acts = Readonly<Record<Act, ActDescription>>;

/** What is recorded as the outcome of a request that waits for a second person. */
export const pendingText = 'Waits for approval by another person.';
/** Milliseconds after which a request can no longer be approved. */
export const approvalMs = 24 * 60 * 60 * 1000;

/** An action that one person requests and another one approves, after which it runs from its record. */
export interface Approvable {
  /** One sentence: what it will do. */
  readonly does: string;
  /** True for a target that the action may have. */
  readonly isTarget: (target: string) => boolean;
  /** Runs it and returns its outcome, as `Actions.perform` expects it. */
  readonly run: (request: {
    readonly actionId: string;
    readonly target: string;
    readonly reason: string;
  }) => Promise<string>;
}

/** Which actions need two people (CONSOLE_TWO_PEOPLE), and how they run once they are approved. */
@Injectable()
export class TwoPeople {
  private readonly approvable = new Map<Act, Approvable>();

  constructor(
    @Inject(CONFIG) private readonly settings: Pick<ConsoleConfig, 'CONSOLE_TWO_PEOPLE'>,
    @Inject(ACTS) private readonly acts: Acts,
  ) {}

  /** Registers how an action runs once it is approved. */
  register(act: Act, approvable: Approvable): void {
    this.approvable.set(act, approvable);
  }

  /** Returns how an action runs; undefined for one that cannot wait, because its record does not say what to do. */
  find(act: Act): Approvable | undefined {
    return this.approvable.get(act);
  }

  /** True if the action waits for a second person. One that moves money does so even if it cannot run then. */
  isNeeded(act: Act): boolean {
    const { CONSOLE_TWO_PEOPLE: which } = this.settings;
    if (which === 'none') return false;
    return this.acts[act].movesMoney === true || (which === 'all' && this.approvable.has(act));
  }
}
