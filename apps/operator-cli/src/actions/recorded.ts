import { recordAction, type RecordedAction } from '@xs2a/contracts/console.contract';
import { requestAction } from '@xs2a/contracts/console/approval.contract';
import { type Act, type ActDescription, acts } from '@xs2a/console/actions/acts';
import { isMaxText } from '@xs2a/domain/text/text';
import { newId } from '@xs2a/runtime/ids';
import { userInfo } from 'node:os';
import { askConsole } from '../ask-service.js';
import { Refusal } from '../command-line/refusal.js';
import type { Connections } from '../connections.js';
import { checkReason } from '../privacy/person-options.js';

interface OperatorAction {
  readonly act: Act;
  /** What the action changes; absent if it is a PSU. */
  readonly target?: string;
  readonly psuId?: string;
  readonly reason: string;
  /** By default, the operating system user. */
  readonly operator?: string | undefined;
}

interface Done<Result> {
  readonly result: Result;
  /** One sentence. */
  readonly outcome: string;
  /** False if nothing was done; true by default. */
  readonly isDone?: boolean;
}

const longestReason = 500;
const longestName = 100;

/**
 * Runs an action, and records at the console that it was done or refused. Throws {@link Refusal} before it runs if the reason may
 * not be recorded. If the console does not answer, only says so: a repair must not wait for it.
 */
export const recorded = async <Result>(
  connections: Connections,
  { operator = userInfo().username, ...action }: OperatorAction,
  run: (operator: string) => Promise<Done<Result>>,
): Promise<Result> => {
  checkReason(action.reason, { psuIds: action.psuId === undefined ? [] : [action.psuId], ibans: [] });
  if (!isMaxText(action.reason, longestReason))
    throw new Refusal(`A reason has 1 to ${longestReason} characters on one line.`, 2);
  if (!isMaxText(operator, longestName))
    throw new Refusal(`An operator has a name of 1 to ${longestName} characters on one line.`, 2);
  const record = { ...action, actionId: newId(), operator };
  if (await waits(connections, record))
    throw new Refusal(
      `Nothing was done yet. Another person must approve it within 24 hours on the console's page Actions: ${record.actionId}`,
    );
  try {
    const { result, outcome, isDone = true } = await run(operator);
    await send(connections, { ...record, isDone, outcome });
    return result;
  } catch (error) {
    if (error instanceof Refusal && error.exitCode !== 2)
      await send(connections, { ...record, isDone: false, outcome: oneLine(error.message) });
    throw error;
  }
};

/** Requests the action if it needs two people. Returns true if it was requested. */
const waits = async (
  connections: Connections,
  { actionId, act, target, operator, reason }: OperatorAction & { actionId: string; operator: string },
): Promise<boolean> => {
  // Locks of PSUs are never approved by a second person: the customer is on the phone.
  if (target === undefined) return false;
  const { movesMoney }: ActDescription = acts[act];
  try {
    return (await askConsole(connections, requestAction, { actionId, act, target, operator, reason })).waits;
  } catch (error) {
    if (error instanceof Refusal && error.isDown && movesMoney !== true) return false;
    throw error;
  }
};

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 500);

const send = async (connections: Connections, action: RecordedAction): Promise<void> => {
  try {
    await askConsole(connections, recordAction, action);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const what = action.isDone ? 'The action is done, but it' : 'The action';
    process.stderr.write(`${error.message}\n${what} is not among the console's actions.\n`);
  }
};
