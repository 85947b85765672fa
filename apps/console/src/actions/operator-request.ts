import { callFailed } from '@xs2a/domain/failure/failed';
import { namesPerson } from '@xs2a/domain/text/reason';
import { isMaxText } from '@xs2a/domain/text/text';
import { isActionId } from './acts.js';

/** What every request of the `xs2a` command to the console contains. */
export interface OperatorRequest {
  readonly actionId: string;
  readonly operator: string;
  readonly reason: string;
}

/** Throws CallFailed (fieldMalformed) for the first member that is not valid. `psuIds`: PSUs that the reason may not name. */
export const mustBeOperatorRequest = (
  { actionId, operator, reason }: OperatorRequest,
  psuIds: readonly string[] = [],
): void => {
  if (!isActionId(actionId)) throw callFailed('fieldMalformed', 'actionId', 'Send a UUID.');
  if (!isMaxText(operator, 100)) throw callFailed('fieldMalformed', 'operator', 'Send 1 to 100 characters.');
  if (!isMaxText(reason, 500) || namesPerson(reason, { psuIds, ibans: [] }))
    throw callFailed('fieldMalformed', 'reason', 'Send 1 to 500 characters that name no person.');
};
