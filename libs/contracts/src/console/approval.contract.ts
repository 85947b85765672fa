import { call } from '../call.js';

/** What an operator asks for with the `xs2a` command. */
export interface RequestedAction {
  /** An action with an id that is already recorded is ignored. @format uuid */
  readonly actionId: string;
  /** One of the console's actions, such as `block-tpp`. */
  readonly act: string;
  /** What the action is to change. */
  readonly target: string;
  /** The name that the operator gave, or that of the operating system user. */
  readonly operator: string;
  readonly reason: string;
}
/**
 * Records a request that a second person must approve on the console's page Actions, which then runs it. `waits` is false, and
 * nothing is recorded, if the action needs no second person. For the bank's operator. No other NATS user may make this call.
 */
export const requestAction = call<RequestedAction, { readonly waits: boolean }>(
  'svc.console.operator.request',
  'idempotent',
);
