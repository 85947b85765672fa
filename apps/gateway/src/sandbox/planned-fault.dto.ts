import { type PlannedOutcome, plannedOutcomes } from '@xs2a/contracts/sandbox/planned-faults';
import { IsDefined, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { type EndpointId, endpointIds, endpointRules, isSandboxEndpoint } from '../endpoint-rules.js';

/** The operations whose calls can be planned to fail: those that a bank has. */
export const faultyOperations: readonly EndpointId[] = endpointIds.filter(
  (id) => !isSandboxEndpoint(endpointRules[id]),
);
export const faultOutcomes = [...plannedOutcomes, 'none'] as const;

const operationHint =
  'Send the name of an operation below /v1. Those of payments, such as initiatePayment, are for orders and bulk payments too.';
const outcomeHint = `Send one of ${faultOutcomes.join(', ')}.`;
const callsHint = 'Send a whole number from 1 to 100.';

/** The body of `POST /sandbox/faults`. */
export class PlannedFaultDto {
  @IsDefined()
  @IsIn(faultyOperations, { message: operationHint })
  readonly operation!: EndpointId;

  @IsDefined()
  @IsIn(faultOutcomes, { message: outcomeHint })
  readonly outcome!: PlannedOutcome | 'none';

  @IsOptional()
  @IsInt({ message: callsHint })
  @Min(1, { message: callsHint })
  @Max(100, { message: callsHint })
  readonly calls?: number;
}
